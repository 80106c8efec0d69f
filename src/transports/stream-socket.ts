/**
 * The socket of a request over a stream (HTTP/2, fetch): `req.socket`, `res.socket`.
 *
 * `IncomingMessage` and `ServerResponse` of Node.js use it like the socket of an HTTP/1.1 connection. Its methods
 * affect the stream of this request only, never the connection, which other requests share.
 */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { constructible } from '../internal/constructible';

/** Properties of the connection, with the names of a `TLSSocket`. */
export interface Connection {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  readonly remoteFamily?: string | undefined;
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly localFamily?: string | undefined;
  readonly encrypted?: boolean | undefined;
  readonly authorized?: boolean | undefined;
  readonly authorizationError?: unknown;
  readonly alpnProtocol?: string | false | null | undefined;
  readonly servername?: string | false | null | undefined;
  /** The actual socket, for the methods in `METHODS`; undefined if there is none. */
  readonly socket?: object | undefined;
}

// biome-ignore format: a table
const ADDRESSES = [
  'remoteAddress', 'remotePort', 'remoteFamily', 'localAddress', 'localPort', 'localFamily',
] as const;
/** Ordinary properties of a `TLSSocket`: middleware may set them, for example `encrypted` behind a proxy. */
const SETTABLE = ['encrypted', 'authorized', 'authorizationError', 'alpnProtocol', 'servername'] as const;
/** Properties of the stream. */
// biome-ignore format: a table
const OF_STREAM = [
  'errored', 'writableLength', 'writableHighWaterMark', 'readableHighWaterMark', '_writableState',
] as const;
/** Whether the stream has closed. Node.js emits no `finish` for a response whose socket has `_hadError`. */
const CLOSED = ['destroyed', 'closed', '_hadError'] as const;
const OPEN = ['readable', 'writable'] as const;
/** Methods without an effect, because other requests share the connection. */
const IGNORED = ['setNoDelay', 'setKeepAlive', 'ref', 'unref'] as const;
// biome-ignore format: a table
const METHODS = [
  'address', 'getCertificate', 'getCipher', 'getPeerCertificate', 'getPeerX509Certificate',
  'getProtocol', 'getSession', 'getX509Certificate', 'isSessionReused',
] as const;

/** The operations on a stream that its messages use. */
export interface StreamControl {
  /** Starts passing request data to the `IncomingMessage`; called again after `pause`. */
  resume(): void;
  /** Aborts the stream, as `destroy` does for a connection. `err` is the cause. */
  cancel(err?: Error): void;
}

/** A stream of Node.js, with members that only some streams have. */
interface SocketStream extends Duplex {
  readonly _writableState?: unknown;
  setTimeout?(ms: number): void;
}

/** `EventEmitter` without the work of its constructor: most of these sockets never get a listener. */
const LazyEmitter: new () => EventEmitter = constructible(emptyConstructor);
function emptyConstructor(this: EventEmitter): void {}
LazyEmitter.prototype = EventEmitter.prototype;

export class StreamSocket extends LazyEmitter {
  /** The response that uses this socket; null after its end. `assignSocket` of Node.js sets the same property. */
  _httpMessage: ServerResponse | null = null;
  /** Whether the stream has closed: no more data is received or sent. */
  isGone = false;

  // Not `#stream`: code may use an object that inherits from a socket.
  readonly stream: SocketStream;
  readonly control: StreamControl;
  readonly connection: Connection;

  constructor(stream: SocketStream, control: StreamControl, connection: Connection) {
    super();
    this.stream = stream;
    this.control = control;
    this.connection = connection;
  }

  /**
   * Reports one cork, so that `res.write` does not cork the stream for the rest of the tick: Node.js would then pass
   * all buffered chunks to an HTTP/2 stream in one write, and never subtract them from the memory of the session
   * (`maxSessionMemory`) if the client cancels.
   */
  get writableCorked(): number {
    return 1;
  }

  cork(): void {
    this.stream.cork();
  }
  uncork(): void {
    this.stream.uncork();
  }
  write(...args: Parameters<Duplex['write']>): boolean {
    return this.stream.write(...args);
  }
  /** Ends the stream of this request after pending writes; the connection stays open. */
  end(...args: unknown[]): this {
    Reflect.apply(this.stream.end, this.stream, args);
    return this;
  }
  pause(): this {
    this.stream.pause();
    return this;
  }
  resume(): this {
    if (!this.isGone) this.control.resume();
    return this;
  }
  destroy(err?: Error): this {
    if (this.isGone) return this;
    // Without a listener, `emit` would throw. Over HTTP/1.1, Node.js's server itself has a listener for this event.
    if (err && this.listenerCount('error') > 0) this.emit('error', err);
    this.control.cancel(err);
    return this;
  }
  destroySoon(): void {
    this.end();
  }
  setTimeout(ms: number, callback?: () => void): this {
    if (callback) this.once('timeout', callback);
    this.stream.setTimeout?.(ms);
    return this;
  }
}

type Read = (socket: StreamSocket, name: string) => unknown;

/** Defines getters on the prototype. With `isSettable`, code can also assign a value to one socket. */
function defineGetters(names: readonly string[], read: Read, isSettable = false): void {
  for (const name of names) {
    Object.defineProperty(StreamSocket.prototype, name, {
      configurable: true,
      get(this: StreamSocket) {
        return read(this, name);
      },
      ...(isSettable && {
        set(this: StreamSocket, value: unknown) {
          Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
        },
      }),
    });
  }
}

defineGetters(CLOSED, ({ isGone }) => isGone);
defineGetters(OPEN, ({ isGone }) => !isGone);
defineGetters(OF_STREAM, ({ stream }, name) => Reflect.get(stream, name));
defineGetters(ADDRESSES, ({ connection }, name) => Reflect.get(connection, name));
defineGetters(SETTABLE, ({ connection }, name) => Reflect.get(connection, name), true);
defineGetters(METHODS, ({ connection: { socket } }, name) => {
  const method: unknown = socket && Reflect.get(socket, name);
  return typeof method === 'function' ? method.bind(socket) : undefined;
});
for (const name of IGNORED) {
  Object.defineProperty(StreamSocket.prototype, name, {
    configurable: true,
    writable: true,
    value(this: StreamSocket) {
      return this;
    },
  });
}
