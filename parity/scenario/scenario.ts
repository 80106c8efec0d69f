/**
 * A scenario: an application, and the requests that are played to it in every implementation.
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
 *         requests: [get('/'), (seen) => get('/', { 'If-None-Match': seen[0]!.field('ETag')! })],
 *       }),
 *     ];
 *
 * `build` is handed its implementation and never asks which one it is: it must not import a framework or a logger
 * (other packages, cookie-parser say, are imported as usual).
 * It returns an app, a request listener or a server, or a promise of one. What it writes to `log`, to
 * standard output and to standard error is compared line by line, as is every byte of every answer.
 *
 * Scenarios of one file share a process with the others. One that changes what is shared (a token, a
 * prototype of the framework, a global) says `alone: true`; one that needs environment variables names
 * them in `env`.
 */
import type { RequestListener, Server } from 'node:http';
import type { Writable } from 'node:stream';
import type express3 from 'nozomi/3';
import type framework from 'nozomi/5';
import type logger from 'nozomi/logger';
import type { Step } from '../client/request';

/** What both implementations have. */
export type Express3 = typeof express3;
export type Framework = (() => framework.Express) & {
  Router(options?: framework.RouterOptions): framework.Router;
} & Omit<typeof framework, 'Route' | 'Router' | 'logger' | 'framework' | 'default'>;
export type Logger = typeof logger;

/** What an implementation hands to `build`. */
export interface Kit<Made = Framework> {
  readonly framework: Made;
  readonly logger: Logger;
  /** Where a scenario's logger writes; every line is compared. */
  readonly log: Writable;
  /** Absolute path of `fixtures/files`: the same bytes and times of modification in every implementation. */
  readonly files: string;
  /** Absolute path of an empty folder of the scenario's own, for files it makes; gone when its implementation ends. */
  readonly folder: string;
}

/** As an implementation of either series hands it out. */
export type AnyKit = Kit<Framework & Express3>;

/** Of a scenario for another series than 5.x. */
export type Series = '3.x' | '4.x';

export type Built = RequestListener | Server;

export interface ScenarioDefinition<Given = Kit> {
  /** A sentence that says what is seen; unique in its file. */
  readonly name: string;
  /** Ids of `spec/clauses.json` or `spec/express4.json`; a scenario of your own need not know them. */
  readonly clauses?: readonly string[];
  build(kit: Given): Built | Promise<Built>;
  readonly requests: readonly Step[];
  /** Variables the process starts with, over the default ones; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A process of its own. */
  readonly alone?: boolean;
  /** Milliseconds until the client gives up waiting for an answer; default 8000. */
  readonly patience?: number;
}

export type Scenario = Readonly<ScenarioDefinition & Required<Pick<ScenarioDefinition, 'clauses'>>> & {
  readonly kind: 'scenario';
  readonly series?: Series;
  build(kit: AnyKit): Built | Promise<Built>;
};

const CLAUSE = /^([FL]-\d+(\.\d+)?-|E4-[A-J])\d+$/;
const MEMBERS = new Set(['name', 'clauses', 'build', 'requests', 'env', 'alone', 'patience']);

/** @throws TypeError who, what was wanted, what came. */
export function scenario(definition: ScenarioDefinition): Scenario {
  const { name, clauses = [], build, requests } = definition;
  if (typeof name !== 'string' || !name.trim()) fail('?', 'name must be a sentence', name);
  if (!Array.isArray(clauses)) fail(name, 'clauses must be a list', clauses);
  for (const id of clauses) if (!CLAUSE.test(id)) fail(name, 'a clause looks like "F-4.5-12"', id);
  if (new Set(clauses).size < clauses.length) fail(name, 'each clause is named once', clauses);
  if (typeof build !== 'function') fail(name, 'build must be a function', build);
  if (!Array.isArray(requests) || requests.length === 0)
    fail(name, 'requests must hold at least one', requests);
  for (const step of requests) {
    if (!isStep(step)) fail(name, 'a request is made by get(), post(), raw() … or is a function', step);
  }
  for (const member of Object.keys(definition)) {
    if (!MEMBERS.has(member)) fail(name, `known members are ${[...MEMBERS].join(', ')}`, member);
  }
  return { ...definition, clauses, kind: 'scenario' };
}

/** A scenario of §9.3: what it is handed has the 3.x interface, the logger is that of this series. */
export function express3Scenario({ build, ...definition }: ScenarioDefinition<Kit<Express3>>): Scenario {
  return { ...scenario({ ...definition, build: (kit: Kit) => build(kit as never) }), series: '3.x' };
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
