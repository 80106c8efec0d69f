/**
 * Gives a function expression the type of a constructor, which it is in JavaScript. TypeScript allows `new` for
 * classes only, but a class cannot be called without `new`, as applications do (`Router()`, `View.call(this, name)`).
 */
export function constructible<This, Args extends unknown[], Result>(
  fn: (this: This, ...args: Args) => Result,
): Constructible<This, Args, Result> {
  return fn as Constructible<This, Args, Result>;
}

/** `new` returns the object that the function returns, otherwise its `this`. */
export interface Constructible<This, Args extends unknown[], Result> {
  (this: This, ...args: Args): Result;
  new (...args: Args): Result extends object ? Result : This;
  prototype: Result extends object ? Result : This;
}
