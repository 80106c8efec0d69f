/** Adapts the parsers `json` and `urlencoded` of Express 5 to the interface of Express 3. §9.3 F-9.3-31 … F-9.3-33 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express3Request, Middleware } from './types';

export interface ParserOptions {
  /** The maximum length of a body: bytes, or a string such as `'10mb'`. Default `'1mb'`. */
  limit?: number | string | undefined;
  /** Whether to inflate compressed bodies. Default true. */
  inflate?: boolean | undefined;
  /** The media types to parse, or a function that returns whether to parse a request. */
  type?: string | string[] | ((req: IncomingMessage) => unknown) | undefined;
  /**
   * Checks a body, and throws to refuse it.
   *
   * @deprecated In Express 5, the function receives bytes instead of text, and the encoding as a fourth argument.
   */
  verify?: ((req: IncomingMessage, res: ServerResponse, text: string) => void) | undefined;
}

/**
 * Adapts the options for an Express 5 parser: `verify` receives text, as in Express 3.
 *
 * @param warn Called if the options contain `verify`.
 */
export function toOptions<T extends ParserOptions>(options: T, warn: () => void): object {
  const { verify } = options;
  // Connect has no option `defaultCharset`.
  const rest = { ...options, verify: undefined, defaultCharset: undefined };
  if (typeof verify !== 'function') return rest;
  warn();
  return {
    ...rest,
    verify(req: IncomingMessage, res: ServerResponse, bytes: Buffer, encoding: BufferEncoding) {
      verify(req, res, bytes.toString(encoding));
    },
  };
}

/**
 * Wraps a parser. It skips a body that another parser has read, and sets `req.body` to an object even if the request
 * has no body.
 *
 * @param toError Converts the error of the parser.
 */
export function withBody(parse: Middleware, toError: (err: unknown) => unknown = (err) => err): Middleware {
  return (req: Express3Request, res, next) => {
    if (req._body) return next();
    req.body ||= {};
    const before = req.body;
    parse(req, res, (err) => {
      if (req.body !== before) req._body = true;
      next(toError(err));
    });
  };
}
