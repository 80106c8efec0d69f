/** `server.timeout` of Node.js, as docs/deployment.md recommends it against clients that stop reading a response. */
import { once } from 'node:events';
import http, { type IncomingMessage, type RequestListener, type Server } from 'node:http';
import https from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import framework from 'nozomi';
import { CERTIFICATE as cert, KEY as key } from '../../parity/transports/certificate';
import { portOf, serving } from '../support/serve';
import { until } from '../support/until';
import { connectionsOf } from './support';

/** More than the kernel stores for a client that does not read. */
const SIZE = 16_000_000;

const SERVERS: Readonly<Record<string, (app: RequestListener) => Server>> = {
  'http.createServer': (app) => http.createServer(app),
  'https.createServer': (app) => https.createServer({ key, cert }, app),
};

describe('server.timeout', () => {
  for (const [name, create] of Object.entries(SERVERS)) {
    it(`${name}: cuts a response that the client stops reading`, async () => {
      const app = framework().get('/', (_req, res) => void res.send(Buffer.alloc(SIZE)));
      await withTimeout(create(app as RequestListener), 200, async (server) => {
        const res = await get(server, '/');
        res.pause();
        let count = 1;
        await until(() => {
          void connectionsOf(server).then((open) => {
            count = open;
          });
          return count === 0;
        });
        res.resume();
        await until(() => res.closed);
        expect(res.complete).to.equal(false);
      });
    });

    it(`${name}: completes a response that the client reads slowly`, async () => {
      const app = framework().get('/', (_req, res) => void res.send(Buffer.alloc(SIZE)));
      await withTimeout(create(app as RequestListener), 1500, async (server) => {
        const res = await get(server, '/');
        let size = 0;
        for await (const chunk of res) {
          if (Math.floor(size / (SIZE / 20)) < Math.floor((size + chunk.length) / (SIZE / 20)))
            await wait(100);
          size += chunk.length;
        }
        expect(size).to.equal(SIZE);
      });
    });

    it(`${name}: req.setTimeout(0) lets a handler respond later`, async () => {
      const app = framework();
      app.get('/:wait', (req, res) => {
        if (req.params.wait === 'any') req.setTimeout(0);
        setTimeout(() => res.send('late'), 600);
      });
      await withTimeout(create(app as RequestListener), 100, async (server) => {
        const res = await get(server, '/any');
        expect(String(Buffer.concat(await res.toArray()))).to.equal('late');
        const outcome = await get(server, '/timeout').catch((err: NodeJS.ErrnoException) => err.code);
        expect(outcome).to.equal('ECONNRESET');
      });
    });
  }
});

async function withTimeout(
  server: Server,
  timeout: number,
  use: (server: Server) => Promise<void>,
): Promise<void> {
  server.timeout = timeout;
  await serving(server, () => use(server));
}

async function get(server: Server, path: string): Promise<IncomingMessage> {
  const { get: send } = server instanceof https.Server ? https : http;
  const req = send({
    port: portOf(server),
    host: '127.0.0.1',
    path,
    agent: false,
    rejectUnauthorized: false,
  });
  const [res] = await once(req, 'response');
  res.on('error', () => undefined);
  return res;
}
