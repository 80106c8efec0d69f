// The source of the functions in the adapters that only call the function that they replace.
const FORWARDS = /^function \w+\(req, res, next\) \{\s*callHandler\.call\(this, req, res, next\);\s*\}$/;

/**
 * Whether an APM agent has rewritten the source of a function that forwards to `callHandler`. If not, the adapter
 * removes the function again, and requests do not pass through it. If a bundler has changed the source, the function
 * stays: it only costs time.
 */
export function isRewritten(forward: unknown): boolean {
  return !FORWARDS.test(String(forward));
}
