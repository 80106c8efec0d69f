/**
 * `app.request` and `app.response`: the prototypes of an application's requests and responses. §2.6, §2.7, §4.1
 *
 * Express changes the prototype of every request and response, and changes it again when a mounted application begins
 * and ends. Changing the prototype of an existing object is slow. This module avoids it in two ways:
 *
 * - Both prototypes belong to subclasses of Node.js's classes, so a server can create its objects with them
 *   (server.ts).
 * - Inside a mounted application the request keeps the prototype of the outer application and gets an own property
 *   `app`, if the prototypes differ in nothing else. To detect that, `app.request` and `app.response` are accessors:
 *   code that never read a prototype cannot have extended it.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AnyApplication, AnyRequest, AnyResponse } from '../types';

export type RequestClass = new (...args: ConstructorParameters<typeof IncomingMessage>) => IncomingMessage;
export type ResponseClass = new (req: IncomingMessage, options?: object) => ServerResponse;

/** One of the two prototypes of an application. */
interface OwnPrototype<Instance extends AnyRequest | AnyResponse = AnyRequest | AnyResponse> {
  /** The prototype object; an application can replace it. */
  current: Instance;
  /** The prototype that all applications of one Express version share. */
  readonly common: Instance;
  /** Whether code outside of this package has read the prototype, and so may have extended it. */
  isExposed: boolean;
  /** The number of reads and replacements. */
  reads: number;
  /** For a mounted application: the prototype of the parent that this one inherits from, and the parent. */
  inherited: object | undefined;
  parent: AnyPrototype | undefined;
}

type AnyPrototype = Pick<OwnPrototype, 'isExposed' | 'inherited' | 'parent'> & { readonly current: object };

interface Prototypes {
  readonly request: OwnPrototype<AnyRequest>;
  readonly response: OwnPrototype<AnyResponse>;
}

const kPrototypes: unique symbol = Symbol('nozomi.prototypes');

/** The classes whose instances have a prototype. */
export const requestClasses: WeakMap<object, RequestClass> = new WeakMap();
export const responseClasses: WeakMap<object, ResponseClass> = new WeakMap();

/** Creates the two prototypes of an application, which inherit from those of the framework. */
export function createPrototypes(app: AnyApplication, request: AnyRequest, response: AnyResponse): void {
  const prototypes: Prototypes = {
    request: createPrototype(requestClasses, class extends IncomingMessage {}, request, app),
    response: createPrototype(responseClasses, class extends ServerResponse {}, response, app),
  };
  Object.defineProperty(app, kPrototypes, { value: prototypes });
  expose(app, 'request', prototypes.request);
  expose(app, 'response', prototypes.response);
}

/** Creates the prototype of a class, with the same properties as `Object.create(inherited)`. */
function createPrototype<
  Instance extends AnyRequest | AnyResponse,
  NodeClass extends RequestClass | ResponseClass,
>(
  classes: WeakMap<object, NodeClass>,
  nodeClass: NodeClass,
  inherited: Instance,
  app: AnyApplication,
): OwnPrototype<Instance> {
  const prototype: Instance = nodeClass.prototype;
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
      // `Object.freeze(app)` makes the properties read-only in Express, but does not prevent calls of this setter.
      if (Object.isFrozen(app)) throw new TypeError(`Cannot assign to read only property '${name}'`);
      markExposed(own);
      own.current = replacement;
    },
  });
}

/** The socket of a connection, with the last response that it carried in a mounted application. */
type Connection = Socket & { [kResponse]?: AnyResponse };

const kResponse: unique symbol = Symbol('nozomi.response');
const connections = new Set<Connection>();

function watch(socket: Connection | undefined, res: AnyResponse): void {
  // A test's fake request may have no socket, or one without `once`.
  if (typeof socket?.once !== 'function') return;
  if (!(kResponse in socket)) {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  }
  socket[kResponse] = res;
}

/** From now on requests get the prototype itself, also those in progress. */
function markExposed(own: OwnPrototype): void {
  own.reads++;
  if (own.isExposed) return;
  own.isExposed = true;
  for (const { [kResponse]: res } of connections) {
    // `res.app` may have a value of the application that is not an application.
    const app = res?.req && (shadowOf(res) ?? shadowOf(res.req));
    if (app) setPrototypes(app, res.req, res);
  }
}

/**
 * Returns one prototype of an application, which may be one of Express. A read of `app.request` would be counted as a
 * read by the application; this call is not.
 */
export function prototypeOf(app: AnyApplication, name: keyof Prototypes): { app: AnyApplication } {
  return ownOf(app)?.[name].current ?? app[name];
}

/**
 * The number of reads and replacements of `app.request` and `app.response`: as long as it is the same, the
 * application cannot have changed its prototypes.
 */
export function prototypeReads(app: AnyApplication): number {
  const own = ownOf(app);
  return own ? own.request.reads + own.response.reads : 0;
}

/**
 * Makes the prototypes of a mounted application inherit from its parent's, unless the two belong to different Express
 * versions.
 */
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

// A property of a request or response: the application whose own property `app` stands in for a change of prototype.
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

/**
 * The owner of the actual prototype, if an own property `app` is enough: no code has read a prototype between the
 * two.
 */
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
  // If the application itself set `app` on the object, Express does not replace it either.
  if (Object.hasOwn(object, 'app')) return;
  // A prototype that code has read may be frozen, or may have a setter for `app`.
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

/**
 * @returns Whether this module set the object's property `app`. A value that the application assigned later is kept.
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
 * Switches the object to V8's dictionary mode by deleting a property, which code cannot observe. Until V8 12.5, an
 * object whose prototype was changed has a hidden class of its own, and another with each added property, so every
 * inline cache misses, also those of Node.js. Objects in dictionary mode share one hidden class.
 */
function useDictionaryMode(object: object & { [kShadows]?: unknown; [kTemporary]?: undefined }): void {
  object[kTemporary] = undefined;
  delete object[kTemporary];
}

const kTemporary: unique symbol = Symbol('nozomi.temporary');
const LOSES_TRANSITIONS = Number.parseFloat(process.versions.v8 ?? '99') < 12.5;
