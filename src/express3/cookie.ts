/** The methods `res.cookie` and `res.clearCookie` of Express 3. §9.3 */
import { withInherited } from '../legacy/inherited';
import { response as core } from '../response/response';
import type { CookieOptions, Part } from '../types';
import type { Response } from './types';

export const cookie: Part<Response, 'cookie' | 'clearCookie'> = {
  /**
   * Adds a cookie to the response. An object is sent as JSON with the prefix `j:`. `options.maxAge` is in milliseconds.
   *
   * @throws {Error} if `options.signed` is set and the request has no secret.
   * @throws {TypeError} for a name or an option that a cookie cannot contain.
   */
  cookie(name: string, value: unknown, options?: CookieOptions) {
    const given = withInherited(options);
    if (given.signed && !this.req.secret)
      throw new Error('connect.cookieParser("secret") required for signed cookies');
    return Reflect.apply(core.cookie, this, [name, value, given]);
  },

  /** Makes the client delete a cookie. `options.expires` and `maxAge` replace the date in the past. */
  clearCookie(name: string, options?: CookieOptions) {
    return this.cookie(name, '', { expires: new Date(1), path: '/', ...withInherited(options) });
  },
};
