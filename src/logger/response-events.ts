/**
 * Calls the logger when the response head is written, and when the response is finished or closed. L-2.4-16 L-4-18
 *
 * For most responses, this module replaces `writeHead` and adds two listeners. It uses on-headers if `writeHead` is
 * called with more than a status, and on-finished for a response that `isPendingInNode` does not accept.
 */
import { AsyncResource } from 'node:async_hooks';
import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import onFinished from 'on-finished';
import onHeaders from 'on-headers';

const { on } = ServerResponse.prototype;

type WriteHead = ServerResponse['writeHead'];

/** Calls `listener` once, after the last header of `res` is set and before its head is written. */
export function onHead(res: ServerResponse, listener: (res: ServerResponse) => void): void {
  const previous = res.writeHead;
  let generic: WriteHead | undefined;
  let fired = false;

  // Assigned through a local: otherwise V8 allocates the closure, and the response it holds, in the old generation.
  const observed = function writeHead(this: ServerResponse, ...args: Parameters<WriteHead>) {
    if (args.length !== 1 || !Number.isInteger(args[0])) {
      generic ??= wrapGeneric(previous, () => {
        if (!fired) listener(res);
        fired = true;
      });
      return generic.apply(this, args);
    }
    // The head is implicit, or the call is `writeHead(status)`: there are no further headers to set first.
    this.statusCode = args[0];
    if (!fired) listener(res);
    fired = true;
    return previous.call(this, this.statusCode);
  } as WriteHead; // The replacement has the same parameters and result, but @types/node declares overloads.
  res.writeHead = observed;
}

function wrapGeneric(writeHead: WriteHead, listener: () => void): WriteHead {
  // A cast: on-headers only needs `writeHead`, because it replaces no other member.
  const carrier = { writeHead } as ServerResponse;
  onHeaders(carrier, listener);
  return carrier.writeHead;
}

const kWatch: unique symbol = Symbol('watch');

interface Waiting {
  readonly listener: () => void;
  readonly context: AsyncResource;
}

/** The listeners of a response, and its socket: Node.js removes `res.socket` before it emits `finish`. */
interface Watch {
  readonly waiting: Waiting[];
  readonly socket: WatchedSocket;
}

interface WatchedResponse extends ServerResponse {
  [kWatch]?: Watch | undefined;
  /** The queue of on-finished, if other middleware uses on-finished for this response. */
  readonly __onFinished?: unknown;
}

/** Calls `listener` once in the current async context, after `res` was sent or its connection closed. */
export function onOver(res: WatchedResponse, listener: () => void): void {
  if (!isPendingInNode(res)) {
    onFinished(res, listener);
    return;
  }
  const waiting: Waiting = { listener, context: new AsyncResource('logRequest') };
  if (res[kWatch]) {
    res[kWatch].waiting.push(waiting);
    return;
  }
  res[kWatch] = { waiting: [waiting], socket: res.socket };
  res.on('finish', runWaiting);
  res.on('close', runWaiting);
  watchSocket(res.socket, res);
}

const kResponse: unique symbol = Symbol('response');

/** A socket and the response that it currently carries. */
interface WatchedSocket extends Socket {
  [kResponse]?: WatchedResponse | undefined;
}

/**
 * Calls the listeners as soon as the socket fails, for example because the client sent bytes that are not HTTP. The
 * response itself emits `close` some ticks later. Also calls them when the socket closes, for a response whose listeners
 * the application has removed.
 */
function watchSocket(socket: WatchedSocket, res: WatchedResponse): void {
  if (!(kResponse in socket)) socket.on('error', runWaitingOf).on('close', runWaitingOf);
  socket[kResponse] = res;
}

function runWaitingOf(this: WatchedSocket): void {
  const res = this[kResponse];
  if (res) runWaiting.call(res);
}

/**
 * Whether this module can watch the response without on-finished: Node.js created the response and its socket, and it is
 * pending.
 *
 * If on-finished already watches the response, this module uses on-finished, too, so that all listeners run in the
 * order of their registration.
 */
function isPendingInNode(res: WatchedResponse): res is WatchedResponse & { readonly socket: Socket } {
  return (
    res instanceof ServerResponse &&
    res.on === on &&
    !res.writableEnded &&
    !res.__onFinished &&
    // A pipelined response has no socket yet, so on-finished waits for one. Since Node.js 24, the response may close
    // without a socket; on-finished then never calls the listener. Packages that need no server give
    // another object, which may have no other methods than on-finished uses.
    res.socket instanceof Duplex &&
    res.socket.writable
  );
}

function runWaiting(this: WatchedResponse): void {
  const { [kWatch]: watch } = this;
  if (!watch) return;
  this[kWatch] = undefined;
  const { waiting, socket } = watch;
  // An open connection must not keep the response. It may already carry the next one.
  if (socket[kResponse] === this) socket[kResponse] = undefined;
  for (const { listener, context } of waiting) context.runInAsyncScope(listener);
}
