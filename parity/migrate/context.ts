/** What the rules of `nozomi migrate` share while they go through one file. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import type { Edits } from './edits';
import type { Kinds } from './kinds';
import type { Frameworks } from './path/convert';

/** What only the given files together say. */
export interface Facts {
  /** Whether some handler reads parameters by number, or all of them. */
  readonly readsNumbers: boolean;
  readonly readsQuery: boolean;
  /** Whether some handler writes to `req.query`. */
  readonly writesQuery: boolean;
  readonly readsBody: boolean;
  /** Whether an application is made, and not only routers. */
  readonly makesApplication: boolean;
  /** Whether the setting `query parser` is set. */
  readonly setsQueryParser: boolean;
  /** Whether `strict routing` or `strict` of a router is set somewhere; the same for letter case. */
  readonly setsStrict: boolean;
  readonly setsSensitive: boolean;
}

/** A path that a route or `use` is given, and what became of it. */
export interface FoundPath {
  readonly line: number;
  /** The path, or why it was refused. */
  readonly text: string;
  readonly result: 'same' | 'converted' | 'refused';
}

/** One line of what was found in a file. */
export interface Finding {
  readonly line: number;
  readonly text: string;
}

export interface Context {
  /** The file as it was. */
  readonly source: string;
  readonly edits: Edits;
  readonly kinds: Kinds;
  readonly facts: Facts;
  readonly frameworks: Frameworks;
  /** Tell what was changed. */
  change(node: t.Node, text: string): void;
  /** Leave a comment above the statement: it has to be decided by a person. */
  refuse(path: NodePath, text: string): void;
  /** Count a path. */
  path(node: t.Node, text: string, result: FoundPath['result']): void;
  /** Tell what could not be checked, without a comment. */
  note(node: t.Node, text: string): void;
}

export type Located<T extends t.Node> = T & { start: number; end: number };

/** Nodes of a parsed text have positions. */
export function located<T extends t.Node>(node: T): Located<T> {
  return node as Located<T>;
}

export function textAt({ edits }: Context, node: t.Node): string {
  const { start, end } = located(node);
  return edits.text(start, end);
}

/** The nearest function around that is a handler, with the name of its request where it still means that. */
export function requestNear(path: NodePath, { kinds }: Context): string | undefined {
  for (let fn = path.getFunctionParent(); fn; fn = fn.getFunctionParent()) {
    const { req } = kinds.rolesOf(fn);
    if (req) return path.scope.getBinding(req.name)?.identifier === req ? req.name : undefined;
  }
  return undefined;
}
