/**
 * Wraps a class in a function that applications can also call without `new`. In Express, `Route`, `Router` and `Layer`
 * are ES5 constructors, and a derived constructor calls `Route.call(this, path)`.
 */
import { type Constructible, constructible } from './constructible';

/** The object to initialise in place of a new one. */
let given: object | undefined;

/**
 * The base of these classes. JavaScript defines the fields of a class on the object that its base constructor returns.
 * The prototype is `Object.prototype`, so that the base adds no member.
 */
export const Initialized: new () => object = constructible(function Initialized(this: object): object {
  const target = given ?? this;
  given = undefined;
  return target;
});
Object.assign(Initialized, { prototype: Object.prototype });

/** A class, or what an APM agent has put in its place in the file at its path in Express. */
export type Creator<C extends new (...args: never[]) => object> = new (
  ...args: ConstructorParameters<C>
) => InstanceType<C>;

export interface CallableOptions {
  /** Whether a call without `new` and without an instance creates one. Default false: it throws. */
  readonly createsAlone?: boolean;
}

type Name = 'Layer' | 'Route' | 'Router';
type Initialize = (target: object, newTarget: (() => void) | undefined, args: never[]) => object | undefined;

/**
 * Creates functions with the names of the classes. Stack traces show the name that the source gives to
 * `layer.constructor`, and packages search them for `Layer.handleRequest`.
 */
const FRONTS: Readonly<Record<Name, (initialize: Initialize) => unknown>> = {
  Layer: (initialize) =>
    function Layer(this: object, ...args: never[]) {
      return initialize(this, new.target, args);
    },
  Route: (initialize) =>
    function Route(this: object, ...args: never[]) {
      return initialize(this, new.target, args);
    },
  Router: (initialize) =>
    function Router(this: object, ...args: never[]) {
      return initialize(this, new.target, args);
    },
};

/**
 * @param name The name of the class, which a minifier may have changed.
 * @param created A class that extends `Initialized`. Its `prototype.constructor` becomes the returned function.
 * @returns A function with the prototype and the properties of the class, which also initialises `this` if it is called.
 */
export function callable<Args extends unknown[], Instance extends object>(
  name: Name,
  created: new (...args: Args) => Instance,
  { createsAlone = false }: CallableOptions = {},
): Constructible<Instance, Args, void> {
  const initialize: Initialize = (target, newTarget, args) => {
    // With the function itself as `new.target`, V8 would give each object a hidden class of its own.
    if (newTarget === front || (createsAlone && !(target instanceof created)))
      return Reflect.construct(created, args);
    if (newTarget) return Reflect.construct(created, args, newTarget);
    if (target === undefined || target === null)
      throw new TypeError(`${name}() must be called with new, or on an object`);
    given = Object(target);
    Reflect.construct(created, args);
    return undefined;
  };
  const front = FRONTS[name](initialize) as Constructible<Instance, Args, void>;
  const { prototype: _own, ...properties } = Object.getOwnPropertyDescriptors(created);
  Object.defineProperties(front, properties);
  front.prototype = created.prototype;
  created.prototype.constructor = front;
  return front;
}
