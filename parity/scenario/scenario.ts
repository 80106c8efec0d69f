/**
 * A scenario is an application and a list of requests. Parity builds the application with two implementations, sends
 * the requests to both, and compares the responses.
 *
 *     export default [
 *       scenario({
 *         name: 'responds 304 if the ETag still matches',
 *         clauses: ['F-4.5-75'],
 *         build({ framework }) {
 *           const app = framework();
 *           app.get('/', (_req, res) => res.send('hello'));
 *           return app;
 *         },
 *         requests: [get('/'), (seen) => get('/', { 'If-None-Match': seen[0]!.header('ETag')! })],
 *       }),
 *     ];
 *
 * `build` receives the framework and the logger in its kit, and must not import them. Other packages, such as
 * cookie-parser, are imported as usual. `build` returns an application, a request listener or a server, or a promise of
 * one. Parity compares the responses and every line on `log`, standard output and standard error, after it has replaced
 * values that always differ, such as the clock.
 *
 * A request can say what a person expects of its response, `get('/').expect({ status: 200, body: 'hello' })`, and the
 * scenario what it expects of the rest: `expect: ({ log }) => …`. The specs check both (spec/scenarios.spec.ts).
 *
 * Scenarios share a process. A scenario that changes shared state, such as a token of the logger, a prototype of the
 * framework or a global, must set `alone: true`. Environment variables go in `env`.
 */
import type { RequestListener, Server } from 'node:http';
import type { Writable } from 'node:stream';
import type express3 from 'nozomi/3';
import type express4 from 'nozomi/4';

import type * as framework from 'nozomi/5';

import type { Step } from '../client/request';
import type { Observation, Series } from '../implementations/protocol';

export type Express3 = typeof express3;
export type Express4 = typeof express4;
export type Framework = (() => framework.Express) & {
  Router(options?: framework.RouterOptions): framework.Router;
} & Omit<typeof framework, 'Route' | 'Router' | 'logger' | 'framework' | 'default'>;
export type Logger = framework.Framework['logger'];

/** The argument of `build`. */
export interface Kit<Made = Framework> {
  readonly framework: Made;
  readonly logger: Logger;
  /** The stream for the logger of a scenario. Every line is compared. */
  readonly log: Writable;
  /** The absolute path of `fixtures/files`. Its files have the same modification times with every implementation. */
  readonly files: string;
  /** The absolute path of an empty folder for files that the scenario creates. It is removed after the run. */
  readonly folder: string;
}

/** A kit with the types of Express 5 and of Express 3, for code that runs scenarios of both. */
export type AnyKit = Kit<Framework & Express3>;

export type Built = RequestListener | Server;

export interface ScenarioDefinition<Given = Kit> {
  /** A sentence that states the behaviour; unique in its file. */
  readonly name: string;
  /** Ids of clauses in `spec/clauses.json` or `spec/express4.json`: `F-4.5-75`, `E4-B12`. */
  readonly clauses?: readonly string[];
  build(kit: Given): Built | Promise<Built>;
  readonly requests: readonly Step[];
  /** Checks what no single response shows, such as log lines or deprecations. It throws if it finds a fault. */
  expect?(seen: Observation): void;
  /** Environment variables in addition to the default ones; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the scenario runs in a process of its own. */
  readonly alone?: boolean;
  /** How many milliseconds the client waits for a response; default 20000. */
  readonly patience?: number;
}

export type Scenario = Readonly<ScenarioDefinition & Required<Pick<ScenarioDefinition, 'clauses'>>> & {
  readonly kind: 'scenario';
  readonly series?: Series;
  build(kit: AnyKit): Built | Promise<Built>;
};

const CLAUSE = /^([FL]-\d+(\.\d+)?-|E4-[A-J])\d+$/;
const MEMBERS = new Set(['name', 'clauses', 'build', 'requests', 'expect', 'env', 'alone', 'patience']);

/**
 * Checks a definition and returns it as a scenario.
 *
 * @throws TypeError if a member is missing, unknown or has a wrong value.
 */
export function scenario(definition: ScenarioDefinition): Scenario {
  const { name, clauses = [], build, requests } = definition;
  if (typeof name !== 'string' || !name.trim()) fail('?', 'name must be a sentence', name);
  if (!Array.isArray(clauses)) fail(name, 'clauses must be a list', clauses);
  for (const id of clauses) if (!CLAUSE.test(id)) fail(name, 'a clause looks like "F-4.5-12"', id);
  if (new Set(clauses).size < clauses.length) fail(name, 'each clause must be named once only', clauses);
  if (typeof build !== 'function') fail(name, 'build must be a function', build);
  if (!Array.isArray(requests) || requests.length === 0)
    fail(name, 'requests must have at least one', requests);
  for (const step of requests) {
    if (!isStep(step)) fail(name, 'a request must be a result of get(), post(), raw() … or a function', step);
  }
  for (const member of Object.keys(definition)) {
    if (!MEMBERS.has(member)) fail(name, `the known members are ${[...MEMBERS].join(', ')}`, member);
  }
  return { ...definition, clauses, kind: 'scenario' };
}

/** Creates a scenario for Express 3 (§9.3). Its kit has Express 3 and morgan, or those of this package. */
export function express3Scenario({ build, ...definition }: ScenarioDefinition<Kit<Express3>>): Scenario {
  return { ...scenario({ ...definition, build: (kit: Kit) => build(kit as never) }), series: '3.x' };
}

/** Creates a scenario for Express 4. Its kit has Express 4 and morgan, or those of this package. */
export function express4Scenario({ build, ...definition }: ScenarioDefinition<Kit<Express4>>): Scenario {
  return { ...scenario({ ...definition, build: (kit: Kit) => build(kit as never) }), series: '4.x' };
}

function isStep(step: unknown): step is Step {
  if (typeof step === 'function') return true;
  const { kind, requests } = (step ?? {}) as { kind?: unknown; requests?: unknown };
  return kind === 'request' || (kind === 'connection' && Array.isArray(requests) && requests.length > 0);
}

function fail(name: unknown, expected: string, actual: unknown): never {
  throw new TypeError(
    `scenario(${JSON.stringify(name)}): ${expected}, got ${JSON.stringify(actual) ?? String(actual)}`,
  );
}
