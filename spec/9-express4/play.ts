/**
 * Runs the programs of spec/express4.json with the implementation named by the first argument, and sends what each
 * returned to the parent process, as text. A process of its own: some programs leave rejections that nobody handles.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import vm from 'node:vm';
import { clauses } from '../express4.json';

type Express = ((...args: unknown[]) => App) & Record<string, unknown>;
type App = http.RequestListener & Record<string, (...args: unknown[]) => unknown>;
type Req = http.IncomingMessage & Record<string, unknown>;
type Res = http.ServerResponse;

interface Hit {
  status: number | undefined;
  type: string | undefined;
  headers: http.IncomingHttpHeaders;
  body: string;
}

/** Milliseconds after which a request counts as not answered. */
const PATIENCE = 300;

const FILES: Record<string, string> = {
  'a.txt': 'text',
  'a.html': '<p>page',
  'a.js': '1',
  'a.mjs': '1',
  'a.json': '{}',
  'a.svg': '<svg/>',
  'a.xml': '<a/>',
  'a b.txt': 'space',
  noext: 'none',
  '.hidden': 'hidden',
  '.dir/a.txt': 'in a hidden folder',
  'dir/index.html': '<p>index',
  'user.tmpl': 'view',
};

const express = require(process.argv[2] as string) as Express;
const dir = mkdtempSync(path.join(tmpdir(), 'express4-'));
process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
for (const [name, text] of Object.entries(FILES)) {
  mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
  writeFileSync(path.join(dir, name), text);
}

let warned: string[] = [];
let logged: string[] = [];
let rejections: unknown[] = [];
process.on('deprecation' as never, (error: Error & { namespace: string }) => {
  warned.push(`${error.namespace}: ${error.message}`);
});
process.on('unhandledRejection', (reason) => rejections.push((reason as Error).message));
console.error = (...args: unknown[]) => logged.push(args.map((arg) => inspect(arg)).join(' '));

function send(
  app: App,
  line: string,
  headers: http.OutgoingHttpHeaders = {},
  body?: string,
): Promise<Hit | string> {
  const [method, target] = line.includes(' ') ? (line.split(' ') as [string, string]) : ['GET', line];
  return new Promise((resolve) => {
    const server = http.createServer(app).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const options = {
        ...{ port, host: '127.0.0.1', method, path: target },
        headers: { connection: 'close', ...headers },
        setHost: !('host' in headers),
      };
      const req = http.request(options, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk) => chunks.push(chunk));
        res.on('end', () => {
          server.close();
          const { statusCode: status, headers: received } = res;
          const body = Buffer.concat(chunks).toString();
          resolve({ status, type: received['content-type'], headers: received, body });
        });
      });
      req.on('error', () => resolve('no answer'));
      req.setTimeout(PATIENCE, () => {
        server.closeAllConnections();
        server.close();
        resolve('no answer');
      });
      req.end(body);
    });
  });
}

async function all<T>(targets: string[], ask: (target: string) => Promise<T>): Promise<T | T[]> {
  const answers: T[] = [];
  for (const target of targets) answers.push(await ask(target));
  return answers.length === 1 ? (answers[0] as T) : answers;
}

function toolsFor(app: App): Record<string, unknown> {
  const hit = (line: string, headers?: http.OutgoingHttpHeaders, body?: string) =>
    send(app, line, headers, body);
  const match = (route: unknown, ...targets: string[]) =>
    all(targets, async (target) => {
      const one = express();
      let params: unknown = false;
      one.get?.(route, (req: Req, res: Res) => {
        params = req.params;
        res.end();
      });
      await send(one, target);
      return params;
    });
  const mount = (route: unknown, ...targets: string[]) =>
    all(targets, async (target) => {
      const one = express();
      let seen: unknown = false;
      one.use?.(route, ({ baseUrl, url, params }: Req, res: Res) => {
        seen = { baseUrl, url, params };
        res.end();
      });
      await send(one, target);
      return seen;
    });
  const inside = async (
    target: string,
    fn: (req: Req, res: Res, next: unknown) => unknown,
    headers?: http.OutgoingHttpHeaders,
  ) => {
    let out: unknown;
    app.use?.((req: Req, res: Res, next: unknown) => {
      try {
        out = fn(req, res, next);
      } catch (error) {
        out = nameOf(error);
      }
      if (!res.writableEnded) res.end();
    });
    await send(app, target, headers);
    return out;
  };
  return { hit, match, mount, inside };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

async function play(id: string, program: string): Promise<string> {
  warned = [];
  logged = [];
  rejections = [];
  const app = express();
  const tools: Record<string, unknown> = {
    express,
    app,
    http,
    path,
    sleep,
    dir,
    warned,
    logged,
    rejections,
    ...toolsFor(app),
  };
  const body = /\breturn\b/.test(program)
    ? program
    : `${program.replace(/;$/, '').replace(/(.*; |^)/s, '$1return ')}`;
  const source = `(async (${Object.keys(tools)}) => {\n${body}\n})`;
  try {
    const run = vm.runInThisContext(source, { filename: `${id}.js` });
    const result = await run(...Object.values(tools));
    return show(result);
  } catch (error) {
    return `throws ${nameOf(error).split('\n')[0]}`;
  }
}

function show(value: unknown): string {
  return inspect(value, {
    compact: true,
    depth: 10,
    breakLength: Number.POSITIVE_INFINITY,
    maxStringLength: 2000,
    maxArrayLength: 200,
  })
    .replaceAll(dir, '<dir>')
    .replaceAll(process.cwd(), '<cwd>')
    .replace(/'Nozomi'/g, "'Express'")
    .replace(/(date|'last-modified'): '[^']*'/g, "$1: '<date>'");
}

async function main(): Promise<void> {
  const results: Record<string, string> = {};
  const only = process.argv[3];
  for (const { id, program } of clauses) if (!only || only === id) results[id] = await play(id, program);
  if (process.send) process.send(results, () => process.exit());
  else process.stdout.write(JSON.stringify(results, null, 1), () => process.exit());
}

void main();
