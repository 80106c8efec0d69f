/** `limit`: sets the maximum length of a body. §9.3 */
import type { IncomingMessage } from 'node:http';
import parseBytes from 'bytes';
import deprecateFor from 'depd';
import createError from 'http-errors';
import { named } from '../../internal/named';
import type { Middleware } from './types';

const deprecate = deprecateFor('connect');

/**
 * Creates middleware that limits the length of a body. A request fails with 413 if `Content-Length` exceeds the limit.
 * If the received bytes exceed it, the middleware closes the connection.
 *
 * @param bytes A number of bytes, or a string such as `'5mb'`.
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
    // Count only after another `data` listener exists: the first `data` listener makes the stream flow.
    req.on('newListener', function wait(event) {
      if (event !== 'data') return;
      req.removeListener('newListener', wait);
      process.nextTick(() => req.on('data', count));
    });
    next();
  });
}

/**
 * Converts a limit to a number of bytes.
 *
 * @throws {Error} for anything but a number or a string such as `'5mb'`. NaN is refused, because no length exceeds it.
 */
export function toBytes(limit: unknown): number {
  const bytes = typeof limit === 'string' ? parseBytes.parse(limit) : limit;
  if (typeof bytes !== 'number' || Number.isNaN(bytes)) throw new Error('limit() bytes required');
  return bytes;
}
