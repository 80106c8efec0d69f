/**
 * Give a handler the name that it has in Express: applications look for handlers in the stack by name.
 *
 * A function expression with the name of the function around it would not do: the bundler renames it.
 */
export function named<F extends (...args: never[]) => unknown>(name: string, handler: F): F {
  return Object.defineProperty(handler, 'name', { value: name });
}
