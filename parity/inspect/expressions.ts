/** Finds the expression of each handler in the call that registered it: `user.getLogin`, `auth('admin')`. */
import type * as t from '@babel/types';
import { memberName } from '../migrate/syntax';
import type { Site } from './model';
import type { Sources } from './sources';

/** The position of a handler among the handlers of one call. */
export interface Place {
  readonly index: number;
  readonly count: number;
}

/** The length after which an expression is cut. */
const MAX_TEXT = 48;

export class Expressions {
  readonly #sources: Sources;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Returns the text of a handler's expression; undefined if the call does not show it. */
  of(site: Site | undefined, place: Place | undefined): string | undefined {
    const call = place && this.#sources.callAt(site);
    const source = site && this.#sources.file(site.file)?.text;
    if (!call || source === undefined) return undefined;
    const node = argumentAt(call.node, place);
    return node ? textOf(node, source) : undefined;
  }
}

/** The argument that registers the handler at a place; undefined if the call does not show it. */
export function argumentAt({ arguments: args }: t.CallExpression, place: Place): t.Node | null | undefined {
  const given = args.flatMap(
    (one): Array<t.Node | null> => (one.type === 'ArrayExpression' ? one.elements : [one]),
  );
  // The first argument is often the path.
  const isPath = /^(?:String|Template|RegExp)/.test(given[0]?.type ?? '');
  const handlers = given.length === place.count && !isPath ? given : given.slice(1);
  if (handlers.length === place.count) return handlers[place.index];
  return handlers.length === 1 ? handlers[0] : undefined;
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
