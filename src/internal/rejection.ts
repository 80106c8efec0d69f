/**
 * Returns what to pass to `next` for an error that a callback has thrown. Some values would not reach the error handlers:
 * the next handler would run for a falsy one, the next route for `'route'` and `'router'`.
 */
export function rejection(err: unknown): unknown {
  if (err && err !== 'route' && err !== 'router') return err;
  return new Error(`A callback rejected with ${String(err)}`);
}
