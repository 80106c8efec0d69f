/** Reads the requests of `.http` and `.rest` files. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Draft, type Drafted, type Replace, toRequests } from './drafts';
import { type Environment, readDotenv } from './environment';
import { type Block, type HttpFile, type Line, parseHttpFile, toHeader } from './http-lines';
import { decodeText } from './read-text';
import type { Place } from './variables';

/** A body from a file: `< ./a.json`, with variables `<@ ./a.json`, in an encoding `<@latin1 ./a.txt`. */
const FILE = /^<(@(\w[\w-]*)?)?\s+(\S.*?)\s*$/;
/** What a request with a query of GraphQL says in REST Client. */
const GRAPHQL = /^x-request-type$/i;

export interface HttpFileOptions {
  /** The name of the file, for messages. */
  readonly name: string;
  /** The path of the file, for other files that it names. */
  readonly file: string;
  readonly environment: Environment;
  readonly origin?: string | undefined;
}

/** @throws TypeError for what cannot be read or sent, with the name of the file and the number of the line. */
export function readHttpFile(text: string, { name, file, environment, origin }: HttpFileOptions): Drafted {
  const parsed = parseHttpFile(text, name);
  const drafts = parsed.blocks.map((block) => new BlockDraft(block, name, file));
  const { values, remedy } = environment;
  let dotenv: Readonly<Record<string, string | undefined>> | undefined;
  return toRequests(
    drafts,
    {
      find(variable, place) {
        const [, secret] = /^\$dotenv\s+%?(\w+)$/.exec(variable) ?? [];
        if (secret !== undefined) {
          dotenv ??= readDotenv(file);
          return dotenv[secret];
        }
        return definitionOf(variable, place, parsed) ?? values.get(variable);
      },
      remedy,
    },
    origin,
  );
}

/** The last definition before a line, or the first one of the file. */
function definitionOf(variable: string, { line }: Place, { definitions }: HttpFile): string | undefined {
  const all = definitions.filter(({ name }) => name === variable);
  return (all.findLast(({ number }) => number < line) ?? all[0])?.text;
}

class BlockDraft implements Draft {
  readonly #block: Block;
  readonly #file: string;
  readonly #fileName: string;
  readonly name: string | undefined;
  readonly assignments: Draft['assignments'];

  constructor(block: Block, fileName: string, file: string) {
    this.#block = block;
    this.#fileName = fileName;
    this.#file = file;
    this.name = block.name;
    this.assignments = block.assignments;
  }

  where(line?: number): string {
    return `${this.#fileName}:${line || this.#block.target.number}`;
  }

  build(replace: Replace): ReturnType<Draft['build']> {
    const { method, target, headers: lines } = this.#block;
    const given = lines.map((line) => {
      const [name, value] = toHeader(line);
      return [name, replace(value, line.number)] as const;
    });
    const [, scheme] = /^(digest|aws|ntlm)\s+[^\s=,]+\s+\S/i.exec(valueIn(given, 'authorization')) ?? [];
    if (scheme !== undefined)
      throw new TypeError(
        `${this.where()}: Authorization: expected a complete value, because ${scheme} is not computed`,
      );
    const isGraphql = /^graphql$/i.test(valueIn(given, 'x-request-type')) || method === 'GRAPHQL';
    const headers = given.filter(([name]) => !GRAPHQL.test(name));
    const type = valueIn(headers, 'content-type');
    const body = isGraphql ? this.#graphql(replace) : this.#body(type, replace);
    const hasType = type !== '' || method !== 'GRAPHQL';
    return {
      method: method === 'GRAPHQL' ? 'POST' : method,
      url: replace(target.text, target.number),
      headers: hasType ? headers : [...headers, ['Content-Type', 'application/json']],
      body,
    };
  }

  #body(type: string, replace: Replace): Buffer {
    const { body } = this.#block;
    // The lines of a multipart body end with CRLF, whatever the file has. RFC 2046 §5.1.1
    const isMultipart = /^multipart\//i.test(type);
    const end = isMultipart ? '\r\n' : '\n';
    if (/^application\/x-www-form-urlencoded/i.test(type) && !body.some(({ text }) => FILE.test(text)))
      return Buffer.from(formOf(body.map(({ text, number }) => replace(text, number))));
    const pieces = body.flatMap((line, index) => {
      const isLast = index === body.length - 1;
      return [this.#piece(line, replace), Buffer.from(isLast ? '' : end)];
    });
    const closes = body.length > 0 && (isMultipart || /ndjson|json-lines|jsonl/i.test(type));
    return Buffer.concat([...pieces, Buffer.from(closes ? end : '')]);
  }

  #piece({ text, number }: Line, replace: Replace): Buffer {
    const [, at, encoding, path] = FILE.exec(text) ?? [];
    if (path === undefined) return Buffer.from(replace(text, number));
    const file = resolve(dirname(resolve(this.#file)), replace(path, number));
    const bytes = this.#read(file, number);
    if (at === undefined) return bytes;
    const content = /^latin1$/i.test(encoding ?? '') ? bytes.toString('latin1') : decodeText(bytes, file);
    return Buffer.from(replace(content, number));
  }

  #read(file: string, number: number): Buffer {
    try {
      return readFileSync(file);
    } catch (error) {
      throw new TypeError(
        `${this.where(number)}: expected a file that can be read: ${(error as Error).message}`,
      );
    }
  }

  /** The query, an empty line, and the variables in JSON. */
  #graphql(replace: Replace): Buffer {
    const { body } = this.#block;
    const text = body.map((line) => this.#piece(line, replace).toString());
    const found = text.findIndex((line) => line.trim() === '');
    const empty = found < 0 ? text.length : found;
    const query = text.slice(0, empty).join('\n');
    const variables = text
      .slice(empty + 1)
      .join('\n')
      .trim();
    const [, operationName] = /^\s*(?:query|mutation|subscription)\s+(\w+)/m.exec(query) ?? [];
    try {
      return Buffer.from(
        JSON.stringify({
          query,
          ...(operationName && { operationName }),
          variables: JSON.parse(variables || '{}'),
        }),
      );
    } catch (error) {
      const { number } = body[empty + 1] ?? this.#block.target;
      throw new TypeError(
        `${this.where(number)}: expected the variables of the query in JSON: ${(error as Error).message}`,
      );
    }
  }
}

function valueIn(headers: ReadonlyArray<readonly [string, string]>, expected: string): string {
  return headers.find(([name]) => name.toLowerCase() === expected)?.[1] ?? '';
}

/** Joins a form that has a field on each line, with spaces around the signs, and encodes what is not encoded. */
function formOf(lines: readonly string[]): string {
  const fields = lines.map((line) => line.trim().replace(/\s*([&=])\s*/g, '$1'));
  return fields
    .join('')
    .replace(/[^!-~]+|["<>`{}|\\^]/g, (text) => encodeURIComponent(Buffer.from(text).toString()));
}
