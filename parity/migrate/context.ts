/** The state that the rules of `nozomi-parity migrate` share for one file. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import type { Edits } from './edits';
import type { Kinds } from './kinds';
import type { Frameworks } from './path/convert';

/** Facts about the application, gathered from all given files. */
export interface Facts {
  /** Whether a handler reads `req.params` by number, by a computed name, or as a whole. */
  readonly readsNumbers: boolean;
  readonly readsQuery: boolean;
  /** Whether a handler writes to `req.query`. */
  readonly writesQuery: boolean;
  readonly readsBody: boolean;
  /** Whether a given file creates an application, and not only routers. */
  readonly makesApplication: boolean;
  /** Whether the application sets `query parser`. */
  readonly setsQueryParser: boolean;
  /** Whether the application sets `strict routing`, or the option `strict` of a router. */
  readonly setsStrict: boolean;
  /** Whether the application sets `case sensitive routing`, or the option `caseSensitive` of a router. */
  readonly setsSensitive: boolean;
  /** Whether a route has a path from a variable, such as `app[route.method](route.path, …)`. */
  readonly computesPaths: boolean;
  /** Whether the files contain strings that may be the value of such a variable. */
  readonly hasTable: boolean;
  /** Whether a handler reads `req.route`, whose path is another string after the migration. */
  readonly readsRoutePath: boolean;
  /** Whether a path was converted, of a program that reads `req.route`. */
  readonly convertsPaths: boolean;
  /** Whether the files use a member that only Express 3 has. */
  readonly isExpress3: boolean;
  /** Whether the files use members of applications, requests or responses by computed names. */
  readonly computesMembers: boolean;
}

/** A path of a route or of `use`, and the result of its conversion. */
export interface FoundPath {
  readonly line: number;
  /** The path as written in the file. If it was refused, the text also states the reason. */
  readonly text: string;
  readonly result: 'same' | 'converted' | 'refused';
}

/** One line of the report. */
export interface Finding {
  readonly line: number;
  readonly text: string;
}

export interface Context {
  /** The path of the file. */
  readonly name: string;
  /** The original source of the file. */
  readonly source: string;
  readonly edits: Edits;
  readonly kinds: Kinds;
  readonly facts: Facts;
  readonly frameworks: Frameworks;
  /** Adds a change to the report. */
  change(node: t.Node, text: string): void;
  /** Adds a comment above the statement, and a line to the report, because a developer must change the code. */
  refuse(path: NodePath, text: string): void;
  /** Adds a path to the report. */
  path(node: t.Node, text: string, result: FoundPath['result']): void;
  /**
   * Counts a call of a method of an application or router.
   *
   * @param unknown What was not understood of it; default: nothing.
   */
  count(node: t.Node, unknown?: string): void;
  /** Adds a note to the report, but no comment to the file. */
  note(node: t.Node, text: string): void;
}

export type Located<T extends t.Node> = T & { start: number; end: number };

/** Returns the node typed with its position, which every parsed node has. */
export function located<T extends t.Node>(node: T): Located<T> {
  return node as Located<T>;
}

/** Returns the text of a node, including the edits so far. */
export function textAt({ edits }: Context, node: t.Node): string {
  const { start, end } = located(node);
  return edits.text(start, end);
}

/** Finds the name of the request in the nearest outer handler; undefined if none, or if another variable hides it. */
export function requestNear(path: NodePath, { kinds }: Context): string | undefined {
  for (let fn = path.getFunctionParent(); fn; fn = fn.getFunctionParent()) {
    const { req } = kinds.rolesOf(fn);
    if (req) return path.scope.getBinding(req.name)?.identifier === req ? req.name : undefined;
  }
  return undefined;
}
