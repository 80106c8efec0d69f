/** `limit`: the maximum length of a body. §9.3 */
import type { IncomingMessage } from 'node:http';
import parseBytes from 'bytes';
import depd from 'depd';
import createError from 'http-errors';
import { named } from '../../wire/named';
import type { Middleware } from './types';

const deprecate = depd('connect');

/**
 * Refuses a longer announced length with 413; closes the connection if the body turns out longer.
 *
 * @param bytes A number, or text such as `'5mb'`.
 * @throws {Error} for anything else.
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
    // A `data` listener would start the stream; the code that reads the body does that.
    req.on('newListener', function wait(event) {
      if (event !== 'data') return;
      req.removeListener('newListener', wait);
      process.nextTick(() => req.on('data', count));
    });
    next();
  });
}

/** @throws {Error} for anything but a number of bytes; also for NaN, which no length exceeds. */
export function toBytes(limit: unknown): number {
  const bytes = typeof limit === 'string' ? parseBytes.parse(limit) : limit;
  if (typeof bytes !== 'number' || Number.isNaN(bytes)) throw new Error('limit() bytes required');
  return bytes;
}
