/**
 * Generates random routing tables: the layers of a router, with up to three levels of nested routers, and the action
 * of each handler (§1).
 */
import express4 from 'express4';
import fc from 'fast-check';
import type { PathSpec } from '../../parity/programs/program';
import { expression4, path, path4, target } from '../support/arbitraries/paths';

/** What a handler does after it has recorded its arguments. */
export type Action =
  | { does: 'next' | 'nextLater' | 'answer' | 'leaveRoute' | 'leaveRouter' }
  | { does: 'fail' | 'throw' | 'reject' | 'throwNothing' | 'rejectNothing' | 'throwSignal' }
  | { does: 'rewrite'; url: string }
  | { does: 'changeParams' };

export interface TableHandler {
  takesError: boolean;
  action: Action;
}

export type Entry =
  | { kind: 'use'; path: PathSpec | undefined; handlers: TableHandler[] }
  | { kind: 'route'; method: string; path: PathSpec; handlers: TableHandler[] }
  | { kind: 'router'; path: PathSpec | undefined; table: Table }
  | { kind: 'param'; name: string; action: Action };

export interface Table {
  options: { caseSensitive?: boolean; strict?: boolean; mergeParams?: boolean };
  entries: Entry[];
}

export interface Asked {
  method: string;
  url: string;
}

/** What handlers of a routing table may do instead of calling `next()` at once, besides responding and rewriting. */
// biome-ignore format: a table
const DEEDS = [
  'nextLater', 'leaveRoute', 'leaveRouter', 'fail', 'throw', 'reject', 'throwNothing', 'rejectNothing',
  'throwSignal', 'changeParams',
] as const;

const actionOf = (deeds: ReadonlyArray<(typeof DEEDS)[number]>): fc.Arbitrary<Action> =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constant({ does: 'next' as const }) },
    { weight: 2, arbitrary: fc.constant({ does: 'answer' as const }) },
    { weight: 5, arbitrary: fc.constantFrom(...deeds).map((does) => ({ does })) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('/a', '/b/ab', '', 'a', '/?x', '/a/b?q', '/%zz')
        .map((url) => ({ does: 'rewrite' as const, url })),
    },
  );

/** Generates routing tables with these paths and actions. */
function tableOf(path: fc.Arbitrary<PathSpec>, action: fc.Arbitrary<Action>): fc.Arbitrary<Table> {
  const handlers = fc.array(
    fc.record({
      takesError: fc.oneof(fc.constant(false), fc.constant(false), fc.constant(false), fc.boolean()),
      action,
    }),
    { minLength: 1, maxLength: 3 },
  );
  const mountPath = fc.option(path, { nil: undefined, freq: 2 });
  return fc.letrec<{ table: Table; entry: Entry }>((tie) => ({
    entry: fc.oneof(
      { maxDepth: 3, withCrossShrink: true, depthIdentifier: 'routing table' },
      {
        weight: 8,
        arbitrary: fc.record({
          kind: fc.constant('route' as const),
          method: fc.constantFrom('get', 'get', 'get', 'all', 'post', 'head', 'options', 'm-search'),
          path,
          handlers,
        }),
      },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('use' as const), path: mountPath, handlers }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('param' as const),
          name: fc.constantFrom('a', 'b', 'id', 'x y', 'Ä'),
          action,
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('router' as const), path: mountPath, table: tie('table') }),
      },
    ),
    table: fc.record({
      options: fc.record(
        { caseSensitive: fc.boolean(), strict: fc.boolean(), mergeParams: fc.boolean() },
        { requiredKeys: [] },
      ),
      entries: fc.array(tie('entry'), { minLength: 2, maxLength: 12, size: 'max' }),
    }),
  })).table;
}

export const table: fc.Arbitrary<Table> = tableOf(path, actionOf(DEEDS));

/** Routing tables for Express 4, which handles no rejected promises. */
export const table4: fc.Arbitrary<Table> = tableOf(
  fc.oneof(
    { weight: 8, arbitrary: path4.filter(isPath4) },
    { weight: 1, arbitrary: fc.array(path4.filter(isPath4), { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: expression4 },
  ),
  actionOf(DEEDS.filter((does) => !does.startsWith('reject'))),
);

/** Whether a path is valid: Express 4 throws for some, because they give an invalid regular expression. */
function isPath4(text: string): boolean {
  try {
    express4.Router().get(text);
    return true;
  } catch {
    return false;
  }
}

export const asked: fc.Arbitrary<Asked> = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'M-SEARCH'),
  url: target,
});
