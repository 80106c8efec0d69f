/** Splits `.http` files, the format of VS Code REST Client, JetBrains, Visual Studio and kulala, into requests. */
import { METHODS } from 'node:http';

/** A line of a file, with its number from 1. */
export interface Line {
  readonly text: string;
  readonly number: number;
}

export interface Definition extends Line {
  readonly name: string;
}

/** A variable that a handler of a response sets: the name, and the path in the body of the response. */
export interface Assignment {
  readonly name: string;
  readonly path: string;
}

/** A request of a file, before its variables are replaced. */
export interface Block {
  readonly name: string | undefined;
  readonly method: string;
  /** A URL or path, from one line or several. */
  readonly target: Line;
  readonly headers: readonly Line[];
  /** The lines of the body, without comments and without blank lines at the end. */
  readonly body: readonly Line[];
  readonly assignments: readonly Assignment[];
}

export interface HttpFile {
  readonly blocks: readonly Block[];
  readonly definitions: readonly Definition[];
}

const COMMENT = /^\s*(?:#|\/\/)/;
const DEFINITION = /^@([\w.-]+)\s*=\s*(.*)$/;
/** A header of a request; its value may be empty. */
const HEADER = /^([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.*)$/;
const METHOD_AND_TARGET = /^([A-Za-z][A-Za-z-]*)\s+(\S.*)$/;
const VERSION = /\s+HTTP\/\d(?:\.\d)?(?: \(Prior Knowledge\))?$/;
/** A target: a path, a URL, a variable, or a host with a path or port. */
const TARGET = /^(?:\/|https?:\/\/|\{\{|\*$|localhost\b|[\w-]+(?:\.[\w-]+)+(?:[/:?]|$))/i;
/** Kinds of requests that are not HTTP, and statements that need another file. */
const NOT_SENT: Readonly<Record<string, string>> = {
  grpc: 'gRPC is not compared',
  websocket: 'WebSockets are not compared',
  ws: 'WebSockets are not compared',
  rsocket: 'RSocket is not compared',
  curl: 'write the request of this curl command as "POST /path"',
  import: 'pass the imported file, too',
  run: 'copy the requests of that file',
};
/** Bodies in which a line with `#` or `//` is a comment, and nothing else. */
const HAS_COMMENTS = /^(?:application|text)\/(?:[\w.+-]*(?:json|xml)|x-www-form-urlencoded|graphql)/i;
/** The end of a body: what an editor does with the response. */
const HANDLER = /^(?:>\s*\{%|>>!?\s|<>\s|>\s*\S+\.(?:js|mjs|ts|lua)\s*$)/;
/** `client.global.set("token", response.body.token)`. */
const SET = /client\.global\.set\(\s*["'`]([\w.-]+)["'`]\s*,\s*response\.body\b([\w.$[\]"']*)\s*\)/g;

/** @throws TypeError for a line that editors would not send, with the file and the number of the line. */
export function parseHttpFile(text: string, name: string): HttpFile {
  const lines = text.split(/\r?\n/).map((line, index): Line => ({ text: line, number: index + 1 }));
  return new Parser(lines, name).parse();
}

class Parser {
  readonly #lines: readonly Line[];
  readonly #name: string;
  readonly #definitions: Definition[] = [];
  readonly #blocks: Block[] = [];
  #at = 0;
  #nextName: string | undefined;

  constructor(lines: readonly Line[], name: string) {
    this.#lines = lines;
    this.#name = name;
  }

  parse(): HttpFile {
    for (let line = this.#line(); line; line = this.#line()) {
      if (line.text.trim() === '') this.#at++;
      else if (COMMENT.test(line.text)) this.#comment(line);
      else if (DEFINITION.test(line.text)) this.#define(line);
      else this.#blocks.push(this.#block(line));
    }
    return { blocks: this.#blocks, definitions: this.#definitions };
  }

  #line(): Line | undefined {
    return this.#lines[this.#at];
  }

  /** Comments may have instructions: `# @name login`. The title of JetBrains is a name, too: `### login`. */
  #comment({ text, number }: Line): void {
    this.#at++;
    const [, title] = /^###+\s*([\w-]+)\s*$/.exec(text) ?? [];
    if (/^###/.test(text)) {
      this.#nextName = title;
    }
    const [, instruction, value = ''] = /^\s*(?:#+|\/\/+)\s*@([\w-]+)\s*=?\s*(.*?)\s*$/.exec(text) ?? [];
    if (instruction === 'name') this.#nextName = value;
    if (instruction === 'prompt')
      this.#fail(
        number,
        `a value for "${value.split(' ', 1)}": replace @prompt with "@${value.split(' ', 1)} = value"`,
        text,
      );
  }

  #define({ text, number }: Line): void {
    const [, name = '', value = ''] = DEFINITION.exec(text) ?? [];
    this.#definitions.push({ name, text: value.trim(), number });
    this.#at++;
  }

  #block(first: Line): Block {
    const { method, target } = this.#requestLine(first);
    const name = this.#nextName;
    this.#nextName = undefined;
    this.#at++;
    let url = target;
    // A URL may continue on indented lines.
    for (let line = this.#line(); line && /^\s+\S|^[?&]/.test(line.text); line = this.#line()) {
      url += line.text.trim();
      this.#at++;
    }
    const headers = this.#headers();
    const type = headers.map(({ text }) => /^content-type\s*:\s*(.*)$/i.exec(text)?.[1]).find(Boolean) ?? '';
    const { body, assignments } = this.#hasBody(type) ? this.#body(type) : { body: [], assignments: [] };
    return {
      name,
      method,
      target: { text: url.replace(VERSION, ''), number: first.number },
      headers,
      body,
      assignments,
    };
  }

  #requestLine({ text, number }: Line): { method: string; target: string } {
    const line = text.trim();
    const [, word = '', rest = ''] = METHOD_AND_TARGET.exec(line) ?? [];
    const why = NOT_SENT[word.toLowerCase()];
    if (why !== undefined)
      throw new TypeError(`${this.#name}:${number}: ${why}; got ${JSON.stringify(line)}`);
    if (/^<\s/.test(line))
      this.#fail(number, 'no script before a request, because scripts are not run', text);
    const method = METHODS.includes(word.toUpperCase()) ? word.toUpperCase() : word;
    if (/^[A-Z-]+$/.test(method) && TARGET.test(rest)) return { method, target: rest.replace(VERSION, '') };
    // Without a method, the method is GET.
    if (!TARGET.test(line)) this.#fail(number, 'a request line such as "GET /path"', text);
    return { method: 'GET', target: line.replace(VERSION, '') };
  }

  #headers(): Line[] {
    const headers: Line[] = [];
    for (let line = this.#line(); line && line.text.trim() !== ''; line = this.#line()) {
      if (/^###/.test(line.text) || isRequestLine(line.text)) break;
      this.#at++;
      const isComment = COMMENT.test(line.text);
      if (!isComment && !HEADER.test(line.text))
        this.#fail(
          line.number,
          'a header such as "Accept: */*", or an empty line before the body',
          line.text,
        );
      if (!isComment) headers.push(line);
    }
    return headers;
  }

  /** Whether a body follows. Comments, definitions and the next request may follow without `###`, too. */
  #hasBody(type: string): boolean {
    let hasComments = false;
    for (const { text } of this.#lines.slice(this.#at)) {
      if (/^###/.test(text)) break;
      if (isRequestLine(text)) return false;
      const isComment = COMMENT.test(text);
      if (!isComment && text.trim() !== '' && !DEFINITION.test(text)) return true;
      hasComments ||= isComment;
    }
    // A text such as `# Title`, which some editors send.
    return hasComments && type !== '' && !HAS_COMMENTS.test(type);
  }

  #body(type: string): { body: Line[]; assignments: Assignment[] } {
    const body: Line[] = [];
    const assignments: Assignment[] = [];
    let isHandled = false;
    while (this.#line()?.text.trim() === '') this.#at++;
    for (let line = this.#line(); line && !/^###/.test(line.text); line = this.#line()) {
      const { text, number } = line;
      this.#at++;
      if (HANDLER.test(text)) {
        assignments.push(...this.#handler(line));
        isHandled = true;
        continue;
      }
      if (/^<\s*\{%/.test(text)) this.#fail(number, 'no script in a body, because scripts are not run', text);
      if (COMMENT.test(text)) {
        if (HAS_COMMENTS.test(type)) continue;
        this.#fail(
          number,
          'no line that begins with "#" or "//" in this body, because some editors send it and others do not: write the body in a file, "< ./body.txt"',
          text,
        );
      }
      const isAfterEmpty = body.at(-1)?.text.trim() === '';
      if (isRequestLine(text) && (isHandled || body.every((one) => one.text.trim() === ''))) {
        this.#at--;
        break;
      }
      if (isAfterEmpty && isRequestLine(text)) this.#fail(number, '"###" before the next request', text);
      body.push(line);
    }
    while (body.at(-1)?.text.trim() === '') body.pop();
    return { body, assignments };
  }

  /** Skips a script, except for the variables that it sets from the response. */
  #handler(first: Line): Assignment[] {
    let script = first.text;
    if (script.includes('{%'))
      while (!script.includes('%}')) {
        const line = this.#line();
        if (!line) this.#fail(first.number, '"%}" after the script', first.text);
        script += `\n${line.text}`;
        this.#at++;
      }
    return Array.from(script.matchAll(SET), ([, name = '', path = '']) => ({ name, path }));
  }

  #fail(number: number, expected: string, text: string): never {
    throw new TypeError(`${this.#name}:${number}: expected ${expected}, got ${JSON.stringify(text)}`);
  }
}

/** Whether a line begins a request: a method with a path or a URL. */
function isRequestLine(text: string): boolean {
  const [, word = '', rest = ''] = METHOD_AND_TARGET.exec(text.trim()) ?? [];
  return METHODS.includes(word) && TARGET.test(rest);
}

/** Splits a header line into name and value. */
export function toHeader({ text }: Line): readonly [name: string, value: string] {
  const [, name = '', value = ''] = HEADER.exec(text) ?? [];
  return [name, value.trimEnd()];
}
