// Writes the table of docs/security/strict.md: which requirements of RFC 9110 and RFC 9112 each framework meets, by the
// probes of spec/security/rfc-probes.ts. Run this script after a change to the probes or to a framework's version, after
// a build. The first run installs fastify, which takes the npm registry.
//
//   npm run generate -- rfc
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { join } from 'node:path';
import express from 'express';
import express5 from 'express/package.json';
import framework from 'nozomi';
import { strict } from 'nozomi/extras';
import { install } from '../../parity/harness/packages';
import { addRoutes, FILES, isMet, PROBES, send } from '../../spec/security/rfc-probes';
import type { Framework } from '../../spec/support/both';
import { close, portOf } from '../../spec/support/serve';
import packages from '../bench/packages/load.cjs';
import manifest from '../bench/packages/package.json';
import { table } from '../document';
import { pageWith, root, runGenerator } from './page';

const PAGE = 'docs/security/strict.md';
const nozomi = framework as unknown as Framework;

/** The servers with the same routes, by the heading of their column. */
const SERVERS: Readonly<Record<string, () => Server | Promise<Server>>> = {
  'with `strict`': () => addRoutes(nozomi, strict(nozomi())).listen(0, '127.0.0.1'),
  without: () => addRoutes(nozomi, nozomi()).listen(0, '127.0.0.1'),
  Express: () => addRoutes(express, express()).listen(0, '127.0.0.1'),
  fastify: serveFastify,
  Hono: serveHono,
};

runGenerator(async () => ({ [PAGE]: pageWith(PAGE, { rfc: await compose() }) }));

async function compose(): Promise<string> {
  install(join(root, 'scripts', 'bench', 'packages'), 'rfc');
  const met = new Map<string, boolean[]>();
  for (const [name, serve] of Object.entries(SERVERS)) {
    const server = await serve();
    if (!server.listening) await once(server, 'listening');
    const results: boolean[] = [];
    for (const [, request, meets] of PROBES) results.push(isMet(meets, await send(portOf(server), request)));
    met.set(name, results);
    await close(server);
  }
  const columns = [...met.values()];
  const rows = PROBES.map(([what], i) => [
    what,
    ...columns.map((results) => (results[i] ? 'yes' : '**no**')),
  ]);
  const counts = columns.map((results) => `${results.filter(Boolean).length}`);
  const { fastify, hono } = manifest.dependencies;
  return `${table(['', ...met.keys()], [[`met, of ${PROBES.length}`, ...counts], ...rows])}
*Written by \`npm run generate -- rfc\`, with Node.js ${process.version}, Express ${express5.version}, fastify ${fastify} and Hono ${hono}.*
`;
}

async function serveFastify(): Promise<Server> {
  const app = packages.require('fastify')();
  app.register(packages.require('@fastify/formbody'));
  app.register(packages.require('@fastify/static'), { root: FILES, prefix: '/files/' });
  // biome-ignore lint/suspicious/noExplicitAny: the types of fastify are not installed here.
  type Reply = { send(value: unknown): void; code(status: number): Reply } & any;
  app.get('/host', (request: { host: string }, reply: Reply) => reply.send(`host ${request.host}`));
  app.get('/empty', (_request: unknown, reply: Reply) => reply.code(204).send());
  app.all('/any', (request: IncomingMessage, reply: Reply) => reply.send(request.headers));
  app.get('/last', (_request: unknown, reply: Reply) => reply.send('the last'));
  app.get('/', (_request: unknown, reply: Reply) => reply.send('a'));
  app.post('/', (_request: unknown, reply: Reply) => reply.send('b'));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server;
}

function serveHono(): Server {
  const { Hono } = packages.require('hono');
  const { serve } = packages.require('@hono/node-server');
  const { serveStatic } = packages.require('@hono/node-server/serve-static');
  // biome-ignore lint/suspicious/noExplicitAny: the types of Hono are not installed here.
  type Context = any;
  const app = new Hono();
  const rewriteRequestPath = (path: string): string => path.replace('/files', '');
  app.get('/files/*', serveStatic({ root: FILES, rewriteRequestPath }));
  app.get('/host', (c: Context) => c.text(`host ${new URL(c.req.url).host}`));
  app.get('/empty', (c: Context) => c.body(null, 204));
  app.all('/any', (c: Context) => c.json(c.req.header()));
  app.get('/last', (c: Context) => c.text('the last'));
  app.get('/', (c: Context) => c.text('a'));
  app.post('/', async (c: Context) => {
    const type = c.req.header('content-type') ?? '';
    if (type.startsWith('application/json')) await c.req.json();
    else await c.req.text();
    return c.text('b');
  });
  return serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
}
