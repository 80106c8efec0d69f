/** `cookieParser`: sets `req.cookies` and `req.signedCookies` with the package cookie-parser. §9.3 F-9.3-105 */
import { loadPackage, withMembers } from './load-package';
import type { Middleware } from './types';

export interface CookieParserOptions {
  /** Decodes the value of a cookie. Default: `decodeURIComponent`. */
  decode?: ((text: string) => string) | undefined;
}

export interface CookieParser {
  /**
   * Creates middleware that parses the cookies of a request.
   *
   * @param secret The secret of signed cookies. In a list, the first secret signs; a cookie is valid if any secret
   *   fits.
   */
  (secret?: string | string[], options?: CookieParserOptions): Middleware;
  /** Parses a cookie value that begins with `j:` as JSON; returns undefined for other values and invalid JSON. */
  readonly JSONCookie: (text: string) => unknown;
  readonly JSONCookies: (cookies: Record<string, unknown>) => Record<string, unknown>;
  /** Returns a value `s:…` without its signature, false if that is invalid, and other strings unchanged. */
  readonly signedCookie: (text: string, secret: string | string[]) => string | false | undefined;
  readonly signedCookies: (
    cookies: Record<string, unknown>,
    secret: string | string[],
  ) => Record<string, unknown>;
}

const MEMBERS = ['JSONCookie', 'JSONCookies', 'signedCookie', 'signedCookies'] as const;

const library = (): CookieParser =>
  loadPackage<CookieParser>('cookieParser', 'cookie-parser', () => require('cookie-parser'));

export const cookieParser: CookieParser = withMembers(
  function cookieParser(secret?: string | string[], options?: CookieParserOptions): Middleware {
    return library()(secret, options);
  },
  MEMBERS,
  library,
);
