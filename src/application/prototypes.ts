/**
 * `app.request` and `app.response`: the prototypes of an application's requests and responses. §2.6, §2.7, §4.1
 *
 * Express changes the prototype of every request and response, and changes it again when a mounted application begins
 * and ends. This is slow, so this module avoids it in two ways:
 *
 * - Both prototypes belong to subclasses of Node.js's classes, so a server can create its objects with them (server.ts).
 * - Inside a mounted application, the request keeps the prototype of the outer application and gets an own property
 *   `app`. This is correct only if the prototypes differ in nothing else. To detect that, `app.request` and
 *   `app.response` are accessors: code that never read a prototype cannot have extended it.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ownOptions } from '../internal/own-options';
import type { AnyApplication, AnyRequest, AnyResponse } from '../types';

export type RequestClass = new (...args: ConstructorParameters<typeof IncomingMessage>) => IncomingMessage;
export type ResponseClass = new (req: IncomingMessage, options?: object) => ServerResponse;

/** One of the two prototypes of an application. */
interface OwnPrototype<Instance extends AnyRequest | AnyResponse = AnyRequest | AnyResponse> {
  /** The prototype object. An application replaces it if it assigns `app.request` or `app.response`. */
  current: Instance;
  /** The prototype that all applications of one Express version share. */
  readonly common: Instance;
  /** Whether code outside of this package has read or replaced the prototype, and so may have extended it. */
  isExposed: boolean;
  readonly reads: Reads;
  /** For a mounted application: the prototype of the parent, which this prototype inherits from. */
  inherited: object | undefined;
  /** For a mounted application: the record that holds the prototype of the parent. */
  parent: AnyPrototype | undefined;
  /** The last prototype that `shadowable` found, its record, and the value of `changes` then. */
  shadowable: { readonly actual: object; readonly outer: AnyPrototype; readonly changes: number } | undefined;
}

/** The number of changes so far that can make a result of `shadowable` wrong, of all applications. */
let changes = 0;

/** How often code outside has read or replaced a prototype of one application. */
interface Reads {
  count: number;
}

type AnyPrototype = Pick<OwnPrototype, 'isExposed' | 'inherited' | 'parent'> & { readonly current: object };

/** Both prototypes of an application. */
export interface Prototypes {
  readonly app: AnyApplication;
  readonly request: OwnPrototype<AnyRequest>;
  readonly response: OwnPrototype<AnyResponse>;
}

const kPrototypes: unique symbol = Symbol('nozomi.prototypes');

/** Maps a prototype object to the subclass of `IncomingMessage` that it belongs to. */
export const requestClasses: WeakMap<object, RequestClass> = new WeakMap();
/** Maps a prototype object to the subclass of `ServerResponse` that it belongs to. */
export const responseClasses: WeakMap<object, ResponseClass> = new WeakMap();

/** Creates `app.request` and `app.response`, which inherit from `request` and `response`. */
export function createPrototypes(app: AnyApplication, request: AnyRequest, response: AnyResponse): void {
  const reads = { count: 0 };
  const prototypes: Prototypes = {
    app,
    request: createPrototype(requestClasses, class extends IncomingMessage {}, request, app, reads),
    response: createPrototype(responseClasses, class extends ServerResponse {}, response, app, reads),
  };
  Object.defineProperty(app, kPrototypes, { value: prototypes });
  Object.defineProperties(app, ACCESSORS);
}

/** Creates a prototype that looks like `Object.create(inherited)` with the property `app`, but belongs to a class. */
function createPrototype<
  Instance extends AnyRequest | AnyResponse,
  NodeClass extends RequestClass | ResponseClass,
>(
  classes: WeakMap<object, NodeClass>,
  nodeClass: NodeClass,
  inherited: Instance,
  app: AnyApplication,
  reads: Reads,
): OwnPrototype<Instance> {
  const prototype: Instance = nodeClass.prototype;
  Object.setPrototypeOf(prototype, inherited);
  Reflect.deleteProperty(prototype, 'constructor');
  defineApp(prototype, app);
  classes.set(prototype, nodeClass);
  return {
    current: prototype,
    common: inherited,
    isExposed: false,
    reads,
    inherited: undefined,
    parent: undefined,
    shadowable: undefined,
  };
}

const DATA = { configurable: true, enumerable: true, writable: true };

function defineApp(object: object, app: AnyApplication): void {
  Object.defineProperty(object, 'app', { ...DATA, value: app });
}

type WithPrototypes = AnyApplication & { readonly [kPrototypes]: Prototypes };

// The same functions for all applications: V8 keeps an object as a hash table if another object has other accessors in
// their place.
// Without a prototype: Node.js refuses accessors if a package has added `value` to `Object.prototype`.
const ACCESSORS = {
  request: ownOptions(accessorOf('request')),
  response: ownOptions(accessorOf('response')),
};

function accessorOf(name: 'request' | 'response'): PropertyDescriptor & ThisType<WithPrototypes> {
  return {
    configurable: true,
    enumerable: true,
    get() {
      const { [name]: own } = this[kPrototypes];
      markExposed(own);
      return own.current;
    },
    set(replacement) {
      // In Express, `Object.freeze(app)` makes this property read-only. `Object.freeze` does not affect a setter, so
      // the setter itself must throw.
      if (Object.isFrozen(this)) throw new TypeError(`Cannot assign to read only property '${name}'`);
      const { app, [name]: own } = this[kPrototypes];
      if (app !== this) {
        Object.defineProperty(this, name, { ...DATA, value: replacement });
        return;
      }
      markExposed(own);
      own.current = replacement;
    },
  };
}

/** A socket. `_httpMessage` of Node.js is the response that it currently carries. */
type Connection = Socket & { _httpMessage?: AnyResponse | null; [kIsWatched]?: boolean };

const kIsWatched: unique symbol = Symbol('nozomi.watched');
const connections = new Set<Connection>();

/**
 * Adds the connection of a response to those that `markExposed` searches. Stores no reference to the response, because
 * an idle connection must not keep it.
 *
 * @returns Whether `markExposed` finds the response. It finds neither that of a test without a real socket, nor one on
 * a closed connection, nor a pipelined response that waits for an earlier one.
 */
function watch(res: AnyResponse): boolean {
  const socket: Connection | null = res.socket;
  if (socket?._httpMessage !== res) return false;
  const { [kIsWatched]: isWatched } = socket;
  // A stand-in for a socket, as serverless adapters use, may have no such method.
  return isWatched ?? (typeof socket.prependListener === 'function' && startWatch(socket));
}

function startWatch(socket: Connection): boolean {
  if (socket.closed) return false;
  socket[kIsWatched] = true;
  connections.add(socket);
  // Prepended, because Node.js does not call it after a listener that throws.
  socket.prependListener('close', endWatch);
  return true;
}

function endWatch(this: Connection): void {
  this[kIsWatched] = false;
  connections.delete(this);
}

/** Records a read. From then on, also for running requests, an own property `app` is not enough. */
function markExposed(own: OwnPrototype): void {
  own.reads.count++;
  changes++;
  if (own.isExposed) return;
  own.isExposed = true;
  for (const { _httpMessage: res } of connections) {
    // Not `res.app`: the application may have assigned another value to it.
    const app = res?.req && (shadowOf(res) ?? shadowOf(res.req));
    if (app) setPrototypes(app, res.req, res);
  }
}

/** Returns `app.request` or `app.response` without counting a read. `app` may be one of the package express. */
export function prototypeOf(app: AnyApplication, name: 'request' | 'response'): { app: AnyApplication } {
  return ownOf(app)?.[name].current ?? app[name];
}

/** Returns how often the prototypes of an application were read; always 0 for one of the package express. */
export function readsOf(app: AnyApplication): Readonly<Reads> {
  return ownOf(app)?.request.reads ?? NO_READS;
}

const NO_READS: Readonly<Reads> = { count: 0 };

/** Makes the prototypes of a mounted application inherit from its parent's, within one Express version. */
export function inheritPrototypes(app: AnyApplication, parent: AnyApplication): void {
  changes++;
  for (const name of ['request', 'response'] as const) {
    const own = ownOf(app)?.[name];
    const outer = ownOf(parent)?.[name];
    if (own && outer && own.common !== outer.common) continue;
    const inherited = prototypeOf(parent, name);
    Object.setPrototypeOf(prototypeOf(app, name), inherited);
    if (own) Object.assign(own, { inherited, parent: outer });
  }
}

/** Makes `app` the application of a request and its response: by their prototypes, or by own properties `app`. */
export function setPrototypes(
  app: AnyApplication,
  req: AnyRequest & Shadowed,
  res: AnyResponse & Shadowed,
): void {
  const own = ownOf(app);
  if (!own) {
    changePrototype(req, app.request);
    changePrototype(res, app.response);
    return;
  }
  // A property is read before each prototype: V8 then knows the hidden class, and does not call into C++.
  const { request, response } = own;
  const { [kShadows]: requestShadow } = req;
  const requestPrototype: object = Object.getPrototypeOf(req);
  const { [kShadows]: responseShadow } = res;
  const responsePrototype: object = Object.getPrototypeOf(res);
  // Neither has to change if the server has created both for the application.
  if (requestShadow || requestPrototype !== request.current)
    setPrototype(req, requestPrototype, request, app, res);
  if (responseShadow || responsePrototype !== response.current)
    setPrototype(res, responsePrototype, response, app, res);
}

function ownOf(app: AnyApplication & { readonly [kPrototypes]?: Prototypes }): Prototypes | undefined {
  // An object that inherits from an application inherits its accessors, but an assignment gives it own properties.
  const { [kPrototypes]: prototypes } = app;
  return prototypes?.app === app ? prototypes : undefined;
}

// The key under which a request or response holds the application that this module stored in its own property `app`.
const kShadows: unique symbol = Symbol('nozomi.shadows');

interface Shadowed {
  [kShadows]?: AnyApplication;
}

type Shadowing = (AnyRequest | AnyResponse) & Shadowed;

function shadowOf(object: Shadowing): AnyApplication | undefined {
  return object[kShadows];
}

function setPrototype(
  object: Shadowing,
  actual: object,
  own: OwnPrototype,
  app: AnyApplication,
  res: AnyResponse,
): void {
  if (actual === own.current) {
    replaceShadow(object, own.current.app);
    return;
  }
  const outer = shadowable(own, actual);
  if (outer && watch(res)) shadowApp(object, app, outer);
  else changePrototype(object, own.current);
}

/**
 * Returns the record of the prototype `actual` if an own property `app` is enough, otherwise undefined. It is enough if
 * no code has read `own` or a prototype between `own` and `actual`.
 */
function shadowable(own: OwnPrototype, actual: object): AnyPrototype | undefined {
  const { shadowable: known } = own;
  if (known?.actual === actual && known.changes === changes) return known.outer;
  const outer = findShadowable(own, actual);
  if (outer) own.shadowable = { actual, outer, changes };
  return outer;
}

function findShadowable(own: OwnPrototype, actual: object): AnyPrototype | undefined {
  for (let each: AnyPrototype | undefined = own; each && !each.isExposed; ) {
    const { inherited, parent }: AnyPrototype = each;
    if (parent?.current !== inherited) return undefined;
    if (inherited === actual) return parent;
    each = parent;
  }
  return undefined;
}

function shadowApp(object: Shadowing, app: AnyApplication, outer: AnyPrototype): void {
  if (replaceShadow(object, app)) return;
  // As in Express, a value of `app` that the application set on the object remains.
  if (Object.hasOwn(object, 'app')) return;
  // An assignment could fail: a prototype that code has read may be frozen, or may have a setter for `app`.
  if (outer.isExposed) defineApp(object, app);
  else object.app = app;
  object[kShadows] = app;
}

/**
 * Updates the own property `app`, unless the application has assigned another value to it.
 *
 * @returns False if this module did not create the property.
 */
function replaceShadow(object: Shadowing, app: AnyApplication): boolean {
  const shadow = shadowOf(object);
  if (!shadow) return false;
  object[kShadows] = app;
  if (object.app === shadow) object.app = app;
  return true;
}

function changePrototype(object: Shadowing, prototype: { app: AnyApplication }): void {
  Object.setPrototypeOf(object, prototype);
  replaceShadow(object, prototype.app);
  if (LOSES_TRANSITIONS) useDictionaryMode(object);
}

/**
 * Switches an object to V8's dictionary mode by deleting a property. Before V8 12.5, an object whose prototype was
 * changed gets its own hidden class, and another one with each added property. Every inline cache then misses, even
 * those of Node.js. Objects in dictionary mode share one hidden class.
 */
function useDictionaryMode(object: object & { [kShadows]?: unknown; [kTemporary]?: undefined }): void {
  object[kTemporary] = undefined;
  delete object[kTemporary];
}

const kTemporary: unique symbol = Symbol('nozomi.temporary');
const LOSES_TRANSITIONS = Number.parseFloat(process.versions.v8 ?? '99') < 12.5;
