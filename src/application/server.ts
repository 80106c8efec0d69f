/**
 * The server of `app.listen`: its requests and responses are born with the application's prototypes. §4.2
 *
 * A prototype that is swapped after the object was made costs more than all the rest of a small request on
 * Node 20. So `app.request` and `app.response` are the prototypes of classes derived from the runtime's, and the
 * server is given these classes by the documented options of `http.createServer`. Under any other server, and
 * for a program that replaces the two, `adopt` swaps.
 */
import http, { IncomingMessage, type Server, ServerResponse } from 'node:http';
import { ListedResponse } from '../response/field-list';
import type { Application, Request, Response } from '../types';

type NativeClass = { prototype: object };

const classes = new WeakMap<object, NativeClass>();

/** A prototype for the requests of an application, over `request`. */
export function createRequestPrototype(request: Request, app: Application): Request {
  return createPrototype(class extends IncomingMessage {}, request, app);
}

/** A prototype for the responses of an application, over `response`. */
export function createResponsePrototype(response: Response, app: Application): Response {
  return createPrototype(class extends ListedResponse {}, response, app);
}

export function createServer(app: Application): Server {
  const options = {
    IncomingMessage: (classes.get(app.request) ?? IncomingMessage) as typeof IncomingMessage,
    ServerResponse: (classes.get(app.response) ?? ServerResponse) as typeof ServerResponse,
  };
  const server = http.createServer(options, app as never);
  // A connection that is handed over, to become a WebSocket say, comes with the runtime's own request: its new
  // owner may assign what ours only reads, such as `req.query`.
  server.emit = function emit(this: Server, event: string, req?: unknown): boolean {
    if (event === 'upgrade' || event === 'connect') Object.setPrototypeOf(req, IncomingMessage.prototype);
    // biome-ignore lint/complexity/noArguments: handed on as they are, where V8 makes no array of them.
    return Reflect.apply(http.Server.prototype.emit, this, arguments);
  };
  return server;
}

/** The prototype of a class, looking like an object made over `inherited`. */
function createPrototype<Prototype extends object>(
  derived: NativeClass,
  inherited: Prototype,
  app: Application,
): Prototype {
  const prototype = derived.prototype as Prototype;
  Object.setPrototypeOf(prototype, inherited);
  Reflect.deleteProperty(prototype, 'constructor');
  Object.defineProperty(prototype, 'app', {
    configurable: true,
    enumerable: true,
    writable: true,
    value: app,
  });
  classes.set(prototype, derived);
  return prototype;
}
