/**
 * Lets servers create requests and responses with the prototypes of an application. §4.2
 *
 * Express changes the prototypes of each request and response. Here the server of `app.listen` creates them with the
 * application's prototypes by the options `IncomingMessage` and `ServerResponse` of Node.js; a server that the
 * developer created does so once the application has received a request from it (`adoptServer`). Other code must not
 * notice the difference. So the objects are plain ones of Node.js for other listeners, for responses that Node.js
 * sends itself, for `upgrade`, and if a prototype of the application overrides a property that Node.js uses.
 */
import type { EventEmitter } from 'node:events';
import http, { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { AnyApplication, Next } from '../types';
import { lazy } from '../wire/lazy';
import {
  prototypeOf,
  prototypeReads,
  type RequestClass,
  type ResponseClass,
  requestClasses,
  responseClasses,
} from './prototypes';

/**
 * An application. Its parameters are `any`, because the server calls it with objects of the application's own
 * classes.
 */
// biome-ignore lint/suspicious/noExplicitAny: each Express version has its own types.
export type ServedApplication = AnyApplication & ((req: any, res: any) => void);

/** A request of Node.js's HTTP/2 compatibility API. */
export type CompatibleRequest = IncomingMessage & Pick<Http2ServerRequest, 'stream' | 'headers'>;

/** The classes of the objects that one server creates. */
export interface ServerObjects {
  app: ServedApplication;
  /** The plain classes of Node.js, if a prototype of the application overrides a property that Node.js uses. */
  requestClass: RequestClass;
  responseClass: ResponseClass;
  /** The result of `prototypeReads` when the classes were chosen. */
  reads: number;
}

const objectsOf = new WeakMap<Server, ServerObjects>();

/** Creates a server for an application, as `http.createServer(app)`. */
export function createServer(app: ServedApplication): Server {
  const objects = createObjects(app);
  const { createRequest, createResponse } = constructorsFor(() => server, objects);
  // Node.js calls both with `new`, without the static members that @types/node requires.
  const options = { IncomingMessage: createRequest, ServerResponse: createResponse } as http.ServerOptions;
  const server = http.createServer(options, app);
  objectsOf.set(server, objects);
  server.emit = emit;
  return server;
}

/**
 * Makes a server that calls the application create the same objects as the server of `app.listen`. Conditions: it is
 * a server of Node.js with the classes of Node.js, and the application is its first request listener.
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
  // @types/node declares no private symbols.
  const classes = server as Server & Record<symbol, unknown>;
  if (classes[keys.request] !== IncomingMessage || classes[keys.response] !== ServerResponse) return;
  const objects = createObjects(app);
  const { createRequest, createResponse } = constructorsFor(() => server, objects);
  classes[keys.request] = createRequest;
  classes[keys.response] = createResponse;
  objectsOf.set(server, objects);
  Object.defineProperty(server, 'emit', { value: emit, configurable: true, writable: true });
}

/**
 * The two private symbols under which Node.js stores the classes of a server. They are found by their value, since
 * Node.js may rename them.
 */
const classKeys = lazy((): { request: symbol; response: symbol } | undefined => {
  const options = {
    IncomingMessage: class extends IncomingMessage {},
    ServerResponse: class extends ServerResponse {},
  };
  const probe = http.createServer(options) as Server & Record<symbol, unknown>;
  const symbols = Object.getOwnPropertySymbols(probe);
  const request = symbols.find((symbol) => probe[symbol] === options.IncomingMessage);
  const response = symbols.find((symbol) => probe[symbol] === options.ServerResponse);
  return request && response ? { request, response } : undefined;
});

/** The constructors that Node.js calls for each request and its response. */
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

// @types/node omits the options of the constructor.
export const PlainResponse: ResponseClass = ServerResponse;

/** Whether the application is the first code to receive the request, because Node.js does not respond itself. */
function reachesApplication(server: Server, app: ServedApplication, { headers }: IncomingMessage): boolean {
  return (
    // Node.js responds itself: 400 without a host, 417 or 100 for an expectation, 503 above the limit.
    headers.host !== undefined &&
    headers.expect === undefined &&
    !server.maxRequestsPerSocket &&
    isFirstListener(server, app) &&
    server.emit === emit
  );
}

/**
 * Whether Node.js's HTTP/2 compatibility API created the request, with other classes than those that applications
 * extend. For a request over HTTP/1.1 this is one comparison.
 */
export function isCompatible(req: IncomingMessage): req is CompatibleRequest {
  return req.httpVersionMajor === 2 && !(req instanceof IncomingMessage);
}

/** Passes a request of that API to the application, with message objects as over HTTP/1.1. */
type ServeCompatible = (
  app: ServedApplication,
  req: CompatibleRequest,
  res: ServerResponse,
  next?: Next,
) => void;

export let serveCompatible: ServeCompatible;

/** Sets the function that handles HTTP/2; src/transports provides it through the entry point. */
export function setServeCompatible(serve: ServeCompatible): void {
  serveCompatible = serve;
}

/**
 * Whether the application is the first listener. In Express, listeners after it see its prototypes, listeners before
 * it do not.
 */
export function isFirstListener(server: EventEmitter, app: ServedApplication): boolean {
  const [first]: unknown[] = server.rawListeners('request');
  return first === app;
}

/** The `emit` of a server that creates the application's objects. */
function emit(this: Server, event: string, first?: unknown): boolean {
  if (event === 'connection') {
    const objects = objectsOf.get(this);
    if (objects) Object.assign(objects, createObjects(objects.app));
  } else if ((event === 'upgrade' || event === 'connect') && first instanceof IncomingMessage) {
    // The code that takes over the connection may assign properties for which the application's prototypes have only
    // a getter, such as `req.query`.
    Object.setPrototypeOf(first, IncomingMessage.prototype);
  }
  // biome-ignore lint/complexity/noArguments: V8 allocates no array for `arguments` that is only forwarded.
  return Reflect.apply(Object.getPrototypeOf(this).emit, this, arguments);
}

export function isApplication(listener: unknown): listener is ServedApplication {
  return typeof listener === 'function' && 'handle' in listener && 'request' in listener && 'set' in listener;
}

/** Creates the classes for the application's current prototypes. */
export function createObjects(app: ServedApplication): ServerObjects {
  const request = prototypeOf(app, 'request');
  const response = prototypeOf(app, 'response');
  const requestClass = requestClasses.get(request);
  const responseClass = responseClasses.get(response);
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

/** Methods that Node.js, and Express for `X-Powered-By`, call before the request has the application's prototype. */
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
 * Whether code has replaced one of these methods since this module was loaded. The replacement may read properties of
 * the application's prototypes.
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

/** The properties of a request and a response that Node.js may read, assign or call before a listener receives them. */
const nodeProperties = lazy(() => {
  // Node.js accepts a request without a socket; @types/node does not.
  const request = new IncomingMessage(undefined as never);
  const response = new ServerResponse(request);
  return {
    // Express assigns `res` before it sets the prototype.
    ofRequest: propertiesOf(request).add('res'),
    // Node.js assigns this property to each response outside of the constructor.
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
