/**
 * `app.request` and `app.response`: the prototypes of an application's requests and responses. §2.6, §2.7, §4.1
 *
 * Express sets them as prototypes on every request, and sets others on its way into and out of each mounted
 * application. Changing the prototype of an existing object is slow, so two ways avoid it:
 *
 * - Both are the prototypes of subclasses of Node.js's classes, so a server can create its objects with them (server.ts).
 * - Inside a mounted application the request keeps the prototype of the outer one and gets an own property `app`, if
 *   that is the only difference. `app.request` and `app.response` are accessors to detect this: code cannot have
 *   extended a prototype that it never read.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AnyApplication, AnyRequest, AnyResponse } from '../types';

type NodeClass<Instance> = new (...args: never[]) => Instance;

/** One of the two prototypes of an application. */
interface OwnPrototype<Instance extends AnyRequest | AnyResponse = AnyRequest | AnyResponse> {
  /** The prototype object. An application can replace it. */
  current: Instance;
  /** The framework function's prototype, which differs between the series of Express. */
  readonly common: Instance;
  /** Whether code outside of this package may hold it, and so may have extended it. */
  isExposed: boolean;
  /** Number of reads and replacements. */
  reads: number;
  /** For a mounted application: the parent prototype it inherits from, and its owner. */
  inherited: object | undefined;
  parent: AnyPrototype | undefined;
}

type AnyPrototype = Pick<OwnPrototype, 'isExposed' | 'inherited' | 'parent'> & { readonly current: object };

interface Prototypes {
  readonly request: OwnPrototype<AnyRequest>;
  readonly response: OwnPrototype<AnyResponse>;
}

const kPrototypes: unique symbol = Symbol('nozomi.prototypes');

const classes = new WeakMap<object, NodeClass<unknown>>();

/** Creates the two prototypes of an application, which inherit from those of the framework. */
export function createPrototypes(app: AnyApplication, request: AnyRequest, response: AnyResponse): void {
  const prototypes: Prototypes = {
    request: createPrototype(class extends IncomingMessage {}, request, app),
    response: createPrototype(class extends ServerResponse {}, response, app),
  };
  Object.defineProperty(app, kPrototypes, { value: prototypes });
  expose(app, 'request', prototypes.request);
  expose(app, 'response', prototypes.response);
}

/** The prototype of a class that looks like `Object.create(inherited)`. */
function createPrototype<Instance extends AnyRequest | AnyResponse>(
  nodeClass: NodeClass<object>,
  inherited: Instance,
  app: AnyApplication,
): OwnPrototype<Instance> {
  const prototype = nodeClass.prototype as Instance;
  Object.setPrototypeOf(prototype, inherited);
  Reflect.deleteProperty(prototype, 'constructor');
  Object.defineProperty(prototype, 'app', {
    configurable: true,
    enumerable: true,
    writable: true,
    value: app,
  });
  classes.set(prototype, nodeClass);
  return {
    current: prototype,
    common: inherited,
    isExposed: false,
    reads: 0,
    inherited: undefined,
    parent: undefined,
  };
}

function expose(app: AnyApplication, name: keyof Prototypes, own: OwnPrototype): void {
  Object.defineProperty(app, name, {
    configurable: true,
    enumerable: true,
    get: () => {
      markExposed(own);
      return own.current;
    },
    set: (replacement) => {
      // Freezing makes a property read-only, but this function can still be called.
      if (Object.isFrozen(app)) throw new TypeError(`Cannot assign to read only property '${name}'`);
      markExposed(own);
      own.current = replacement;
    },
  });
}

/** A connection, with its last response in a mounted application. */
type Connection = Socket & { [kResponse]?: AnyResponse };

const kResponse: unique symbol = Symbol('nozomi.response');
const connections = new Set<Connection>();

function watch(socket: Connection | undefined, res: AnyResponse): void {
  // Fake requests may have no socket, or one that never closes.
  if (typeof socket?.once !== 'function') return;
  if (!(kResponse in socket)) {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  }
  socket[kResponse] = res;
}

/** From now on requests get the prototype itself, pending ones included. */
function markExposed(own: OwnPrototype): void {
  own.reads++;
  if (own.isExposed) return;
  own.isExposed = true;
  for (const { [kResponse]: res } of connections) {
    // The value that the application assigned to `res.app` may not be an application.
    const app = res?.req && (shadowOf(res) ?? shadowOf(res.req));
    if (app) setPrototypes(app, res.req, res);
  }
}

/** One prototype of an application, without exposing it; also of an Express application. */
export function prototypeOf(app: AnyApplication, name: keyof Prototypes): { app: AnyApplication } {
  return ownOf(app)?.[name].current ?? app[name];
}

/** Changes whenever the application may have changed its prototypes through `app.request` or `app.response`. */
export function prototypeReads(app: AnyApplication): number {
  const own = ownOf(app);
  return own ? own.request.reads + own.response.reads : 0;
}

/** The class that creates instances with that prototype, if there is one. */
export function classOf(prototype: object): NodeClass<unknown> | undefined {
  return classes.get(prototype);
}

/** Makes a mounted application's prototypes inherit from its parent's, unless the parent is of another series. */
export function inheritPrototypes(app: AnyApplication, parent: AnyApplication): void {
  for (const name of ['request', 'response'] as const) {
    const own = ownOf(app)?.[name];
    const outer = ownOf(parent)?.[name];
    if (own && outer && own.common !== outer.common) continue;
    const inherited = prototypeOf(parent, name);
    Object.setPrototypeOf(prototypeOf(app, name), inherited);
    if (own) Object.assign(own, { inherited, parent: outer });
  }
}

/** Sets the prototypes of `app` on a request and its response. §2.6 `req.app` */
export function setPrototypes(app: AnyApplication, req: AnyRequest, res: AnyResponse): void {
  const own = ownOf(app);
  if (own) {
    setPrototype(req, own.request, app);
    setPrototype(res, own.response, app);
    if (shadowOf(req) || shadowOf(res)) watch(req.socket, res);
  } else {
    changePrototype(req, app.request);
    changePrototype(res, app.response);
  }
}

function ownOf(app: AnyApplication & { readonly [kPrototypes]?: Prototypes }): Prototypes | undefined {
  return app[kPrototypes];
}

// On a request or response: the application in the own property `app` that replaces a change of prototype.
const kShadows: unique symbol = Symbol('nozomi.shadows');

type Shadowing = (AnyRequest | AnyResponse) & { [kShadows]?: AnyApplication };

function shadowOf(object: Shadowing): AnyApplication | undefined {
  return object[kShadows];
}

function setPrototype(object: Shadowing, own: OwnPrototype, app: AnyApplication): void {
  const actual: object = Object.getPrototypeOf(object);
  if (actual === own.current) {
    replaceShadow(object, own.current.app);
    return;
  }
  const outer = shadowable(own, actual);
  if (outer) shadowApp(object, app, outer);
  else changePrototype(object, own.current);
}

/** The owner of the actual prototype, if an own `app` is enough because no code has seen the prototypes between. */
function shadowable(own: OwnPrototype, actual: object): AnyPrototype | undefined {
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
  // An own `app` that the application set also hides the prototype's in Express.
  if (Object.hasOwn(object, 'app')) return;
  // A prototype that code has seen may be frozen, or have a setter.
  if (outer.isExposed) {
    Object.defineProperty(object, 'app', {
      configurable: true,
      enumerable: true,
      writable: true,
      value: app,
    });
  } else object.app = app;
  object[kShadows] = app;
}

/** @returns Whether `app` is our own property of the object: a value that the application assigned since stays. */
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
 * Until V8 12.5, an object whose prototype changed has its own hidden class, and again with each added property: every
 * inline cache misses it, Node.js's too. Deleting a property switches it to dictionary mode, in which all such objects
 * share one hidden class. This is not observable.
 */
function useDictionaryMode(object: object & { [kShadows]?: unknown; [kTemporary]?: undefined }): void {
  object[kTemporary] = undefined;
  delete object[kTemporary];
}

const kTemporary: unique symbol = Symbol('nozomi.temporary');
const LOSES_TRANSITIONS = Number.parseFloat(process.versions.v8 ?? '99') < 12.5;
