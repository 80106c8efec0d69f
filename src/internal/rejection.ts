/**
 * Returns the error to pass to `next` for a value that a callback has thrown. Wraps falsy values, `'route'` and
 * `'router'` in an `Error`, because `next` would skip the error handlers for them.
 */
export function rejection(err: unknown): unknown {
  if (err && err !== 'route' && err !== 'router') return err;
  return new Error(`A callback rejected with ${String(err)}`);
}
