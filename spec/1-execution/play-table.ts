/** Builds a routing table with a router, runs requests through it, and records what an application can observe. */
import assert from 'node:assert';
import type { Router, RouterOptions } from 'express';
import { toPath } from '../../parity/programs/program';
import type { Action, Asked, Entry, Table, TableHandler } from './random-tables';

/** What handlers and parameter callbacks recorded, in order, then the outcome of the request, as plain data. */
export type Seen = unknown[];

type MakesRouters = (options?: RouterOptions) => object;

/** A request with the properties that a router uses. Handlers add to `seen`, and call `answered` to end the request. */
interface LightRequest {
  method: string;
  url: string;
  seen: Seen;
  answered: () => void;
  baseUrl?: string;
  originalUrl?: string;
  params?: object;
  route?: { path: unknown };
  next?: unknown;
}

/**
 * Builds a table with the router of Express and with another one, and checks that both handle the
 * requests alike. @returns What the handlers recorded, for each request; nothing if both refuse the table.
 */
export async function expectSameRoad(
  express: MakesRouters,
  other: MakesRouters,
  table: Table,
  requests: readonly Asked[],
): Promise<Seen[]> {
  const [reference, ours] = [new TableRouter(express, table), new TableRouter(other, table)];
  assert.deepStrictEqual(ours.registration, reference.registration);
  if (reference.registration !== undefined) return [];

  const expected = await Promise.all(requests.map((one) => reference.ask(one)));
  const seen = await Promise.all(requests.map((one) => ours.ask(one)));
  assert.deepStrictEqual(seen, expected);
  return seen;
}

class TableRouter {
  readonly #router: Router | undefined;
  /** The text of the error that the registration threw; undefined if it threw none. */
  readonly registration: string | undefined;

  constructor(make: MakesRouters, table: Table) {
    try {
      this.#router = build(make, table, '');
    } catch (err) {
      this.registration = String(err);
    }
  }

  /** Runs one request through the router. @returns What the handlers recorded, then the outcome. */
  ask({ method, url }: Asked): Promise<Seen> {
    return new Promise((resolve) => {
      const seen: Seen = [];
      const finish = (...how: unknown[]): void => {
        seen.push([...how, stateOf(req)]);
        resolve(seen);
      };
      const req: LightRequest = { method, url, seen, answered: () => finish('answered') };
      const headers: unknown[] = [];
      const set = (...header: unknown[]): unknown => headers.push(header);
      const end = (body: unknown): void => finish('options', headers, body);
      // Express 4 calls `set` and `send`.
      const res = { set, setHeader: set, send: end, end };
      const router = this.#router as unknown as (
        req: unknown,
        res: unknown,
        done: (err: unknown) => void,
      ) => void;
      try {
        router(req, res, (err) => finish('done', tellError(err)));
      } catch (err) {
        finish('thrown', tellError(err));
      }
    });
  }
}

function build(make: MakesRouters, { options, entries }: Table, label: string): Router {
  const router = make(options) as Router;
  for (const [index, entry] of entries.entries()) register(make, router, entry, `${label}/${index}`);
  return router;
}

function register(make: MakesRouters, router: Router, entry: Entry, label: string): void {
  switch (entry.kind) {
    case 'param':
      router.param(entry.name, ((req: LightRequest, _res: unknown, next: () => void, ...given: unknown[]) => {
        req.seen.push([label, ...given, stateOf(req)]);
        return act(entry.action, req, next);
      }) as never);
      return;
    case 'router': {
      const mounted = build(make, entry.table, label);
      if (entry.path === undefined) router.use(mounted);
      else router.use(toPath(entry.path) as string, mounted);
      return;
    }
    case 'use': {
      const handlers = entry.handlers.map((handler, index) => handlerOf(handler, `${label}.${index}`));
      if (entry.path === undefined) router.use(...handlers);
      else router.use(toPath(entry.path) as string, ...handlers);
      return;
    }
    case 'route': {
      const handlers = entry.handlers.map((handler, index) => handlerOf(handler, `${label}.${index}`));
      router[entry.method as 'get'](toPath(entry.path) as string, ...handlers);
    }
  }
}

function handlerOf({ takesError, action }: TableHandler, label: string): never {
  const handler = (req: LightRequest, _res: unknown, next: (err?: unknown) => void): unknown => {
    req.seen.push([label, stateOf(req)]);
    return act(action, req, next);
  };
  const errorHandler = (
    err: unknown,
    req: LightRequest,
    _res: unknown,
    next: (err?: unknown) => void,
  ): unknown => {
    req.seen.push([label, tellError(err), stateOf(req)]);
    // An error handler that calls `next` recovers if its label has an even length, and otherwise passes the error on.
    return act(action, req, action.does === 'next' && label.length % 2 ? () => next(err) : next);
  };
  return (takesError ? errorHandler : handler) as unknown as never;
}

function act(action: Action, req: LightRequest, next: (err?: unknown) => void): unknown {
  switch (action.does) {
    case 'next':
      return next();
    case 'nextLater':
      setImmediate(next);
      return;
    case 'answer':
      return req.answered();
    case 'leaveRoute':
      return next('route');
    case 'leaveRouter':
      return next('router');
    case 'fail':
      return next(new Error('failed'));
    case 'throw':
      throw new Error('thrown');
    case 'throwNothing':
      throw undefined;
    case 'throwSignal':
      throw 'route';
    case 'reject':
      return Promise.reject(new Error('rejected'));
    case 'rejectNothing':
      return Promise.reject();
    case 'rewrite':
      req.url = action.url;
      return next();
    case 'changeParams':
      for (const key of Object.keys(req.params ?? {}))
        Object.assign(req.params as object, { [key]: 'changed' });
      return next();
  }
}

/** @returns The properties that a router sets on a request. */
function stateOf({ url, baseUrl, originalUrl, params, route, next }: LightRequest): unknown {
  return [
    url,
    baseUrl,
    originalUrl,
    params && [Object.getPrototypeOf(params) === null, Object.entries(params)],
    route && [String(route.path), Object.keys(route)],
    typeof next,
  ];
}

function tellError(err: unknown): unknown {
  if (!(err instanceof Error)) return err;
  const { name, message, status, statusCode } = err as Error & { status?: number; statusCode?: number };
  return [name, message, status, statusCode];
}
