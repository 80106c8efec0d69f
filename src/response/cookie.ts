/**
 * Cookies set and cleared. §4.5, §2.8 · RFC 6265
 */
import type { CookieOptions, Part, Response } from '../types';
import { lazy } from '../wire/lazy';

const cookies = lazy<typeof import('cookie')>(() => require('cookie'));
const signature = lazy<typeof import('cookie-signature')>(() => require('cookie-signature'));

export const cookie: Part<Response, 'cookie' | 'clearCookie'> = {
  /**
   * Adds a cookie. An object is sent as JSON. `maxAge` is in milliseconds.
   *
   * @throws {Error} for a signed cookie without a secret.
   * @throws {TypeError} for a name, a value or an option that a cookie cannot hold.
   */
  cookie(name: string, value: unknown, options?: CookieOptions) {
    const given: CookieOptions = { ...options };
    const { secret } = this.req;
    const key = given.signed ? secret : undefined;
    if (given.signed && !key) throw new Error('cookieParser("secret") required for signed cookies');

    let text = typeof value === 'object' ? `j:${JSON.stringify(value)}` : String(value);
    if (key) text = `s:${signature().sign(text, key)}`;

    if (given.maxAge !== undefined && given.maxAge !== null) {
      // A subtraction, not Number(): Express throws for a BigInt, too.
      const age = given.maxAge - 0;
      if (!Number.isNaN(age)) {
        given.expires = new Date(Date.now() + age);
        given.maxAge = Math.floor(age / 1000);
      }
    }
    given.path ??= '/';
    // @types/cookie does not allow an option to be undefined.
    this.append('Set-Cookie', cookies().serialize(name, text, given as object));
    return this;
  },

  /** Makes the client delete a cookie. Pass the options that the cookie was set with. */
  clearCookie(name: string, options?: CookieOptions) {
    const expired: CookieOptions = { path: '/', ...options, expires: new Date(1) };
    delete expired.maxAge;
    return this.cookie(name, '', expired);
  },
};
