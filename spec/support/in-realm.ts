/**
 * Loads a framework and supertest in a vm context, as Jest does. Serves one application in three ways, and prints the
 * responses as JSON. The first argument is the module of the framework.
 */
import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type supertest from 'supertest';
import { enterRealm } from '../../parity/implementations/realm';

type Framework = () => RequestListener & {
  use(path: string, handler: (req: { url: string }, res: { send(body: unknown): void }) => void): void;
  listen(port: number, host: string): http.Server;
};

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

async function main(): Promise<void> {
  const app = framework();
  app.use('/bytes', (req, res) => res.send(Buffer.from(req.url)));
  const { status, headers, body } = await request(app).get('/bytes?a=1');
  const responses = {
    listen: await textFrom(app.listen(0, '127.0.0.1')),
    createServer: await textFrom(http.createServer(app).listen(0, '127.0.0.1')),
    supertest: `${status} ${headers.etag} ${body}`,
  };
  console.log(JSON.stringify(responses));
}

void main();
