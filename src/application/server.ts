/**
 * The server of `app.listen`: its requests and responses are born with the application's prototypes. §4.2
 *
 * A prototype that is swapped after the object was made costs more than all the rest of a small request (on
 * Node 20 and 22 about four fifths of it). So the server is given constructors, by the documented options of
 * `http.createServer`, that run the runtime's own on an object which already inherits from `app.request` or
 * `app.response`. Under any other server, and for a program that replaces these two, `adopt` swaps.
 */
import http, { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Application } from '../types';

export function createServer(app: Application): Server {
  const options = {
    IncomingMessage: bornWith(IncomingMessage, app.request),
    ServerResponse: bornWith(ServerResponse, app.response),
  };
  const server = http.createServer(options as http.ServerOptions, app as never);
  // A connection that is handed over, to become a WebSocket say, comes with the runtime's own request: its new
  // owner may assign what ours only reads, such as `req.query`.
  server.emit = function emit(this: Server, event: string, ...args: unknown[]): boolean {
    if (event === 'upgrade' || event === 'connect') Object.setPrototypeOf(args[0], IncomingMessage.prototype);
    return Reflect.apply(http.Server.prototype.emit, this, [event, ...args]);
  };
  return server;
}

/** A constructor that is `base` but for the prototype; `base` itself where that is a class, which must be new'd. */
function bornWith(base: unknown, prototype: object): unknown {
  const construct = base as (this: object, first: unknown, second: unknown) => void;
  if (Function.prototype.toString.call(base).startsWith('class')) return base;

  // Not Reflect.construct: V8 makes the object with a slow map then, which costs as much as the swap.
  function Born(this: object, first: unknown, second: unknown): void {
    construct.call(this, first, second);
  }
  Born.prototype = prototype;
  return Born;
}
