/**
 * Cookies of the 3.x response. §9.3 `res.cookie`
 */
import { response as core } from '../response/response';
import type { CookieOptions, Part } from '../types';
import type { Response } from './types';

export const cookie: Part<Response, 'cookie'> = {
  /**
   * Adds a cookie. An object is sent as JSON. `maxAge` is in milliseconds.
   *
   * @throws {Error} for a signed cookie without a secret.
   * @throws {TypeError} for a value that a cookie cannot hold.
   */
  cookie(name: string, value: unknown, options?: CookieOptions) {
    if (options?.signed && !this.req.secret)
      throw new Error('connect.cookieParser("secret") required for signed cookies');
    return Reflect.apply(core.cookie, this, [name, value, options]);
  },
};
