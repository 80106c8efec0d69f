/**
 * Lets servers create requests and responses with the prototypes of an application. §4.2
 *
 * Express changes the prototypes of each request and response. Here the server of `app.listen` creates them with the
 * prototypes of the application (`adoptServer`). A server that the developer created does the same after its first
 * request to the application.
 *
 * Other code must not notice the difference. So listeners before the application, and `upgrade` and `connect`
 * listeners, receive plain objects of Node.js. Responses that Node.js sends itself are plain, too. All objects are
 * plain if a prototype of the application overrides a property that Node.js uses.
 */
import type { EventEmitter } from 'node:events';
import http, { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { readConnection } from '../connection/connection';
import type { RequestConstructor } from '../connection/deliver';
import { probeResponse } from '../http/header-store';
import { constructible } from '../internal/constructible';
import { addedSetting } from '../internal/setting';
import type { AnyApplication } from '../types';
import {
  prototypeOf,
  type RequestClass,
  type ResponseClass,
  readsOf,
  requestClasses,
  responseClasses,
} from './prototypes';

/**
 * An application as the listener of a server. Its parameters are `any`, because each Express version has its own types.
 */
// biome-ignore lint/suspicious/noExplicitAny: each Express version has its own types.
export type ServedApplication = AnyApplication & ((req: any, res: any) => void);

/** The classes of the requests and responses that one server creates. */
export interface ServerObjects {
  app: ServedApplication;
  /** A subclass with the prototype `app.request`, or `IncomingMessage` itself (see `createObjects`). */
  requestClass: RequestClass;
  /** A subclass with the prototype `app.response`, or `ServerResponse` itself. */
  responseClass: ResponseClass;
  /** How often the prototypes of the application were read, now and when the classes were chosen. */
  reads: { readonly count: number };
  readsBefore: number;
  /** The constructor that the server calls for each request. Undefined for other transports. */
  createRequest?: RequestConstructor;
}

const objectsOf = new WeakMap<Server, ServerObjects>();

/** Creates a server for an application, like `http.createServer(app)`. */
export function createServer(app: ServedApplication): Server {
  // The call of Express: a tracer may have replaced `createServer` by a function of the listener.
  const server = http.createServer(app);
  if (server instanceof Server) adoptServer(server, app);
  return server;
}

/** `app.listen` of Express 4: creates a server and passes all arguments to its `listen`. */
export function listen(this: ServedApplication, ...args: unknown[]): Server {
  const server = createServer(this);
  return Reflect.apply(server.listen, server, args);
}

/**
 * Makes a server that the developer created use requests and responses with the application's prototypes, like the
 * server of `app.listen`. Does nothing if the application is not its first request listener, or if the server does not
 * have the classes and the `emit` of Node.js.
 */
export function adoptServer(server: Server, app: ServedApplication): void {
  const known = objectsOf.get(server);
  if (known) {
    if (known.app !== app && isFirstListener(server, app)) Object.assign(known, createObjects(app));
    return;
  }
  if (!classKeys || !isFirstListener(server, app)) return;
  if (!Object.isExtensible(server) || Object.hasOwn(server, 'emit')) return;
  // A cast, because @types/node does not declare private symbols.
  const classes = server as Server & Record<symbol, unknown>;
  if (classes[classKeys.request] !== IncomingMessage || classes[classKeys.response] !== ServerResponse)
    return;
  const objects = createObjects(app);
  const { createRequest, createResponse } = constructorsFor(() => server, objects);
  classes[classKeys.request] = createRequest;
  classes[classKeys.response] = createResponse;
  objects.createRequest = createRequest;
  objectsOf.set(server, objects);
  Object.defineProperty(server, 'emit', { value: emit, configurable: true, writable: true });
}

/**
 * Finds the two private symbols under which Node.js stores the classes of a server. The search compares values, because
 * Node.js may rename the symbols. Returns undefined if it finds none.
 */
const classKeys = findClassKeys();

function findClassKeys(): { request: symbol; response: symbol } | undefined {
  const options = {
    IncomingMessage: class extends IncomingMessage {},
    ServerResponse: class extends ServerResponse {},
  };
  const probe = new Server(options) as Server & Record<symbol, unknown>;
  const symbols = Object.getOwnPropertySymbols(probe);
  const request = symbols.find((symbol) => probe[symbol] === options.IncomingMessage);
  const response = symbols.find((symbol) => probe[symbol] === options.ServerResponse);
  return request && response ? { request, response } : undefined;
}

/** Returns the constructors that Node.js calls for each request and its response. */
function constructorsFor(
  server: () => Server,
  objects: ServerObjects,
): { createRequest: RequestConstructor; createResponse: unknown } {
  function createRequest(socket: Socket): IncomingMessage {
    if (objects.reads.count !== objects.readsBefore) Object.assign(objects, createObjects(objects.app));
    const { requestClass } = objects;
    // Bun passes the request line and the headers to the constructor.
    // biome-ignore lint/complexity/noArguments: V8 allocates no array for `arguments` if they are only forwarded.
    return arguments.length > 1 ? Reflect.construct(requestClass, arguments) : new requestClass(socket);
  }
  function createResponse(req: IncomingMessage, options?: object): ServerResponse {
    if (objects.requestClass !== IncomingMessage) {
      if (reachesApplication(server(), objects.app, req)) return new objects.responseClass(req, options);
      Object.setPrototypeOf(req, IncomingMessage.prototype);
    }
    return new NodeResponse(req, options);
  }
  return { createRequest: constructible(createRequest), createResponse };
}

// `ServerResponse` with the options of its constructor, which @types/node omits.
const NodeResponse: ResponseClass = ServerResponse;

/** The classes of Node.js itself. */
export const NODE_CLASSES: Pick<ServerObjects, 'requestClass' | 'responseClass'> = {
  requestClass: IncomingMessage,
  responseClass: NodeResponse,
};

/** Whether the application receives a request first: Node.js does not respond itself, and no listener is before. */
function reachesApplication(server: Server, app: ServedApplication, { headers }: IncomingMessage): boolean {
  return (
    // Node.js itself sends 400 without `Host`, 100 or 417 for `Expect`, and 503 above `maxRequestsPerSocket`.
    headers.host !== undefined &&
    headers.expect === undefined &&
    !server.maxRequestsPerSocket &&
    isFirstListener(server, app) &&
    server.emit === emit
  );
}

/** Whether the application is the first request listener: listeners before it receive plain objects. */
export function isFirstListener(server: EventEmitter, app: ServedApplication): boolean {
  const [first]: unknown[] = server.rawListeners('request');
  return first === app;
}

/** Replaces `emit` of a server that creates objects with the prototypes of an application. */
function emit(this: Server, event: string, ...args: unknown[]): boolean {
  if (event === 'connection') {
    const objects = objectsOf.get(this);
    if (objects) {
      Object.assign(objects, createObjects(objects.app));
      if (hasOwnConnection(objects)) return emitConnection(this, objects, args);
    }
  } else if ((event === 'upgrade' || event === 'connect') && args[0] instanceof IncomingMessage) {
    // The listener may assign properties for which the application's prototypes only have a getter, such as
    // `req.query`.
    Object.setPrototypeOf(args[0], IncomingMessage.prototype);
  }
  // A direct call, which V8 can inline, unlike `Reflect.apply`.
  return Object.getPrototypeOf(this).emit.call(this, event, ...args);
}

/** Lets the listeners of the server take a connection, then reads it in place of Node.js's parser. */
function emitConnection(server: Server, { createRequest }: ServerObjects, args: unknown[]): boolean {
  const isHandled: boolean = Object.getPrototypeOf(server).emit.call(server, 'connection', ...args);
  const [socket] = args;
  if (isConnection(socket) && createRequest) readConnection(server, socket, createRequest);
  return isHandled;
}

/** A test may use another stream than a socket. */
function isConnection(socket: unknown): socket is Socket {
  return socket instanceof Duplex;
}

/** Whether the application wants that. Not if code has replaced what Node.js's parser would call. */
function hasOwnConnection({ app, requestClass }: ServerObjects): boolean {
  if (NOZOMI_CONNECTION === 'node' || requestClass === IncomingMessage) return false;
  // Not by `app.get`: an application may override it, and Express calls it for no connection.
  return addedSetting(app, 'own connection') ?? NOZOMI_CONNECTION === 'own';
}

// Read once, so that it is the same for all servers of the process.
const { NOZOMI_CONNECTION } = process.env;

export function isApplication(listener: unknown): listener is ServedApplication {
  return typeof listener === 'function' && 'handle' in listener && 'request' in listener && 'set' in listener;
}

/**
 * Chooses the classes for the current prototypes of an application. They are those of Node.js if the application has
 * replaced a prototype or overrides a property that Node.js uses, or if code has replaced a method of Node.js.
 */
export function createObjects(app: ServedApplication): ServerObjects {
  const request = prototypeOf(app, 'request');
  const response = prototypeOf(app, 'response');
  const requestClass = requestClasses.get(request);
  const responseClass = responseClasses.get(response);
  const { ofRequest, ofResponse } = nodeProperties;
  const isOfNode =
    !requestClass ||
    !responseClass ||
    isNodeChanged() ||
    overridesAny(request, IncomingMessage.prototype, ofRequest) ||
    overridesAny(response, ServerResponse.prototype, ofResponse);
  const reads = readsOf(app);
  const { count: readsBefore } = reads;
  return isOfNode
    ? { app, reads, readsBefore, ...NODE_CLASSES }
    : { app, reads, readsBefore, requestClass, responseClass };
}

/** Methods that are called before the objects have the application's prototypes in Express. */
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

/** Whether code has replaced one of these methods. It could read properties of the application's prototypes. */
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

/** The properties of requests and responses that Node.js may use before a listener receives the objects. */
const nodeProperties = readNodeProperties();

function readNodeProperties(): Record<'ofRequest' | 'ofResponse', ReadonlySet<string | symbol>> {
  const response = probeResponse();
  const ofResponse = propertiesOf(response);
  // Node.js never calls this method itself; every application overrides it (response/early-hints.ts).
  ofResponse.delete('writeEarlyHints');
  const ofRequest = propertiesOf(response.req);
  // Node.js calls this method only after the response; every application overrides it (request/quiet-end.ts).
  ofRequest.delete('_dump');
  return {
    // Express assigns `res` before it sets the prototype.
    ofRequest: ofRequest.add('res'),
    // Node.js assigns this property to each response outside of the constructor.
    ofResponse: ofResponse.add('_maxRequestsPerSocket'),
  };
}

/** The properties of an object of Node.js and its prototypes, without those of `Object.prototype`. */
function propertiesOf(object: object): Set<string | symbol> {
  const inherited: object | null = Object.getPrototypeOf(object);
  // Not compared with `Object.prototype`: in Jest, the objects of Node.js inherit from that of another realm.
  if (!inherited) return new Set();
  const properties = propertiesOf(inherited);
  for (const key of Reflect.ownKeys(object)) properties.add(key);
  return properties;
}
