/** The types that the Express 3 middleware share. §9.3 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Next } from '../interface';

export type { Next };

/** Middleware for `app.use`, and for other frameworks that run on `node:http`. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => void;

/** The properties of a request that one middleware sets and another reads. */
export interface Express3Request extends IncomingMessage {
  /** Whether a parser has read the body. */
  _body?: boolean;
  body?: Record<string, unknown>;
  cookies?: Record<string, unknown>;
  signedCookies?: Record<string, unknown>;
  originalUrl?: string;
  query?: Record<string, unknown>;
  /** The secret that signs cookies; of a list, the first. */
  secret?: string | string[];
}
