/**
 * The automatic answer to OPTIONS: the methods of every route that matched the path. §4.2 · RFC 9110 §9.3.7
 */
import type { Next, Response } from '../types';

/** `done`, answering with `methods` when nobody else did and there are any. */
export function answerOptions(res: Response, methods: readonly string[], done: Next): Next {
  return function answer(err) {
    if (err || methods.length === 0) return done(err);
    try {
      const allow = [...new Set(methods)].sort().join(', ');
      res.setHeader('Allow', allow);
      res.setHeader('Content-Length', Buffer.byteLength(allow));
      res.setHeader('Content-Type', 'text/plain');
      res.setHeader('X-Content-Type-Options', 'nosniff');
      res.end(allow);
    } catch (failure) {
      done(failure);
    }
  };
}
