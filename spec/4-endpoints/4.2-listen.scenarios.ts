/** Scenarios for app.listen(): ports, sockets, errors, and callbacks. §4.2 */
import { once } from 'node:events';
import { get as ask, createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

async function bodyFrom(target: object): Promise<string> {
  const [res] = (await once(ask({ ...target, path: '/', agent: false }), 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of res.setEncoding('utf8')) body += chunk;
  return body;
}

export default [
  scenario({
    name: 'app.listen listens on any port, on a host and on a UNIX socket',
    clauses: ['F-4.2-56', 'F-4.2-57', 'F-4.2-58', 'F-4.2-59'],
    async build({ framework, folder }) {
      const app = framework();
      app.get('/', (req, res) => res.json([req.ip ?? null, req.protocol]));
      const told: unknown[] = [];
      const path = join(folder, 'listen.sock');
      const servers = [
        app.listen(),
        app.listen(0),
        app.listen(0, '127.0.0.1', 8, (...args: unknown[]) => told.push(args.length)),
        app.listen(path, (...args: unknown[]) => told.push(args.length)),
      ];
      const seen: unknown[] = [];
      for (const server of servers) {
        if (!server.listening) await once(server, 'listening');
        const address = server.address() as AddressInfo | string;
        const target =
          typeof address === 'string' ? { socketPath: address } : { port: address.port, host: '127.0.0.1' };
        const body = JSON.parse(await bodyFrom(target)) as [string | null, string];
        seen.push([server instanceof Server, typeof address === 'string' || address.port > 0, body]);
        server.close();
      }
      const responses = framework();
      responses.get('/', (_req, res) => res.json({ seen, told }));
      return responses;
    },
    requests: [
      get('/').expect({
        json: {
          seen: [
            [true, true, ['::ffff:127.0.0.1', 'http']],
            [true, true, ['::ffff:127.0.0.1', 'http']],
            [true, true, ['127.0.0.1', 'http']],
            [true, true, [null, 'http']],
          ],
          told: [0, 0],
        },
      }),
    ],
  }),
  scenario({
    name: 'app.listen calls its callback once with a listen error, and emits the error without a callback',
    clauses: ['F-4.2-60'],
    async build({ framework }) {
      const taken = framework().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      const told: unknown[] = [];
      const server = framework().listen(port, '127.0.0.1', (error?: unknown) => {
        told.push((error as NodeJS.ErrnoException | undefined)?.code ?? null);
      });
      await once(server, 'error');
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      server.on('error', () => undefined);
      server.emit('error', Object.assign(new Error('late'), { code: 'LATE' }));
      const bare = framework().listen(port, '127.0.0.1');
      const listeners = bare.listenerCount('error');
      const [lost] = (await once(bare, 'error')) as [NodeJS.ErrnoException];
      taken.close();
      server.close();
      const app = framework();
      app.get('/', (_req, res) => res.json({ told, listeners, lost: lost.code }));
      return app;
    },
    requests: [get('/').expect({ json: { told: ['EADDRINUSE'], listeners: 0, lost: 'EADDRINUSE' } })],
  }),
  scenario({
    name: 'a request listener before the application receives a plain request and response of Node.js',
    clauses: ['F-1-02', 'F-4.2-58'],
    async build({ framework }) {
      const seen: unknown[] = [];
      for (const isOwn of [true, false]) {
        const app = framework();
        app.get('/', (req, res) => res.json(req.app === app));
        const server = isOwn ? app.listen(0, '127.0.0.1') : createServer(app).listen(0, '127.0.0.1');
        if (!server.listening) await once(server, 'listening');
        const { port } = server.address() as AddressInfo;
        const target = { port, host: '127.0.0.1' };
        seen.push(await bodyFrom(target));
        server.prependListener('request', (req, res) => {
          const isPlain = Object.getPrototypeOf(req) === IncomingMessage.prototype;
          seen.push(isPlain, Object.getPrototypeOf(res) === ServerResponse.prototype);
        });
        seen.push(await bodyFrom(target));
        server.close();
      }
      const responses = framework();
      responses.get('/', (_req, res) => res.json(seen));
      return responses;
    },
    requests: [get('/').expect({ json: ['true', true, true, 'true', 'true', true, true, 'true'] })],
  }),
];
