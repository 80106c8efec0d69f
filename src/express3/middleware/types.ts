/** The shapes that the middlewares of the 3.x series share. Types only. §9.3 */
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Next = (err?: unknown) => void;

/** Fits `app.use`, and any chain of handlers on `node:http`. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => void;

/** What one middleware leaves on a request for another. */
export interface Express3Request extends IncomingMessage {
  /** Somebody has read the body. */
  _body?: boolean;
  body?: Record<string, unknown>;
  cookies?: Record<string, unknown>;
  signedCookies?: Record<string, unknown>;
  originalUrl?: string;
  query?: Record<string, unknown>;
  /** What cookies are signed with; of several, the first. */
  secret?: string | string[];
}
