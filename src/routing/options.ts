/**
 * The automatic answer to OPTIONS: the methods of every route that matched the path. §4.2 · RFC 9110 §9.3.7
 */
import type { Response } from '../types';

/** Answer with `methods`, in upper case, each told once. */
export function answerOptions(res: Response, methods: readonly string[]): void {
  const allow = [...new Set(methods)].sort().join(', ');
  res.setHeader('Allow', allow);
  res.setHeader('Content-Length', Buffer.byteLength(allow));
  res.setHeader('Content-Type', 'text/plain');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.end(allow);
}
