/**
 * Servers of `node:http2` whose requests get no objects of Node.js's compatibility interface, which the application would
 * only replace.
 *
 * As for HTTP/1.1 (application/server.ts), nothing but the application may notice. Node.js makes its own objects for another
 * listener for streams or requests, for `Expect` and `CONNECT`, and where `emit` of the server is not that of Node.js.
 */
import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Server } from 'node:net';
import type { ServedApplication } from '../application/server';
import type { Exchange } from './exchange';

/** Makes the messages of a stream. */
export type OpenExchange = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  app: ServedApplication,
) => Exchange;

const { emit: emitEvent } = EventEmitter.prototype;

/**
 * Let a server make the messages for its application by `open`, as long as the application is all that listens.
 *
 * @param server One with Node.js's classes for requests and responses.
 */
export function adoptHttp2Server(server: Server, app: ServedApplication, open: OpenExchange): void {
  // The listener that Node.js adds when there is one for requests: it makes the objects.
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
    if (event === 'stream' && isPlain(headers) && reachesOnlyApplication(this)) {
      const { req, res } = open(stream, headers, rawHeaders, app);
      return emitEvent.call(this, 'request', req, res);
    }
    // biome-ignore lint/complexity/noArguments: passed on as they are, for which V8 allocates no array.
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

function isPlain(headers: IncomingHttpHeaders): boolean {
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
