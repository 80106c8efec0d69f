/**
 * Runs the applications of spec/express4.json. Each application tests a clause about Express 4. Their source uses these
 * names:
 *
 * - `express`, `app`: the framework, and a new application
 * - `http`, `path`, `sleep`: `node:http`, `node:path` and a timer in milliseconds
 * - `hit('GET /x', headers, body)`: sends a request to `app` and returns `{ status, type, headers, body }`
 * - `match('/:id', '/1', '/2')`: `req.params` of a GET route for each target; false if the route does not match
 * - `mount('/:id', '/1/x')`: `baseUrl`, `url` and `params` in middleware on a path for each target; false if it does
 *   not match
 * - `inside('/x', (req, res) => …)`: what middleware of `app` returns or throws for a request
 * - `warned`, `logged`, `rejections`: lists of deprecations, calls of `console.error` and unhandled rejections
 * - `dir`: the folder fixtures/express4
 */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import http from 'node:http';
import path, { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import vm from 'node:vm';
import { ROOT } from '../implementations/project';

export interface Clause {
  readonly id: string;
  readonly program: string;
}

export type App = http.RequestListener & Record<string, (...args: unknown[]) => unknown>;
export type Express = ((...args: unknown[]) => App) & Record<string, unknown>;

export interface Hit {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** Sends a request to an application and returns the response, or `NO_ANSWER`. */
export type Send = (app: App, request: Sent) => Promise<Hit | string>;

/** Lists that are filled while an application runs: deprecations, calls of `console.error`, unhandled rejections. */
export interface Collected {
  readonly warned: string[];
  readonly logged: string[];
  readonly rejections: unknown[];
}

/** Milliseconds that `hit` waits for a response, in applications that may send none. */
export const HIT_PATIENCE = 300;
/** The result of `hit` if no response comes in time. */
export const NO_ANSWER = 'no answer';

const DIR: string = join(ROOT, 'fixtures', 'express4');

/**
 * Runs the application of a clause.
 *
 * @returns The value that the source returned, or its last expression, as text. If it threw, the text is `throws` and
 *   the first line of the error.
 */
export async function runProgram(
  { id, program }: Clause,
  express: Express,
  send: Send,
  collected: Collected,
): Promise<string> {
  const body = /\breturn\b/.test(program)
    ? program
    : `${program.replace(/;$/, '').replace(/(.*; |^)/s, '$1return ')}`;
  try {
    const app = express();
    const names: Record<string, unknown> = {
      express,
      app,
      http,
      path,
      sleep,
      dir: DIR,
      ...collected,
      ...toolsFor(express, app, send),
    };
    const source = `(async (${Object.keys(names)}) => {\n${body}\n})`;
    const run = vm.runInThisContext(source, { filename: `${id}.js` });
    return show(await run(...Object.values(names)));
  } catch (error) {
    return `throws ${nameOf(error).split('\n')[0]}`;
  }
}

type Req = IncomingMessage & Record<string, unknown>;

function toolsFor(express: Express, app: App, send: Send): Record<string, unknown> {
  const ask = (to: App, line: string, headers: OutgoingHttpHeaders = {}, body?: string | Buffer) => {
    const [method, target] = line.includes(' ') ? (line.split(' ') as [string, string]) : ['GET', line];
    return send(to, { method, target, headers, ...(body !== undefined && { body }) });
  };
  const hit = (line: string, headers?: OutgoingHttpHeaders, body?: string | Buffer) =>
    ask(app, line, headers, body);
  const match = (route: unknown, ...targets: string[]) =>
    all(targets, async (target) => {
      const one = express();
      let params: unknown = false;
      one.get?.(route, (req: Req, res: ServerResponse) => {
        params = req.params;
        res.end();
      });
      await ask(one, target);
      return params;
    });
  const mount = (route: unknown, ...targets: string[]) =>
    all(targets, async (target) => {
      const one = express();
      let seen: unknown = false;
      one.use?.(route, ({ baseUrl, url, params }: Req, res: ServerResponse) => {
        seen = { baseUrl, url, params };
        res.end();
      });
      await ask(one, target);
      return seen;
    });
  const inside = async (
    target: string,
    use: (req: Req, res: ServerResponse, next: unknown) => unknown,
    headers?: OutgoingHttpHeaders,
  ) => {
    let result: unknown;
    app.use?.((req: Req, res: ServerResponse, next: unknown) => {
      try {
        result = use(req, res, next);
      } catch (error) {
        result = nameOf(error);
      }
      if (!res.writableEnded) res.end();
    });
    await ask(app, target, headers);
    return result;
  };
  return { hit, match, mount, inside };
}

async function all<T>(targets: string[], ask: (target: string) => Promise<T>): Promise<T | T[]> {
  const results: T[] = [];
  for (const target of targets) results.push(await ask(target));
  return results.length === 1 ? (results[0] as T) : results;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

function show(value: unknown): string {
  return (
    inspect(value, {
      compact: true,
      depth: 10,
      breakLength: Number.POSITIVE_INFINITY,
      maxStringLength: 2000,
      maxArrayLength: 200,
    })
      // Only some versions of Node.js add it to errors of `JSON.parse`.
      .replace(/ \(line \d+ column \d+\)/g, '')
      .replaceAll(DIR, '<dir>')
      .replaceAll(process.cwd(), '<cwd>')
      .replace(/'Nozomi'/g, "'Express'")
      .replace(/(date|'last-modified'): '[^']*'/g, "$1: '<date>'")
  );
}
