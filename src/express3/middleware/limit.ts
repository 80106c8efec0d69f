/** `limit`: sets the maximum length of a body. §9.3 */
import type { IncomingMessage } from 'node:http';
import parseBytes from 'bytes';
import depd from 'depd';
import createError from 'http-errors';
import { named } from '../../wire/named';
import type { Middleware } from './types';

const deprecate = depd('connect');

/**
 * Creates middleware that sends 413 if the announced length exceeds the limit, and closes the connection if the
 * actual length does.
 *
 * @param bytes A number, or a string such as `'5mb'`.
 * @throws {Error} for any other value.
 */
export function limit(bytes: number | string): Middleware {
  deprecate('limit: Restrict request size at location of read');
  const most = toBytes(bytes);

  return named('limit', (req: IncomingMessage & { _limit?: boolean }, _res, next) => {
    if (req._limit) return next();
    req._limit = true;
    if (Number(req.headers['content-length']) > most) return next(createError(413));

    let received = 0;
    const count = (chunk: Buffer | string): void => {
      received += Buffer.byteLength(chunk);
      if (received > most) req.destroy();
    };
    // Waits until other code reads the body: a `data` listener of its own would start the stream.
    req.on('newListener', function wait(event) {
      if (event !== 'data') return;
      req.removeListener('newListener', wait);
      process.nextTick(() => req.on('data', count));
    });
    next();
  });
}

/**
 * The limit as a number of bytes.
 *
 * @throws {Error} for any other value, also for NaN, which no length exceeds.
 */
export function toBytes(limit: unknown): number {
  const bytes = typeof limit === 'string' ? parseBytes.parse(limit) : limit;
  if (typeof bytes !== 'number' || Number.isNaN(bytes)) throw new Error('limit() bytes required');
  return bytes;
}
