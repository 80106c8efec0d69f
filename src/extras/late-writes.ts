/** Closes a response for a handler whose time is over, while the error handlers use it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ignore } from '../internal/ignore';

/** The methods that change the head. */
// biome-ignore format: a table
const OF_HEAD = [
  'addTrailers', 'appendHeader', 'flushHeaders', 'removeHeader', 'setHeader', 'setHeaders',
  'writeContinue', 'writeEarlyHints', 'writeHead', 'writeProcessing',
];

/**
 * For calls for which `isLate` is true, the response behaves as one whose client has disconnected: it drops what they
 * write, and does not throw. After the response has ended, it does the same for all calls that change the head.
 */
export function closeLateWrites(
  req: IncomingMessage & { next?: unknown },
  res: ServerResponse,
  isLate: () => boolean,
): void {
  const isClosed = (): boolean => res.finished;
  for (const name of OF_HEAD) replace(name, isClosed, () => res);
  replace('destroy', isLate, () => res);
  replace('write', isLate, fail);
  replace('end', isLate, (args) => {
    fail(args);
    return res;
  });
  // Node.js emits an error for data after the end.
  res.on('error', ignore);

  // Middleware that wraps `end`, such as sessions, may call the original method late: Node.js then drops the data.
  shadow(res, 'finished', (value) => value || isLate());
  for (const name of ['statusCode', 'statusMessage']) shadow(res, name, (value) => value, isClosed);
  // `res.sendFile` and `res.render` call `req.next` for an error, but a request that is over has none.
  shadow(req, 'next', (value) => (isLate() ? ignore : value));
  // The final handler closes the connection for an error after the head, but the next request may already use it.
  const kept = Object.create(req.socket, { destroy: { value: () => kept } });
  shadow(req, 'socket', (value) => (isLate() ? kept : value));

  function replace(name: string, isDropped: () => boolean, drop: (args: unknown[]) => unknown): void {
    const method: unknown = Reflect.get(res, name);
    if (typeof method !== 'function') return;
    const value = (...args: unknown[]): unknown =>
      isDropped() ? drop(args) : Reflect.apply(method, res, args);
    Object.defineProperty(res, name, { configurable: true, writable: true, value });
  }
}

/** Does what Node.js does for a write to a closed connection. */
function fail(args: unknown[]): false {
  const callback = args.find((arg) => typeof arg === 'function');
  const err = Object.assign(new Error('the time to respond is over'), { code: 'ERR_STREAM_DESTROYED' });
  if (callback) process.nextTick(callback, err);
  return false;
}

/** Shadows a property: `read` converts its value, and while `isDropped` is true, changes are dropped. */
function shadow(
  target: object,
  name: string,
  read: (value: unknown) => unknown,
  isDropped = (): boolean => false,
): void {
  let value: unknown = Reflect.get(target, name);
  const get = (): unknown => read(value);
  const set = (given: unknown): void => {
    if (!isDropped()) value = given;
  };
  Object.defineProperty(target, name, { configurable: true, enumerable: true, get, set });
}
