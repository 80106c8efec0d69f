/** Runs one server over HTTP/2 for `npm run bench -- http2`; the arguments are a key of `SERVERS`, and `tls` for TLS. */
import { createReadStream, stat } from 'node:fs';
import http2, { type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import framework from 'nozomi';
import { createServer } from 'nozomi/http2';
import { CERTIFICATE, KEY } from '../../../parity/transports/certificate';
import { require as load } from '../packages/load.cjs';

const https = process.argv[3] === 'tls' ? { key: KEY, cert: CERTIFICATE } : undefined;
const folder = join(__dirname, '..', '..', '..', 'fixtures', 'files');
const FILE = 'hello.txt';
const JSON_BODY = { id: 7, name: 'Ada', tags: ['a', 'b'] };
const HTML = 'text/html; charset=utf-8';

/** Sends the same bodies and headers as `app`, except for the values of ETags, with as little code as possible. */
function bare(req: Http2ServerRequest, res: Http2ServerResponse): void {
  res.setHeader('X-Powered-By', 'Nozomi');
  if (req.url === '/hello') send(res, HTML, 'Hello');
  else if (req.url === '/json') send(res, 'application/json; charset=utf-8', JSON.stringify(JSON_BODY));
  else {
    stat(join(folder, FILE), (_err, { mtime, size }) => {
      res.setHeader('Accept-Ranges', 'bytes');
      res.setHeader('Cache-Control', 'public, max-age=0');
      res.setHeader('Last-Modified', mtime.toUTCString());
      res.setHeader('Content-Type', 'text/plain; charset=utf-8');
      res.setHeader('Content-Length', size);
      res.setHeader('ETag', 'W/"13-19bfb5cbb00"');
      createReadStream(join(folder, FILE)).pipe(res);
    });
  }
}

function send(res: Http2ServerResponse, type: string, body: string): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', String(Buffer.byteLength(body)));
  res.setHeader('ETag', 'W/"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"');
  res.end(body);
}

const app = framework();
app.get('/hello', (_req, res) => void res.send('Hello'));
app.get('/json', (_req, res) => void res.json(JSON_BODY));
app.use(framework.static(folder));

async function withFastify(): Promise<Server> {
  const fastify = load('fastify')(https ? { http2: true, https } : { http2: true });
  fastify.get('/hello', (_request: unknown, reply: { send(body: string): void }) => reply.send('Hello'));
  fastify.get('/json', (_request: unknown, reply: { send(body: object): void }) => reply.send(JSON_BODY));
  fastify.register(load('@fastify/static'), { root: folder });
  await fastify.ready();
  return fastify.server;
}

function withKoa(): Server {
  const koa = new (load('koa'))();
  const router = new (load('@koa/router').Router)();
  router.get('/hello', (ctx: { body: unknown }) => {
    ctx.body = 'Hello';
  });
  router.get('/json', (ctx: { body: unknown }) => {
    ctx.body = JSON_BODY;
  });
  koa.use(router.routes()).use(load('koa-static')(folder));
  return listen(koa.callback());
}

function listen(listener: typeof bare): Server {
  return https ? http2.createSecureServer(https, listener) : http2.createServer(listener);
}

const SERVERS: Readonly<Record<string, () => Server | Promise<Server>>> = {
  bare: () => listen(bare),
  'http2.createServer(app)': () => listen(app as never),
  'nozomi/http2': () => createServer(https ?? { cleartext: true }, app),
  fastify: withFastify,
  koa: withKoa,
};

async function main(): Promise<void> {
  const server = await (SERVERS[process.argv[2] as string] as () => Server | Promise<Server>)();
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: user + system });
});
process.on('disconnect', () => process.exit());
void main();
