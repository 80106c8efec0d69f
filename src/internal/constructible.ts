/**
 * Gives a function the type of a constructor. TypeScript allows `new` for classes only, but applications also call
 * these constructors without `new` (`Router()`, `View.call(this, name)`), which a class does not allow.
 */
export function constructible<This, Args extends unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
): Constructible<This, Args, Result> {
  return fn as Constructible<This, Args, Result>;
}

/** A function that can be called with `new`: the result is the object that it returns, or else `this`. */
export interface Constructible<This, Args extends unknown[], Result> {
  (this: This, ...args: Args): Result;
  new (...args: Args): Result extends object ? Result : This;
  prototype: Result extends object ? Result : This;
}
