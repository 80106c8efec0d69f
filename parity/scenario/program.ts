/**
 * Runs the application of a clause of Express 4 (spec/express4.json) with a framework. The source of each application
 * uses these names:
 *
 *     express, app the framework, and a new application of it
 *     hit('GET /x', headers, body) a request to `app`, and its response: `{ status, type, headers, body }`
 *     match('/:id', '/1', '/2') `req.params` of a route for each target; false where it does not match
 *     mount('/:id', '/1/x') what middleware at a path sees of each target
 *     inside('/x', (req, res) => …) what a middleware returned for a request to `app`
 *     warned, logged, rejections deprecations, calls of `console.error`, unhandled rejections
 *     dir a folder of files: fixtures/express4
 */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import http from 'node:http';
import path, { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import vm from 'node:vm';
import { ROOT } from '../implementations/implementations';

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

/** Sends a request to an application. */
export type Send = (app: App, request: Sent) => Promise<Hit | string>;

/** Values that an application of a clause collects while it runs. */
export interface Collected {
  readonly warned: string[];
  readonly logged: string[];
  readonly rejections: unknown[];
}

/** After how many milliseconds `hit` gives up, and the text that it then returns. */
export const HIT_PATIENCE = 300;
export const NO_ANSWER = 'no answer';

const DIR: string = join(ROOT, 'fixtures', 'express4');

/** @returns The result of the application, or the error that it threw, as text. */
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
      ...{ express, app, http, path, sleep, dir: DIR },
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
  return inspect(value, {
    compact: true,
    depth: 10,
    breakLength: Number.POSITIVE_INFINITY,
    maxStringLength: 2000,
    maxArrayLength: 200,
  })
    .replaceAll(DIR, '<dir>')
    .replaceAll(process.cwd(), '<cwd>')
    .replace(/'Nozomi'/g, "'Express'")
    .replace(/(date|'last-modified'): '[^']*'/g, "$1: '<date>'");
}
