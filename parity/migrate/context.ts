/** The state that the rules of `nozomi migrate` share for one file. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import type { Edits } from './edits';
import type { Kinds } from './kinds';
import type { Frameworks } from './path/convert';

/** Facts that follow from all given files together. */
export interface Facts {
  /** Whether a handler reads parameters by number, or all of them. */
  readonly readsNumbers: boolean;
  readonly readsQuery: boolean;
  /** Whether a handler writes to `req.query`. */
  readonly writesQuery: boolean;
  readonly readsBody: boolean;
  /** Whether an application is created, and not only routers. */
  readonly makesApplication: boolean;
  /** Whether the application sets `query parser`. */
  readonly setsQueryParser: boolean;
  /**
   * Whether the application sets `strict routing`, or `strict` of a router; the next member is the same for letter
   * case.
   */
  readonly setsStrict: boolean;
  readonly setsSensitive: boolean;
}

/** A path of a route or of `use`, and the result of its conversion. */
export interface FoundPath {
  readonly line: number;
  /** The new path, or the reason why there is none. */
  readonly text: string;
  readonly result: 'same' | 'converted' | 'refused';
}

/** One line of the report. */
export interface Finding {
  readonly line: number;
  readonly text: string;
}

export interface Context {
  /** The original source of the file. */
  readonly source: string;
  readonly edits: Edits;
  readonly kinds: Kinds;
  readonly facts: Facts;
  readonly frameworks: Frameworks;
  /** Reports a change. */
  change(node: t.Node, text: string): void;
  /** Adds a comment above the statement, which a developer has to decide. */
  refuse(path: NodePath, text: string): void;
  /** Counts a path. */
  path(node: t.Node, text: string, result: FoundPath['result']): void;
  /** Reports a place that could not be checked, without a comment. */
  note(node: t.Node, text: string): void;
}

export type Located<T extends t.Node> = T & { start: number; end: number };

/** A node with its position: nodes of a parsed text have one. */
export function located<T extends t.Node>(node: T): Located<T> {
  return node as Located<T>;
}

export function textAt({ edits }: Context, node: t.Node): string {
  const { start, end } = located(node);
  return edits.text(start, end);
}

/** The name of the request in the nearest enclosing handler; undefined if the name has another meaning here. */
export function requestNear(path: NodePath, { kinds }: Context): string | undefined {
  for (let fn = path.getFunctionParent(); fn; fn = fn.getFunctionParent()) {
    const { req } = kinds.rolesOf(fn);
    if (req) return path.scope.getBinding(req.name)?.identifier === req ? req.name : undefined;
  }
  return undefined;
}
