/** Returns a function that calls `fn` once, and ignores further calls. */
export function callOnce<This, Args extends unknown[]>(
  fn: (this: This, ...args: Args) => void,
): (this: This, ...args: Args) => void {
  let isCalled = false;
  return function (...args) {
    if (isCalled) return;
    isCalled = true;
    fn.apply(this, args);
  };
}
