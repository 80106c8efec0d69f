/** The method `res.cookie` of Express 3. §9.3 */
import { response as core } from '../response/response';
import type { CookieOptions, Part } from '../types';
import type { Response } from './types';

export const cookie: Part<Response, 'cookie'> = {
  /**
   * Adds a cookie to the response. An object is sent as JSON with the prefix `j:`. `options.maxAge` is in milliseconds.
   *
   * @throws {Error} if `options.signed` is set and the request has no secret.
   * @throws {TypeError} for a name or an option that a cookie cannot contain.
   */
  cookie(name: string, value: unknown, options?: CookieOptions) {
    if (options?.signed && !this.req.secret)
      throw new Error('connect.cookieParser("secret") required for signed cookies');
    return Reflect.apply(core.cookie, this, [name, value, options]);
  },
};
