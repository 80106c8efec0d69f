/**
 * Serves applications that fail as each request describes, with the implementation that the first argument names. Sends
 * its port to the parent process. `GET /uncaught` responds with the uncaught errors since its last request.
 *
 * A child process, because Express leaves errors uncaught, and Express 3 changes the prototypes of Node.js.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type express from 'express';
import type { Case, Field, Thrown } from '../7-errors/hostile-errors';

const framework = require(process.argv[2] as string) as typeof express;

const uncaught: string[] = [];
process.on('uncaughtException', (error) => uncaught.push(String(Object(error).code)));

const fail = (): never => {
  throw new Error('of a getter');
};

const VALUES: Readonly<Record<string, unknown>> = {
  'null-prototype': Object.create(null),
  symbol: Symbol('field'),
  'not-a-number': Number.NaN,
  throwing: { toString: fail, valueOf: fail },
};

function define(target: object, name: string, field: Field): void {
  const value = typeof field.special === 'string' ? VALUES[field.special] : field.value;
  const descriptor = field.special === 'getter' ? { get: fail } : { value, writable: true };
  Object.defineProperty(target, name, { ...descriptor, configurable: true, enumerable: true });
}

function create({ kind, value, fields }: Thrown): unknown {
  if (kind === 'primitive') return value;
  const target =
    kind === 'error' ? new Error('failed') : kind === 'bare' ? Object.create(null) : { message: 'failed' };
  for (const [name, field] of Object.entries(fields)) define(target, name, field);
  if (kind === 'frozen') return Object.freeze(target);
  return kind === 'proxy' ? new Proxy(target, { getPrototypeOf: fail, ownKeys: fail }) : target;
}

const app = framework();
app.get('/uncaught', (_req, res) => {
  res.json(uncaught.splice(0));
});
app.use((req, res, next) => {
  const { way, thrown, status, message, headers }: Case = JSON.parse(
    decodeURIComponent(String(req.headers['x-case'])),
  );
  for (const [name, text] of Object.entries(headers)) res.setHeader(name, text);
  if (status !== undefined) res.statusCode = status === null ? Number.NaN : status;
  if (message !== undefined) res.statusMessage = message;
  const err = create(thrown);
  if (way === 'throw') throw err;
  if (way === 'begun') res.write('begun');
  if (way === 'later') setImmediate(() => next(err));
  else next(err);
});

const server = createServer(app);
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
