/** Finds the expression of each handler in the call that registered it: `user.getLogin`, `auth('admin')`. */
import { readFileSync, statSync } from 'node:fs';
import type * as t from '@babel/types';
import { memberName } from '../migrate/kinds';
import type { Parser } from '../migrate/parser';
import type { Site } from './model';

/** The position of a handler among the handlers of one call. */
export interface Place {
  readonly index: number;
  readonly count: number;
}

interface Call {
  /** The position of the method's name; the first line is 1, the first column 0. */
  readonly line: number;
  readonly column: number;
  readonly args: ReadonlyArray<t.Node | null>;
  readonly source: string;
}

/** Bytes; larger files are bundles, whose expressions say little. */
const MAX_FILE = 1_000_000;
/** The length after which an expression is cut. */
const MAX_TEXT = 48;

export class Expressions {
  readonly #parser: Parser;
  readonly #calls = new Map<string, readonly Call[]>();

  constructor(parser: Parser) {
    this.#parser = parser;
  }

  /** Returns the text of a handler's expression; undefined if the call does not show it. */
  of(site: Site | undefined, place: Place | undefined): string | undefined {
    if (!site || !place) return undefined;
    const calls = this.#callsIn(site.file).filter(({ line }) => line === site.line);
    const call =
      calls.find(({ column }) => column + 1 === site.column) ?? (calls.length === 1 ? calls[0] : undefined);
    if (!call) return undefined;
    const given = call.args.flatMap(
      (one): Array<t.Node | null> => (one?.type === 'ArrayExpression' ? one.elements : [one]),
    );
    // The first argument is often the path.
    const isPath = /^(?:String|Template|RegExp)/.test(given[0]?.type ?? '');
    const handlers = given.length === place.count && !isPath ? given : given.slice(1);
    const node =
      handlers.length === place.count
        ? handlers[place.index]
        : handlers.length === 1
          ? handlers[0]
          : undefined;
    return node ? textOf(node, call.source) : undefined;
  }

  #callsIn(file: string): readonly Call[] {
    const calls = this.#calls.get(file) ?? this.#read(file);
    this.#calls.set(file, calls);
    return calls;
  }

  #read(file: string): readonly Call[] {
    const calls: Call[] = [];
    try {
      if (statSync(file).size > MAX_FILE) return calls;
      const source = readFileSync(file, 'utf8');
      this.#parser.traverse(this.#parser.parse(source, file), {
        CallExpression({ node: { callee, arguments: args } }) {
          if (callee.type !== 'MemberExpression' || !callee.property.loc) return;
          calls.push({ ...callee.property.loc.start, args, source });
        },
      });
    } catch {
      // A file that cannot be read or parsed, such as one that is named only by a source map.
    }
    return calls;
  }
}

/** Writes an expression in one line, without the bodies of functions and objects; undefined for a function without a name. */
function textOf(node: t.Node, source: string): string | undefined {
  if (node.type === 'FunctionExpression') return node.id?.name;
  if (node.type === 'ArrowFunctionExpression') return undefined;
  return cut(write(node, source));
}

function write(node: t.Node, source: string): string {
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    const args = node.arguments.map((one) => cut(write(one, source))).join(', ');
    return `${node.type === 'NewExpression' ? 'new ' : ''}${write(node.callee, source)}(${args})`;
  }
  if (node.type === 'MemberExpression') {
    const name = memberName(node);
    return name === undefined || node.computed
      ? plain(node, source)
      : `${write(node.object, source)}.${name}`;
  }
  if (node.type === 'ObjectExpression') return node.properties.length > 0 ? '{…}' : '{}';
  if (/Function/.test(node.type)) return '() => …';
  return plain(node, source);
}

function plain({ start, end }: t.Node, source: string): string {
  return source.slice(start ?? 0, end ?? 0).replace(/\s+/g, ' ');
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}
