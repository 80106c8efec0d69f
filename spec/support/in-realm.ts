/**
 * Loads a framework and supertest in a vm context, as Jest does. Serves one application in three ways, and prints the
 * responses as JSON. The first argument is the module of the framework; with the second argument `rejects`, a handler also
 * returns a promise of Node.js that rejects.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http, { type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type supertest from 'supertest';
import { enterRealm } from '../../parity/implementations/realm';

type Framework = () => RequestListener & {
  use(path: string, handler: (req: { url: string }, res: { send(body: unknown): void }) => unknown): void;
  listen(port: number, host: string): http.Server;
};

type ErrorListener = (err: { code: string }, req: unknown, res: ServerResponse, next: unknown) => void;

enterRealm();
const framework: Framework = require(process.argv[2] as string);
const request: typeof supertest = require('supertest');

async function textFrom(server: http.Server): Promise<string> {
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/bytes?a=1`, { headers: { connection: 'close' } });
  const text = `${response.status} ${response.headers.get('etag')} ${await response.text()}`;
  server.close();
  return text;
}

/** @returns The response of an error handler after a promise of Node.js, which is one of the main realm, rejects. */
async function rejectedBy(app: ReturnType<Framework>): Promise<string> {
  app.use('/rejects', () => readFile(join(__dirname, 'none')));
  app.use('/', ((err, _req, res, _next) => res.end(`${err.code}`)) as ErrorListener as never);
  return (await request(app).get('/rejects')).text;
}

async function main(): Promise<void> {
  const app = framework();
  app.use('/bytes', (req, res) => res.send(Buffer.from(req.url)));
  const { status, headers, body } = await request(app).get('/bytes?a=1');
  const responses = {
    listen: await textFrom(app.listen(0, '127.0.0.1')),
    createServer: await textFrom(http.createServer(app).listen(0, '127.0.0.1')),
    supertest: `${status} ${headers.etag} ${body}`,
    ...(process.argv[3] === 'rejects' && { rejects: await rejectedBy(app) }),
  };
  console.log(JSON.stringify(responses));
}

void main();
