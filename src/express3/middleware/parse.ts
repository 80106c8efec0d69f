/** The 3.x behaviour around the 5.x parsers of `json` and `urlencoded`. §9.3 F-9.3-31 … F-9.3-33 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express3Request, Middleware } from './types';

export interface ParserOptions {
  /** Maximum length: bytes, or text such as `'10mb'`. Default `'1mb'`. */
  limit?: number | string | undefined;
  /** Inflate compressed bodies. Default true. */
  inflate?: boolean | undefined;
  /** Media types to parse. */
  type?: string | string[] | ((req: IncomingMessage) => unknown) | undefined;
  /**
   * Throws to refuse a body.
   * @deprecated The parsers of 5.x pass bytes, and the encoding as a fourth argument.
   */
  verify?: ((req: IncomingMessage, res: ServerResponse, text: string) => void) | undefined;
}

/**
 * The options for a 5.x parser: `verify` of Express 3 receives text.
 *
 * @param warn Called if there is such a `verify`.
 */
export function toOptions<T extends ParserOptions>(options: T, warn: () => void): object {
  const { verify, ...rest } = options;
  if (typeof verify !== 'function') return rest;
  warn();
  return {
    ...rest,
    verify(req: IncomingMessage, res: ServerResponse, bytes: Buffer, encoding: BufferEncoding) {
      verify(req, res, bytes.toString(encoding));
    },
  };
}

/** Sets `req.body` to an object even without a body, and reads no body twice. */
export function withBody(parse: Middleware): Middleware {
  return (req: Express3Request, res, next) => {
    if (req._body) return next();
    req.body ||= {};
    const before = req.body;
    parse(req, res, (err) => {
      if (req.body !== before) req._body = true;
      next(err);
    });
  };
}
