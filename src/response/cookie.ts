/** The methods `res.cookie` and `res.clearCookie`. §4.5, §2.8 · RFC 6265 */

import cookies from 'cookie';
import signature from 'cookie-signature';
import type { CookieOptions, Part, Response } from '../types';

export const cookie: Part<Response, 'cookie' | 'clearCookie'> = {
  /**
   * Adds a cookie to `Set-Cookie`. An object or null is sent as `j:` and its JSON. `maxAge` is in milliseconds.
   *
   * @throws {Error} for a signed cookie if `req.secret` is not set.
   * @throws {TypeError} if the package cookie rejects the name, the value or an option.
   */
  cookie(name: string, value: unknown, options?: CookieOptions) {
    const given: CookieOptions = { ...options };
    const { secret } = this.req;
    const key = given.signed ? secret : undefined;
    if (given.signed && !key) throw new Error('cookieParser("secret") required for signed cookies');

    let text = typeof value === 'object' ? `j:${JSON.stringify(value)}` : String(value);
    if (key) text = `s:${signature.sign(text, key)}`;

    if (given.maxAge !== undefined && given.maxAge !== null) {
      // A subtraction and not `Number()`, because Express throws for a BigInt, which `Number()` accepts.
      const age = given.maxAge - 0;
      if (!Number.isNaN(age)) {
        given.expires = new Date(Date.now() + age);
        given.maxAge = Math.floor(age / 1000);
      }
    }
    given.path ??= '/';
    // A cast, because @types/cookie does not allow an option to be undefined.
    this.append('Set-Cookie', cookies.serialize(name, text, given as object));
    return this;
  },

  /** Makes the client delete a cookie. Pass the `path` and the `domain` that the cookie was set with. */
  clearCookie(name: string, options?: CookieOptions) {
    const expired: CookieOptions = { path: '/', ...options, expires: new Date(1) };
    delete expired.maxAge;
    return this.cookie(name, '', expired);
  },
};
