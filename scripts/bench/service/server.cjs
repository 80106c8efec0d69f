// Serves one peer for `npm run bench -- service`. Messages and replies:
//   { peer }         → { port }
//   { usage }        → { cpu, gc, rss, heap }: CPU and garbage collection so far in ms; bytes, after a collection
//   { publish }      → {}: writes one event to each open stream
//   { fetch: count } → { cpu }: CPU microseconds per call of the fetch function; undefined if the peer has none
const { createServer } = require('node:http');
const { join } = require('node:path');
const { PerformanceObserver } = require('node:perf_hooks');
const { Readable } = require('node:stream');
const { require: load } = require('../packages/load.cjs');

const TEXT = 'Hello World';
const EVENT_STREAM = { 'Content-Type': 'text/event-stream' };
const PIECE = Buffer.alloc(64 * 1024, 'x');
/** 100 MiB. */
const PIECES = 1600;

/** The open event streams: objects with `write`. */
const streams = new Set();

let collecting = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) collecting += duration;
}).observe({ entryTypes: ['gc'] });

const handlers = {
  events(_req, res) {
    res.writeHead(200, EVENT_STREAM).flushHeaders();
    streams.add(res);
    res.on('close', () => streams.delete(res));
  },
  down(_req, res) {
    file().pipe(res);
  },
  up(req, res) {
    let length = 0;
    req.on('data', (chunk) => {
      length += chunk.length;
    });
    req.on('end', () => res.end(String(length)));
  },
};

function file() {
  let left = PIECES;
  return new Readable({
    read() {
      this.push(left-- > 0 ? PIECE : null);
    },
  });
}

const PROGRAMS = {
  bare() {
    const routes = { '/': (_req, res) => res.end(TEXT), '/events': handlers.events, '/down': handlers.down };
    const listener = (req, res) => {
      const handler = req.method === 'POST' ? handlers.up : routes[req.url];
      if (handler) handler(req, res);
      else res.writeHead(404).end('Not found');
    };
    return { server: createServer(listener), fetch: async () => new Response(TEXT) };
  },
  express({ name, loads: [path] }) {
    const app = load(path)();
    app.get('/', (_req, res) => void res.send(TEXT));
    const { toFetch } = name === 'nozomi' ? load(join(path, '..', 'fetch', 'index.js')) : {};
    return { server: createServer(withHandlers(app)), fetch: toFetch?.(app) };
  },
  polka() {
    const app = load('polka')().get('/', (_req, res) => res.end(TEXT));
    return { server: createServer(withHandlers(app).handler) };
  },
  async fastify() {
    const app = load('fastify')({ bodyLimit: 2 ** 30 });
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    app.get('/', (_request, reply) => reply.send(TEXT));
    app.get('/events', (request, reply) => handlers.events(request.raw, reply.hijack().raw));
    app.get('/down', (_request, reply) => reply.send(file()));
    app.post('/up', async ({ body }) => String(await lengthOf(body)));
    await app.ready();
    return { server: app.server };
  },
  hono() {
    const app = new (load('hono').Hono)();
    app.get('/', (c) => c.text(TEXT));
    app.get('/events', (c) =>
      load('hono/streaming').streamSSE(c, async (stream) => {
        streams.add(stream);
        await new Promise((resolve) => stream.onAbort(resolve));
        streams.delete(stream);
      }),
    );
    app.get('/down', () => new Response(Readable.toWeb(file())));
    app.post('/up', async (c) => c.text(String(await lengthOf(c.req.raw.body))));
    return { server: load('@hono/node-server').createAdaptorServer(app), fetch: app.fetch };
  },
};

function withHandlers(app) {
  return app.get('/events', handlers.events).get('/down', handlers.down).post('/up', handlers.up);
}

async function lengthOf(body) {
  let length = 0;
  for await (const chunk of body) length += chunk.length;
  return length;
}

let served;

async function answerTo({ peer, publish, fetch }) {
  if (peer) {
    served = await PROGRAMS[peer.program](peer);
    await new Promise((resolve) => served.server.listen(0, '127.0.0.1', 2048, resolve));
    return { port: served.server.address().port };
  }
  if (publish) for (const stream of streams) stream.write('data: tick\n\n');
  if (publish) return {};
  if (fetch) return { cpu: served.fetch && (await timeFetch(fetch)) };
  const [spent, gc] = [cpu(), collecting];
  globalThis.gc();
  return { cpu: spent, gc, rss: process.memoryUsage.rss(), heap: process.memoryUsage().heapUsed };
}

async function timeFetch(count) {
  for (let warm = 1; ; warm--) {
    const before = cpu();
    for (let i = 0; i < count; i++) await (await served.fetch(new Request('http://localhost/'))).text();
    if (warm === 0) return ((cpu() - before) / count) * 1000;
  }
}

function cpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

process.on('disconnect', () => process.exit());
process.on('message', (message) => {
  answerTo(message).then(
    (answer) => process.send(answer),
    (err) => process.send({ problem: err.stack }),
  );
});
