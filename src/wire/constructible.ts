/**
 * Types a function expression as what it is in JavaScript: a constructor too. TypeScript lets only classes be called
 * with `new`, and a class cannot be called without it, as applications do (`Router()`, `View.call(this, name)`).
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
