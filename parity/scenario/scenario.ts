/**
 * A scenario: an application, and the requests that are played to it with every implementation.
 *
 *     export default [
 *       scenario({
 *         name: 'answers 304 to a validator that still holds',
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
 * `build` receives its implementation and must not depend on which one it is: it imports no framework or logger (other
 * packages, such as cookie-parser, are imported as usual). It returns an app, a request listener or a server, or a
 * promise of one. Parity compares every line it writes to `log`, standard output and standard error, and every byte of
 * every response.
 *
 * Scenarios share a process. One that changes shared state (a token, a prototype of the framework, a global) sets
 * `alone: true`; one that needs environment variables names them in `env`.
 */
import type { RequestListener, Server } from 'node:http';
import type { Writable } from 'node:stream';
import type express3 from 'nozomi/3';
import type express4 from 'nozomi/4';
import type framework from 'nozomi/5';
import type logger from 'nozomi/logger';
import type { Step } from '../client/request';

/** Members that every kit has. */
export type Express3 = typeof express3;
export type Express4 = typeof express4;
export type Framework = (() => framework.Express) & {
  Router(options?: framework.RouterOptions): framework.Router;
} & Omit<typeof framework, 'Route' | 'Router' | 'logger' | 'framework' | 'default'>;
export type Logger = typeof logger;

/** The argument of `build`. */
export interface Kit<Made = Framework> {
  readonly framework: Made;
  readonly logger: Logger;
  /** The stream for the logger of a scenario. Every line is compared. */
  readonly log: Writable;
  /**
   * The absolute path of `fixtures/files`, which has the same bytes and modification times with every implementation.
   */
  readonly files: string;
  /**
   * The absolute path of an empty folder for files that the scenario creates. It is removed when the implementation
   * ends.
   */
  readonly folder: string;
}

/** The kit with the framework of Express 5 or Express 3. */
export type AnyKit = Kit<Framework & Express3>;

/** The version of Express for a scenario of another one than 5.x. */
export type Series = '3.x' | '4.x';

export type Built = RequestListener | Server;

export interface ScenarioDefinition<Given = Kit> {
  /** A sentence that states the behaviour; unique in its file. */
  readonly name: string;
  /** Ids of `spec/clauses.json` or `spec/express4.json`. Other projects may have their own ids. */
  readonly clauses?: readonly string[];
  build(kit: Given): Built | Promise<Built>;
  readonly requests: readonly Step[];
  /** Environment variables in addition to the default ones; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the scenario runs in a process of its own. */
  readonly alone?: boolean;
  /** How many milliseconds the client waits for a response; default 8000. */
  readonly patience?: number;
}

export type Scenario = Readonly<ScenarioDefinition & Required<Pick<ScenarioDefinition, 'clauses'>>> & {
  readonly kind: 'scenario';
  readonly series?: Series;
  build(kit: AnyKit): Built | Promise<Built>;
};

const CLAUSE = /^([FL]-\d+(\.\d+)?-|E4-[A-J])\d+$/;
const MEMBERS = new Set(['name', 'clauses', 'build', 'requests', 'env', 'alone', 'patience']);

/** @throws TypeError with the scenario, the expected and the given value. */
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

/** Creates a scenario of §9.3: its kit has the 3.x framework and the logger of this package. */
export function express3Scenario({ build, ...definition }: ScenarioDefinition<Kit<Express3>>): Scenario {
  return { ...scenario({ ...definition, build: (kit: Kit) => build(kit as never) }), series: '3.x' };
}

/** Creates a scenario of spec/express4.json: its kit has the 4.x framework and the logger of this package. */
export function express4Scenario({ build, ...definition }: ScenarioDefinition<Kit<Express4>>): Scenario {
  return { ...scenario({ ...definition, build: (kit: Kit) => build(kit as never) }), series: '4.x' };
}

function isStep(step: unknown): step is Step {
  if (typeof step === 'function') return true;
  const { kind, asked } = (step ?? {}) as { kind?: unknown; asked?: unknown };
  return kind === 'request' || (kind === 'connection' && Array.isArray(asked) && asked.length > 0);
}

function fail(name: unknown, wanted: string, came: unknown): never {
  throw new TypeError(
    `scenario(${JSON.stringify(name)}): ${wanted}, got ${JSON.stringify(came) ?? String(came)}`,
  );
}
