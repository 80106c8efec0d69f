/**
 * Gives a handler the name that it has in Express: applications look for handlers in the stack by name.
 *
 * A function expression with the name of its enclosing function does not work: the bundler renames it.
 */
export function named<F extends (...args: never[]) => unknown>(name: string, handler: F): F {
  return Object.defineProperty(handler, 'name', { value: name });
}
