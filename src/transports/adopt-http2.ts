/**
 * Makes a server of `node:http2` create the messages for its application directly, without the objects of Node.js's
 * compatibility API, which would be replaced at once.
 *
 * As over HTTP/1.1 (application/server.ts), other code must not notice the difference. So Node.js creates its own
 * objects if another listener for streams or requests exists, for `Expect` and `CONNECT`, and if code has replaced the
 * server's `emit`.
 */
import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Server } from 'node:net';
import type { ServedApplication } from '../application/server';
import type { Exchange } from './exchange';

/** Creates the messages (request and response) of a stream. */
export type OpenExchange = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  app: ServedApplication,
) => Exchange;

const { emit: emitEvent } = EventEmitter.prototype;

/**
 * Makes a server create the messages of its application with `open`, as long as no other listener for streams or
 * requests is added.
 *
 * @param server A server with Node.js's classes for requests and responses.
 */
export function adoptHttp2Server(server: Server, app: ServedApplication, open: OpenExchange): void {
  // Node.js adds this listener when the server gets a listener for requests; it creates the compatibility objects.
  const listener = onlyListener(server, 'stream');
  if (!listener || !isOnlyListener(server, app) || server.emit !== emitEvent || !Object.isExtensible(server))
    return;

  function emit(
    this: Server,
    event: string,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    _flags: number,
    rawHeaders: string[],
  ): boolean {
    if (event === 'stream' && isOrdinary(headers) && reachesOnlyApplication(this)) {
      const { req, res } = open(stream, headers, rawHeaders, app);
      return emitEvent.call(this, 'request', req, res);
    }
    // biome-ignore lint/complexity/noArguments: V8 allocates no array for `arguments` that is only forwarded.
    return Reflect.apply(inheritedEmit(this), this, arguments);
  }

  function reachesOnlyApplication(given: Server): boolean {
    return (
      given.emit === emit &&
      inheritedEmit(given) === emitEvent &&
      onlyListener(given, 'stream') === listener &&
      isOnlyListener(given, app)
    );
  }

  Object.defineProperty(server, 'emit', { value: emit, configurable: true, writable: true });
}

function isOrdinary(headers: IncomingHttpHeaders): boolean {
  return headers.expect === undefined && headers[':method'] !== 'CONNECT';
}

function inheritedEmit(server: Server): Server['emit'] {
  return Object.getPrototypeOf(server).emit;
}

function isOnlyListener(server: Server, app: ServedApplication): boolean {
  return onlyListener(server, 'request') === app;
}

function onlyListener(server: Server, event: string): unknown {
  return server.listenerCount(event) === 1 ? server.rawListeners(event)[0] : undefined;
}
