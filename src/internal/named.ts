/**
 * Gives a handler the name that it has in Express, because applications look for handlers in the stack by name.
 *
 * A named function expression is not enough: the bundler renames it if the scope around it has the same name.
 */
export function named<F extends (...args: never[]) => unknown>(name: string, handler: F): F {
  return Object.defineProperty(handler, 'name', { value: name });
}
