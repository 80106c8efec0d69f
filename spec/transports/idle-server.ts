/**
 * Serves an application that uses many features, and sends it requests over connections that stay open. Prints as JSON
 * which objects of the finished requests the garbage collector cannot collect, and how much memory a connection needs.
 *
 * A child process, because it needs `--expose-gc`, and because Express 3 changes the prototypes of Node.js.
 *
 * Argument: `Subject` as JSON.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { temporaryFolder } from '../../parity/temporary-folder';
import { serve } from '../../parity/transports/serve';
import type { Transport } from '../../parity/transports/transport';
import { portOf, serverOf } from '../support/serve';

export interface Subject {
  /** `node`: a listener of Node.js without a framework, for `bytes`. */
  readonly framework: 'express' | 'express4' | 'nozomi' | 'nozomi/4' | 'nozomi/3' | 'node';
  readonly logger: 'morgan' | 'nozomi/logger';
  readonly transport: Transport;
}

export interface Kept {
  /** `<request>: <object>` for each object that is still reachable, although its response is finished. */
  readonly objects: readonly string[];
  /** The number of objects that were watched. */
  readonly watched: number;
  /** The heap of one idle connection after a request with a JSON body of 100 kB, through all middleware. */
  readonly bytes: number;
}

/** A request. The first part of its path is the name of the feature. */
interface Ask {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the client disconnects before the response is complete. */
  readonly isCut?: true;
}

const FILES = join(__dirname, '..', '..', 'fixtures', 'files');
const UPLOADS = temporaryFolder('uploads');
/** More than the buffers of a connection hold, so that a client can disconnect before the end. */
const LONG = 'x'.repeat(4_000_000);
const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
const MULTIPART_TYPE = { 'Content-Type': 'multipart/form-data; boundary=b' };
const MULTIPART =
  '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' +
  '--b\r\nContent-Disposition: form-data; name="f"; filename="f.txt"\r\n\r\nfile\r\n--b--\r\n';

const ASKS: readonly Ask[] = [
  { path: '/plain' },
  { path: '/later' },
  { path: '/mounted/plain' },
  { path: '/mounted/twice/plain' },
  { path: '/mounted/passed-on' },
  { path: '/extended/plain' },
  { path: '/plain', method: 'HEAD' },
  { path: '/mounted/json', method: 'POST', headers: JSON_TYPE, body: '{"a":{"b":[1]}}' },
  { path: '/mounted/form', method: 'POST', headers: FORM_TYPE, body: 'a[b]=c' },
  {
    path: '/mounted/chunked',
    method: 'POST',
    headers: { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
    body: '{}',
  },
  { path: '/mounted/unread', method: 'POST', headers: { 'Content-Type': 'text/x' }, body: 'not read' },
  { path: '/mounted/upload', method: 'POST', headers: MULTIPART_TYPE, body: MULTIPART },
  { path: '/mounted/malformed', method: 'POST', headers: JSON_TYPE, body: '{' },
  { path: '/mounted/too-large', method: 'POST', headers: JSON_TYPE, body: JSON.stringify(LONG) },
  { path: '/mounted/error' },
  { path: '/error' },
  { path: '/missing' },
  { path: '/mounted/missing' },
  { path: '/missing', method: 'OPTIONS' },
  { path: '/mounted/file' },
  { path: '/mounted/file', headers: { Range: 'bytes=1-3' } },
  { path: '/mounted/file', method: 'HEAD' },
  { path: '/mounted/static/hello.txt' },
  { path: '/mounted/static/none' },
  { path: '/mounted/static/hello.txt', headers: { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' } },
  { path: '/mounted/view' },
  { path: '/mounted/redirect' },
  { path: '/mounted/cookie', headers: { Cookie: 'a=b' } },
  { path: '/mounted/stream' },
  { path: '/mounted/long', isCut: true },
  { path: '/mounted/held', isCut: true },
];

/** `bytes` is the median of several batches, because V8 also compiles code and discards it meanwhile. */
const BATCHES = 3;
/** The connections of a batch. */
const CONNECTIONS = 60;

const subject = JSON.parse(process.argv[2] ?? '') as Subject;
const isCurrent = subject.framework === 'nozomi' || subject.framework === 'express';
const is3 = subject.framework === 'nozomi/3';
/** What the requests have in memory, by `<request>: <object>`. */
const watched: Array<readonly [name: string, object: WeakRef<object>]> = [];
let isWatching = true;
const discard = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

// biome-ignore lint/suspicious/noExplicitAny: the frameworks have different types.
type Any = any;

function note(req: IncomingMessage & { originalUrl?: string }, objects: Record<string, unknown>): void {
  for (const [name, object] of Object.entries(objects)) {
    if (isWatching && typeof object === 'object' && object)
      watched.push([`${req.method} ${req.originalUrl ?? req.url}: ${name}`, new WeakRef(object)]);
  }
}

/** The listener of `node`: it reads and responds as the application does. */
function listener(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req
    .on('data', (chunk) => chunks.push(chunk))
    .on('end', () => {
      const body = JSON.parse(String(Buffer.concat(chunks)));
      res.setHeader('Content-Type', 'application/json');
      res.end(JSON.stringify({ length: body.length }));
    });
}

function application(): Any {
  const framework: Any = require(subject.framework);
  const logger: Any = require(subject.logger);
  const app = framework();
  app.set('env', 'test');
  app.use((req: Any, res: Any, next: () => void) => {
    note(req, { request: req, response: res });
    next();
  });
  app.use(logger('combined', { stream: discard() }));
  app.use(logger('tiny', { stream: discard() }));
  if (subject.logger !== 'morgan') app.use(logger(':bytes-sent :response-time', { stream: discard() }));
  if (is3) {
    app.use(framework.responseTime());
    app.use(framework.compress());
    app.use(framework.limit('8mb'));
    app.use(framework.timeout(60_000));
    app.use(framework.cookieParser('secret'));
    app.use(framework.cookieSession());
    app.use(framework.methodOverride());
    app.use(framework.csrf({ value: (req: Any) => req.session._csrf ?? req.csrfToken() }));
    app.use(framework.multipart({ uploadDir: UPLOADS }));
  }
  app.use(framework.json({ limit: '1mb' }));
  app.use(framework.urlencoded({ extended: true }));
  app.use((req: Any, res: Any, next: () => void) => {
    req.session ??= { user: 'secret' };
    res.locals.own = { secret: 'secret' };
    note(req, { body: req.body, session: req.session, locals: res.locals.own, params: req.params });
    next();
  });
  app.use('/later', (_req: Any, res: Any) => void setImmediate(() => res.send('later')));
  const inner = framework();
  const extended = framework();
  extended.request.own = 'own';
  const mounted = framework();
  const handlers: Readonly<Record<string, (req: Any, res: Any, next: Any) => void>> = {
    plain: (_req, res) => res.send('plain'),
    json: (req, res) => res.json({ length: req.body?.length }),
    form: (req, res) => res.json(req.body),
    chunked: (req, res) => res.send(req.body),
    upload: (req, res) => res.send(String(req.body)),
    unread: (_req, res) => res.send('unread'),
    'passed-on': (_req, _res, next) => next(),
    error: (_req, _res, next) => next(new Error('on purpose')),
    file: (_req, res) => res[is3 ? 'sendfile' : 'sendFile'](join(FILES, 'hello.txt')),
    view: (_req, res) => res.render('hello.txt'),
    redirect: (_req, res) => res.redirect('/plain'),
    cookie: (_req, res) =>
      res.cookie('a', 'b').format({ text: () => res.send('text'), json: () => res.json(1) }),
    stream: (_req, res) => res.write('a', () => res.end('b')),
    long: (_req, res) => res.end(LONG),
    held: (_req, res) => res.write('a'),
  };
  for (const each of [inner, extended, mounted, app]) {
    for (const [name, handle] of Object.entries(handlers)) each.all(`/${name}`, handle);
  }
  mounted.set('views', FILES).set('view engine', 'txt');
  mounted.engine('txt', (path: string, _options: object, done: Any) => readFile(path, 'utf8', done));
  mounted.use('/static', framework.static(FILES));
  mounted.use('/twice', inner);
  app.use('/mounted', mounted);
  app.use('/extended', extended);
  app.use('/mounted/passed-on', (_req: Any, res: Any) => res.send('by the parent'));
  if (isCurrent) app.use((err: Any, _req: Any, _res: Any, next: Any) => next(err));
  return app;
}

/** Opens a connection. @returns A function that sends a request over it, and waits for its end. */
function connect(port: number): (ask: Ask) => Promise<unknown> {
  const { transport } = subject;
  const isSecure = transport === 'https' || transport === 'h2';
  if (transport !== 'h2' && transport !== 'h2c') {
    const { Agent, request } = isSecure ? https : http;
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    return async ({ method = 'GET', path, headers = {}, body, isCut }) => {
      const req = request({ port, method, path, headers: { ...headers }, agent });
      const [res] = (await once(req.end(body), 'response')) as [IncomingMessage];
      if (isCut) return once(res.on('error', () => undefined).destroy(), 'close');
      return once(res.resume(), 'end');
    };
  }
  const session = http2.connect(`${isSecure ? 'https' : 'http'}://localhost:${port}`, {
    rejectUnauthorized: false,
  });
  return async ({
    method = 'GET',
    path,
    headers: { 'Transfer-Encoding': _, ...headers } = {},
    body,
    isCut,
  }) => {
    const stream = session
      .request({ ':method': method, ':path': path, ...headers })
      .on('error', () => undefined);
    stream.end(body);
    await once(stream, 'response');
    if (isCut) stream.close(http2.constants.NGHTTP2_CANCEL);
    else stream.resume();
    return stream.closed || once(stream, 'close');
  };
}

/** How many collections in a row free no object before the others count as kept. */
const SETTLED = 60;

async function collect(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await turn();
    globalThis.gc?.();
  }
}

/** Collects garbage until it frees no more objects: those that refer to each other through Node.js need several rounds. */
async function collectWatched(): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let rounds = 0; least > 0 && rounds < SETTLED; rounds++) {
    await collect(1);
    const { length } = reachable();
    if (length < least) rounds = 0;
    least = Math.min(least, length);
  }
}

async function heapUsed(): Promise<number> {
  await collect(4);
  return process.memoryUsage().heapUsed;
}

function reachable(): string[] {
  return watched.flatMap(([name, object]) => (object.deref() ? name : []));
}

async function main(): Promise<void> {
  const app = subject.framework === 'node' ? listener : application();
  const server: Server = await (subject.transport === 'listen'
    ? serverOf(app)
    : serverOf(serve(app, subject.transport, require)));
  // Otherwise the server would close idle connections.
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = 0;
  const port = portOf(server);
  if (subject.framework !== 'node') for (const ask of ASKS) await connect(port)(ask);
  await collectWatched();
  const objects = reachable();
  isWatching = false;

  const large = JSON.stringify(Array.from({ length: 9_000 }, (_each, i) => `value ${i}`));
  const ask = { path: '/mounted/json', method: 'POST', headers: JSON_TYPE, body: large };
  for (let i = 0; i < 20; i++) await connect(port)(ask);
  const growths: number[] = [];
  let before = await heapUsed();
  for (let batch = 0; batch < BATCHES; batch++) {
    for (let i = 0; i < CONNECTIONS; i++) await connect(port)(ask);
    const after = await heapUsed();
    growths.push((after - before) / CONNECTIONS);
    before = after;
  }
  const [bytes = Number.NaN] = growths.sort((a, b) => a - b).slice(BATCHES >> 1);
  process.stdout.write(
    JSON.stringify({ objects, watched: watched.length, bytes: Math.round(bytes) } satisfies Kept),
    () => process.exit(),
  );
}

void main();
