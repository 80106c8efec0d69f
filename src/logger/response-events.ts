/**
 * The two moments of a response that the logger waits for: its head is written, it is over. L-2.4-16 L-4-18
 *
 * Both are those of on-headers and on-finished, which take the cases that are not plain; the plain ones, a
 * response of Node's own, are watched by one closure and two listeners instead of their generic wrapping.
 */
import { AsyncResource } from 'node:async_hooks';
import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { lazy } from '../wire/lazy';

const onFinished = lazy<typeof import('on-finished')>(() => require('on-finished'));
const onHeaders = lazy<typeof import('on-headers')>(() => require('on-headers'));

const { on } = ServerResponse.prototype;

type WriteHead = ServerResponse['writeHead'];

/** Call `listener` once, before the head of `res` is written and after its last field was set. */
export function onHead(res: ServerResponse, listener: (res: ServerResponse) => void): void {
  const previous = res.writeHead;
  let generic: WriteHead | undefined;
  let fired = false;

  // Not assigned as it is written: V8 makes such a function in the old generation, and its response with it.
  const observed = function writeHead(this: ServerResponse, ...args: Parameters<WriteHead>) {
    if (args.length !== 1 || !Number.isInteger(args[0])) {
      generic ??= wrapGeneric(previous, () => {
        if (!fired) listener(res);
        fired = true;
      });
      return generic.apply(this, args);
    }
    // The implicit head, and `writeHead(status)`: no fields to set first.
    this.statusCode = args[0];
    if (!fired) listener(res);
    fired = true;
    return previous.call(this, this.statusCode);
  } as WriteHead;
  res.writeHead = observed;
}

function wrapGeneric(writeHead: WriteHead, listener: () => void): WriteHead {
  const carrier = { writeHead } as ServerResponse;
  onHeaders()(carrier, listener);
  return carrier.writeHead;
}

const kWaiting: unique symbol = Symbol('waiting');

interface Waiting {
  readonly listener: () => void;
  readonly context: AsyncResource;
}

interface WatchedResponse extends ServerResponse {
  [kWaiting]?: Waiting[] | undefined;
  /** The queue of on-finished, once somebody uses it on this response. */
  readonly __onFinished?: unknown;
}

/**
 * Call `listener` once when `res` is sent or its connection is gone, in the async context of now.
 * A response that is over already calls it soon.
 */
export function onOver(res: WatchedResponse, listener: () => void): void {
  if (!isPlain(res)) {
    onFinished()(res, listener);
    return;
  }
  const waiting: Waiting = { listener, context: new AsyncResource('logRequest') };
  if (res[kWaiting]) {
    res[kWaiting].push(waiting);
    return;
  }
  res[kWaiting] = [waiting];
  res.on('finish', runWaiting);
  res.on('close', runWaiting);
  watchErrors(res.socket as WatchedSocket, res);
}

const kResponse: unique symbol = Symbol('response');

/** A connection, with the response that it carries now. */
interface WatchedSocket extends Socket {
  [kResponse]?: WatchedResponse | undefined;
}

/** A connection that fails, by bytes that are no request for instance, emits `error` some turns before its response `close`. */
function watchErrors(socket: WatchedSocket, res: WatchedResponse): void {
  if (!(kResponse in socket)) socket.on('error', runWaitingOf);
  socket[kResponse] = res;
}

function runWaitingOf(this: WatchedSocket): void {
  const res = this[kResponse];
  if (res) runWaiting.call(res);
}

/** A response of Node's that is under way, without a queue whose order would have to be kept. */
function isPlain(res: WatchedResponse): boolean {
  return (
    res instanceof ServerResponse &&
    res.on === on &&
    !res.writableEnded &&
    !res.__onFinished &&
    // One that waits behind another has no socket yet; from Node.js 24 on, it closes without ever having had one,
    // which on-finished does not take for an end.
    res.socket?.writable === true
  );
}

function runWaiting(this: WatchedResponse): void {
  const waiting = this[kWaiting];
  this[kWaiting] = undefined;
  const socket = this.socket as WatchedSocket | null;
  if (socket) socket[kResponse] = undefined;
  if (waiting) for (const { listener, context } of waiting) context.runInAsyncScope(listener);
}
