/** The types that the 3.x middleware share. §9.3 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Next } from '../interface';

export type { Next };

/** Middleware for `app.use`, and for any chain of handlers on `node:http`. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => void;

/** The properties of a request that middleware share. */
export interface Express3Request extends IncomingMessage {
  /** Whether a parser has read the body. */
  _body?: boolean;
  body?: Record<string, unknown>;
  cookies?: Record<string, unknown>;
  signedCookies?: Record<string, unknown>;
  originalUrl?: string;
  query?: Record<string, unknown>;
  /** The secrets that sign cookies: the first signs. */
  secret?: string | string[];
}
