/** `cookieParser`: sets `req.cookies` and `req.signedCookies`, by the package cookie-parser. §9.3 F-9.3-105 */
import { optional, withMembers } from './optional';
import type { Middleware } from './types';

export interface CookieParserOptions {
  /** Decodes a value. Default: `decodeURIComponent`. */
  decode?: ((text: string) => string) | undefined;
}

export interface CookieParser {
  /** @param secret Signs cookies. Of several secrets, the first signs, and each is tried to verify a cookie. */
  (secret?: string | string[], options?: CookieParserOptions): Middleware;
  /** Parses the value of a cookie that begins with `j:`; undefined for other values. */
  readonly JSONCookie: (text: string) => unknown;
  readonly JSONCookies: (cookies: Record<string, unknown>) => Record<string, unknown>;
  /** Verifies the value of a cookie that begins with `s:`; false if its signature is invalid. */
  readonly signedCookie: (text: string, secret: string | string[]) => string | false | undefined;
  readonly signedCookies: (
    cookies: Record<string, unknown>,
    secret: string | string[],
  ) => Record<string, unknown>;
}

const MEMBERS = ['JSONCookie', 'JSONCookies', 'signedCookie', 'signedCookies'] as const;

const library = (): CookieParser =>
  optional<CookieParser>('cookieParser', 'cookie-parser', () => require('cookie-parser'));

export const cookieParser: CookieParser = withMembers(
  function cookieParser(secret?: string | string[], options?: CookieParserOptions): Middleware {
    return library()(secret, options);
  },
  MEMBERS,
  library,
);
