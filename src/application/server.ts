/**
 * The objects that a server creates for the requests of an application. §4.2
 *
 * Express changes the prototypes of every request and response. Here the server creates them with the application's
 * prototypes: the server of `app.listen` by the documented options `IncomingMessage` and `ServerResponse`, a server of
 * the application's author from its first request on (`adoptServer`). Code that runs before the application must not
 * notice, so request and response are plain Node.js objects for other listeners, for responses that Node.js sends
 * itself, for `upgrade`, and if a prototype of the application overrides a property that Node.js uses.
 */
import type { EventEmitter } from 'node:events';
import http, { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { AnyApplication } from '../types';
import { lazy } from '../wire/lazy';
import { classOf, prototypeOf, prototypeReads } from './prototypes';

export type RequestClass = new (...args: ConstructorParameters<typeof IncomingMessage>) => IncomingMessage;
export type ResponseClass = new (req: IncomingMessage, options?: object) => ServerResponse;

/** The server calls it with objects of the application's own classes. */
// biome-ignore lint/suspicious/noExplicitAny: each series types its own.
export type ServedApplication = AnyApplication & ((req: any, res: any) => void);

/** A request of Node.js's compatibility interface for HTTP/2. */
export type CompatibleRequest = IncomingMessage & Pick<Http2ServerRequest, 'stream' | 'headers'>;

/** Creates the objects of one server. */
export interface ServerObjects {
  app: ServedApplication;
  /** Both classes of Node.js if a prototype of the application overrides a property that Node.js uses. */
  requestClass: RequestClass;
  responseClass: ResponseClass;
  /** `prototypeReads` at the time of choosing the classes. */
  reads: number;
}

const objectsOf = new WeakMap<Server, ServerObjects>();

/** Creates a server for an application, as `http.createServer(app)`. */
export function createServer(app: ServedApplication): Server {
  const objects = createObjects(app);
  const { createRequest, createResponse } = constructorsFor(() => server, objects);
  const options = { IncomingMessage: createRequest, ServerResponse: createResponse } as http.ServerOptions;
  const server = http.createServer(options, app);
  objectsOf.set(server, objects);
  server.emit = emit;
  return server;
}

/**
 * Lets a server that calls the application create objects like the server of `app.listen`, if they are equivalent: it
 * is Node.js's, with Node.js's classes, and the application is its first request listener.
 */
export function adoptServer(server: Server, app: ServedApplication): void {
  const known = objectsOf.get(server);
  if (known) {
    if (known.app !== app && isFirstListener(server, app)) Object.assign(known, createObjects(app));
    return;
  }
  const keys = classKeys();
  if (!keys || !isFirstListener(server, app)) return;
  if (!Object.isExtensible(server) || Object.hasOwn(server, 'emit')) return;
  const classes = server as Server & Record<symbol, unknown>;
  if (classes[keys.request] !== IncomingMessage || classes[keys.response] !== ServerResponse) return;
  const objects = createObjects(app);
  const { createRequest, createResponse } = constructorsFor(() => server, objects);
  classes[keys.request] = createRequest;
  classes[keys.response] = createResponse;
  objectsOf.set(server, objects);
  Object.defineProperty(server, 'emit', { value: emit, configurable: true, writable: true });
}

/** Node.js's private symbols for the two classes of a server; found by value, not by name. */
const classKeys = lazy((): { request: symbol; response: symbol } | undefined => {
  const options = {
    IncomingMessage: class extends IncomingMessage {},
    ServerResponse: class extends ServerResponse {},
  };
  const probe = http.createServer(options as http.ServerOptions) as Server & Record<symbol, unknown>;
  const symbols = Object.getOwnPropertySymbols(probe);
  const request = symbols.find((symbol) => probe[symbol] === options.IncomingMessage);
  const response = symbols.find((symbol) => probe[symbol] === options.ServerResponse);
  return request && response ? { request, response } : undefined;
});

/** The constructors that Node.js calls for each request, and then for its response. */
function constructorsFor(
  server: () => Server,
  objects: ServerObjects,
): Record<'createRequest' | 'createResponse', unknown> {
  function createRequest(...args: ConstructorParameters<typeof IncomingMessage>): IncomingMessage {
    if (prototypeReads(objects.app) !== objects.reads) Object.assign(objects, createObjects(objects.app));
    return new objects.requestClass(...args);
  }
  function createResponse(req: IncomingMessage, options?: object): ServerResponse {
    if (objects.requestClass !== IncomingMessage) {
      if (reachesApplication(server(), objects.app, req)) return new objects.responseClass(req, options);
      Object.setPrototypeOf(req, IncomingMessage.prototype);
    }
    return new PlainResponse(req, options);
  }
  return { createRequest, createResponse };
}

// @types/node omits the options.
export const PlainResponse: ResponseClass = ServerResponse as ResponseClass;

/** Whether Node.js passes a request to the application first, and does not respond itself. */
function reachesApplication(server: Server, app: ServedApplication, { headers }: IncomingMessage): boolean {
  return (
    // Node.js responds 400 without a host, 417 or 100 for an expectation, 503 above the limit.
    headers.host !== undefined &&
    headers.expect === undefined &&
    !server.maxRequestsPerSocket &&
    isFirstListener(server, app) &&
    server.emit === emit
  );
}

/**
 * Whether a request is of Node.js's compatibility interface for HTTP/2, whose classes are not those that applications
 * extend. One comparison for a request over HTTP/1.1.
 */
export function isCompatible(req: IncomingMessage): req is CompatibleRequest {
  return req.httpVersionMajor === 2 && !(req instanceof IncomingMessage);
}

/** With Express, listeners after the application see its prototypes, too. */
export function isFirstListener(server: EventEmitter, app: ServedApplication): boolean {
  const [first]: unknown[] = server.rawListeners('request');
  return first === app;
}

/** `emit` of a server that creates the application's objects. */
function emit(this: Server, event: string, first?: unknown): boolean {
  if (event === 'connection') {
    const objects = objectsOf.get(this);
    if (objects) Object.assign(objects, createObjects(objects.app));
  } else if ((event === 'upgrade' || event === 'connect') && first instanceof IncomingMessage) {
    // The new owner of the connection may assign properties that the application's prototypes define as getters, such
    // as `req.query`.
    Object.setPrototypeOf(first, IncomingMessage.prototype);
  }
  // biome-ignore lint/complexity/noArguments: passed on unchanged, for which V8 allocates no array.
  return Reflect.apply(Object.getPrototypeOf(this).emit, this, arguments);
}

export function isApplication(listener: unknown): listener is ServedApplication {
  return typeof listener === 'function' && 'handle' in listener && 'request' in listener && 'set' in listener;
}

/** With classes for the application's current prototypes. */
export function createObjects(app: ServedApplication): ServerObjects {
  const request = prototypeOf(app, 'request');
  const response = prototypeOf(app, 'response');
  const requestClass = classOf(request) as RequestClass | undefined;
  const responseClass = classOf(response) as ResponseClass | undefined;
  const { ofRequest, ofResponse } = nodeProperties();
  const isPlain =
    !requestClass ||
    !responseClass ||
    isNodeChanged() ||
    overridesAny(request, IncomingMessage.prototype, ofRequest) ||
    overridesAny(response, ServerResponse.prototype, ofResponse);
  const reads = prototypeReads(app);
  return isPlain
    ? { app, reads, requestClass: IncomingMessage, responseClass: PlainResponse }
    : { app, reads, requestClass, responseClass };
}

/** Methods that Node.js, and Express for `X-Powered-By`, call before an object has the application's prototype. */
const REQUEST_METHODS = ['_addHeaderLines', '_addHeaderLine', 'emit', 'on'];
const RESPONSE_METHODS = ['assignSocket', '_flush', 'emit', 'on', 'setHeader'];

const nodeMethods = readNodeMethods();

function readNodeMethods(): unknown[] {
  const read = (object: object, names: readonly string[]): unknown[] =>
    names.map((name) => Reflect.get(object, name));
  return [
    ...read(IncomingMessage.prototype, REQUEST_METHODS),
    ...read(ServerResponse.prototype, RESPONSE_METHODS),
  ];
}

/**
 * Whether an application replaced one of them since this module was loaded: the replacement may read what an
 * application adds.
 */
function isNodeChanged(): boolean {
  return readNodeMethods().some((method, index) => method !== nodeMethods[index]);
}

function overridesAny(
  prototype: object,
  inherited: object,
  properties: ReadonlySet<string | symbol>,
): boolean {
  for (let each: object | null = prototype; each !== inherited; each = Object.getPrototypeOf(each)) {
    if (!each || Reflect.ownKeys(each).some((key) => properties.has(key))) return true;
  }
  return false;
}

/** Properties that Node.js may read, assign or call on a request and a response before a listener gets them. */
const nodeProperties = lazy(() => {
  const request = new IncomingMessage(undefined as never);
  const response = new ServerResponse(request);
  return {
    // Express assigns `res` before it sets the prototype.
    ofRequest: propertiesOf(request).add('res'),
    // Node.js assigns it to each response outside of the constructor.
    ofResponse: propertiesOf(response).add('_maxRequestsPerSocket'),
  };
});

function propertiesOf(object: object): Set<string | symbol> {
  const properties = new Set<string | symbol>();
  for (let each = object; each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    for (const key of Reflect.ownKeys(each)) properties.add(key);
  }
  return properties;
}
