// Prints the road of a request: the files whose functions run for it, in order, beside the road in Express. Counts the
// files and the switches between them, packages included. Exit code 1 if a road has more than MAX_LENGTHS. Needs a build.
//
//   npm run check -- request-path                prints the numbers
//   npm run check -- request-path --print     prints also each file with its functions, in order
import http from 'node:http';
import http2 from 'node:http2';
import Module from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, relative, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import ts from '@typescript/typescript6';
import { runCommand } from '../command';

interface Road {
  readonly files: number;
  readonly switches: number;
}

/** What is allowed at most. The numbers only shrink, except for a file that makes every request faster. */
const MAX_LENGTHS: Readonly<Record<string, Road>> = {
  'json, nozomi': { files: 18, switches: 27 },
  'json, nozomi/4': { files: 21, switches: 35 },
  'static, nozomi': { files: 19, switches: 33 },
  'static, nozomi/4': { files: 27, switches: 49 },
  'post, nozomi': { files: 20, switches: 35 },
  'error, nozomi': { files: 17, switches: 33 },
  'not found, nozomi': { files: 14, switches: 21 },
  'json over http2, nozomi': { files: 25, switches: 53 },
  'json over fetch, nozomi': { files: 25, switches: 61 },
  'post, nozomi/4': { files: 27, switches: 47 },
  'error, nozomi/4': { files: 22, switches: 42 },
  'not found, nozomi/4': { files: 17, switches: 30 },
  'json, nozomi/3': { files: 21, switches: 54 },
  'static, nozomi/3': { files: 22, switches: 68 },
  'post, nozomi/3': { files: 36, switches: 86 },
  'error, nozomi/3': { files: 19, switches: 41 },
  'not found, nozomi/3': { files: 17, switches: 34 },
};

const root = join(__dirname, '..', '..');
const BUILD = join(root, 'build');

/** The entry points, each followed by the one of Express. */
const FRAMEWORKS: Readonly<Record<string, string>> = {
  nozomi: join(BUILD, 'index.js'),
  'express 5': 'express',
  'nozomi/4': join(BUILD, 'express4', 'index.js'),
  'express 4': 'express4',
  'nozomi/3': join(BUILD, 'express3', 'index.js'),
  // Last, because it changes the prototypes of Node.js.
  'express 3': 'express3',
};

interface Target {
  readonly path: string;
  /** A JSON body to send with POST. */
  readonly body?: string;
}

const TARGETS: Readonly<Record<string, Target>> = {
  json: { path: '/users/7' },
  static: { path: '/LICENSE' },
  post: { path: '/echo', body: '{"name":"Ada"}' },
  error: { path: '/error' },
  'not found': { path: '/none' },
};

type Send = (app: Application, target: Target) => Promise<(() => Promise<void>) & AsyncDisposable>;

/** How the requests of a road reach an application. HTTP/2 and fetch play the road `json` of nozomi. */
const TRANSPORTS: Readonly<Record<string, Send>> = {
  http2: overHttp2,
  fetch: overFetch,
};

const WARM_UP = 5;
/** Turns of the event loop after which a request is over. */
const TURNS = 20;

/** One call of a function. */
type Step = readonly [file: string, name: string];

process.noDeprecation = true;
// The final handlers print no error.
process.env.NODE_ENV = 'test';

let steps: Step[] = [];
Object.assign(globalThis, { __step: (...step: Step) => void steps.push(step) });

runCommand({
  options: { print: { type: 'boolean' } },
  run: ({ values }) => compareRoads(Boolean(values.print)),
});

async function compareRoads(isPrinted: boolean): Promise<boolean> {
  instrumentModules();
  let isShort = true;
  for (const [name, file] of Object.entries(FRAMEWORKS)) {
    const framework: Framework = require(file);
    for (const [kind, target] of Object.entries(TARGETS))
      isShort = judge(`${kind}, ${name}`, await stepsOf(framework, target, overHttp1), isPrinted) && isShort;
    if (name !== 'nozomi') continue;
    for (const [transport, send] of Object.entries(TRANSPORTS)) {
      const steps = await stepsOf(framework, TARGETS.json as Target, send);
      isShort = judge(`json over ${transport}, ${name}`, steps, isPrinted) && isShort;
    }
  }
  return isShort;
}

/** Prints a road. @returns Whether it is as short as `MAX_LENGTHS` demands. */
function judge(road: string, calls: readonly Step[], isPrinted: boolean): boolean {
  const stays = staysOf(calls);
  const files = new Set(stays.map(([at]) => at)).size;
  console.log(`${road}: ${files} files, ${stays.length} switches`);
  if (isPrinted) for (const [at, ...names] of stays) console.log(`  ${at}  ${names.join(' ')}`);
  const { [road]: most } = MAX_LENGTHS;
  if (!most || (files <= most.files && stays.length <= most.switches)) return true;
  console.error(`${road}: at most ${most.files} files and ${most.switches} switches are allowed`);
  return false;
}

/** Makes each function of a module that is loaded from now on record its call. `debug` is no part of the road. */
function instrumentModules(): void {
  // A cast, because @types/node does not declare this method.
  const prototype = Module.prototype as Module & { _compile(content: string, file: string): unknown };
  const { _compile: compile } = prototype;
  prototype._compile = function (content, file) {
    return Reflect.apply(compile, this, [isOnRoad(file) ? instrument(content, file) : content, file]);
  };
}

/** Whether the road passes through a file: not through the package debug, and not through the adapters for APM agents. */
function isOnRoad(file: string): boolean {
  const path = relative(root, file).split(sep);
  if (path[0] === 'build') return !path.includes('node_modules');
  return path[0] === 'node_modules' && !path.includes('debug');
}

/** Adds a call at the start of each function that has a body in braces. */
function instrument(content: string, file: string): string {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const at = relative(root, file).replace(/^(build|node_modules)\//, '');
  const inserted: Array<[position: number, text: string]> = [];
  visit(source);
  return inserted.reduceRight(
    (text, [position, call]) => text.slice(0, position) + call + text.slice(position),
    content,
  );

  function visit(node: ts.Node): void {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && ts.isBlock(node.body as ts.Node)) {
      const name = node.name?.getText() ?? '(anonymous)';
      inserted.push([
        (node.body as ts.Block).getStart() + 1,
        `__step(${JSON.stringify([at, name]).slice(1, -1)});`,
      ]);
    }
    ts.forEachChild(node, visit);
  }
}

type Handler = (req: { params: unknown; body: unknown }, res: { json(body: unknown): void }) => void;

interface Application extends http.RequestListener {
  (req: http.IncomingMessage, res: http.ServerResponse): void;
  use(handler: unknown): void;
  get(path: string, handler: Handler): void;
  post(path: string, parser: unknown, handler: Handler): void;
  listen(port: number): http.Server;
}

interface Framework {
  (): Application;
  static(folder: string): unknown;
  json(): unknown;
}

/** Requests a target from an application until it is warm, and returns the calls of the last request. */
async function stepsOf(framework: Framework, target: Target, open: Send): Promise<readonly Step[]> {
  const app = framework();
  app.get('/users/:id', (req, res) => res.json(req.params));
  if (target.path === '/error')
    app.get('/error', () => {
      throw new Error('fails');
    });
  else if (target.body) app.post('/echo', framework.json(), (req, res) => res.json(req.body));
  else if (target.path !== '/none') app.use(framework.static(root));
  await using send = await open(app, target);
  for (let i = 0; i <= WARM_UP; i++) {
    steps = [];
    await send();
    // Some listeners run after the client has received the response.
    for (let turn = 0; turn < TURNS; turn++) await setImmediate();
  }
  return steps;
}

async function overHttp1(app: Application, { path, body }: Target): ReturnType<Send> {
  const server = app.listen(0);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const { port } = server.address() as AddressInfo;
  const headers = body ? { 'Content-Type': 'application/json', 'Content-Length': body.length } : {};
  const send = (): Promise<void> =>
    new Promise((done, fail) => {
      http
        .request({ port, path, agent, method: body ? 'POST' : 'GET', headers }, (res) => {
          res.resume().on('end', done);
        })
        .on('error', fail)
        .end(body);
    });
  const close = async (): Promise<void> => {
    agent.destroy();
    server.close();
  };
  return Object.assign(send, { [Symbol.asyncDispose]: close });
}

async function overHttp2(app: Application, { path }: Target): ReturnType<Send> {
  const { createServer } = require(join(BUILD, 'http2', 'index.js'));
  const server: http.Server = createServer({ cleartext: true }, app).listen(0);
  const session = http2.connect(`http://localhost:${(server.address() as AddressInfo).port}`);
  const send = (): Promise<void> =>
    new Promise((done, fail) => {
      session.request({ ':path': path }).resume().on('end', done).on('error', fail).end();
    });
  const close = async (): Promise<void> => {
    session.close();
    server.close();
  };
  return Object.assign(send, { [Symbol.asyncDispose]: close });
}

async function overFetch(app: Application, { path }: Target): ReturnType<Send> {
  const { toFetch } = require(join(BUILD, 'fetch', 'index.js'));
  const handle: (request: Request) => Promise<Response> = toFetch(app);
  const send = async (): Promise<void> => {
    await (await handle(new Request(`http://localhost${path}`))).text();
  };
  return Object.assign(send, { [Symbol.asyncDispose]: async () => {} });
}

/** Joins the calls in a row that are in one file: the file, and the names of the functions. */
function staysOf(calls: readonly Step[]): string[][] {
  const stays: string[][] = [];
  for (const [file, name] of calls) {
    const last = stays.at(-1);
    if (last?.[0] === file) last.push(name);
    else stays.push([file, name]);
  }
  return stays;
}
