/** Parses the files of the application, and finds the calls and functions of its routes in them. */
import { readFileSync, statSync } from 'node:fs';
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { type Parser, parseWhole } from '../migrate/parser';
import { requiredBy } from '../migrate/syntax';
import type { Site } from './model';

/** A parsed file. */
export interface ParsedFile {
  readonly file: string;
  readonly text: string;
  readonly calls: ReadonlyArray<NodePath<t.CallExpression>>;
  readonly functions: ReadonlyArray<NodePath<t.Function>>;
  /** The modules that the file loads, as written there. */
  readonly modules: readonly string[];
}

/** A function of the application, parsed in its file, or alone if no file contains its text. */
export interface ParsedFunction {
  readonly path: NodePath<t.Function>;
  /** The file that contains it; undefined if the text is known alone, as that of compiled code. */
  readonly parsed: ParsedFile | undefined;
}

/** Bytes; larger files are bundles, whose expressions say little. */
const MAX_FILE = 1_000_000;

export class Sources {
  readonly #parser: Parser;
  readonly #files = new Map<string, ParsedFile | undefined>();
  readonly #functions = new WeakMap<object, ParsedFunction | { readonly isUnknown: true }>();

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  /** Returns the parsed file; undefined if it cannot be read or parsed, such as one that is named only by a source map. */
  file(name: string): ParsedFile | undefined {
    if (!this.#files.has(name)) this.#files.set(name, this.#read(name));
    return this.#files.get(name);
  }

  /** Finds the call of a method that a stack trace names; undefined if the line has several and none at the column. */
  callAt(site: Site | undefined): NodePath<t.CallExpression> | undefined {
    if (!site) return undefined;
    const calls = (this.file(site.file)?.calls ?? []).filter((path) => startOf(path)?.line === site.line);
    const methods = calls.filter(({ node }) => node.callee.type === 'MemberExpression');
    return (
      calls.find((path) => (startOf(path)?.column ?? -1) + 1 === site.column) ??
      (methods.length === 1 ? methods[0] : undefined)
    );
  }

  /**
   * Finds the source of a function.
   *
   * @param site Where it is registered.
   * @param files The files that may contain it.
   * @returns Undefined for native and bound functions.
   */
  functionOf(
    handle: (...args: never[]) => unknown,
    site: Site | undefined,
    files: Iterable<string> = [],
  ): ParsedFunction | undefined {
    let found = this.#functions.get(handle);
    if (!found) {
      found = this.#find(String(handle), site, files) ?? { isUnknown: true };
      this.#functions.set(handle, found);
    }
    return 'isUnknown' in found ? undefined : found;
  }

  #find(text: string, site: Site | undefined, files: Iterable<string>): ParsedFunction | undefined {
    if (/\{\s*\[native code\]\s*\}$/.test(text)) return undefined;
    const call = this.callAt(site);
    for (const name of new Set([...(site ? [site.file] : []), ...files])) {
      const parsed = this.file(name);
      if (!parsed?.text.includes(text)) continue;
      const same = parsed.functions.filter(
        ({ node }) => parsed.text.slice(node.start ?? 0, node.end ?? 0) === text,
      );
      const inCall = same.filter((path) => call && path.isDescendant(call));
      // Of several functions with the same text, only one in the call itself is certain.
      const [path, other] = inCall.length > 0 ? inCall : same;
      if (path && !other) return { path, parsed };
      if (path) return { path, parsed: undefined };
    }
    // A method such as `show(req, res) {}` is no expression.
    for (const source of [`(${text})`, `({${text}})`]) {
      const [path] = parseFile(this.#parser, source, 'handler.js')?.functions ?? [];
      if (path) return { path, parsed: undefined };
    }
    return undefined;
  }

  #read(name: string): ParsedFile | undefined {
    try {
      if (statSync(name).size > MAX_FILE) return undefined;
      return parseFile(this.#parser, readFileSync(name, 'utf8'), name);
    } catch {
      return undefined;
    }
  }
}

/** Parses a file; undefined if it cannot be parsed. */
export function parseFile(parser: Parser, text: string, name: string): ParsedFile | undefined {
  const calls: NodePath<t.CallExpression>[] = [];
  const functions: NodePath<t.Function>[] = [];
  const modules: string[] = [];
  try {
    parser.traverse(parseWhole(parser, text, name), {
      CallExpression: (path) => {
        calls.push(path);
        const required = requiredBy(path.node);
        if (required !== undefined) modules.push(required);
      },
      ImportDeclaration: ({ node }) => void modules.push(node.source.value),
      Function: (path) => void functions.push(path),
    });
  } catch {
    return undefined;
  }
  return { file: name, text, calls, functions, modules };
}

/** The position of the name of the function in a call, as stack traces show it; the first line is 1, the first column 0. */
function startOf({
  node: { callee },
}: NodePath<t.CallExpression>): { line: number; column: number } | undefined {
  return (callee.type === 'MemberExpression' ? callee.property : callee).loc?.start;
}
