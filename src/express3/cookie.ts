/** The methods `res.cookie` and `res.clearCookie` of Express 3: options may be inherited, and replace the expiry. §9.3 */
import { withInherited } from '../legacy/with-inherited';
import { response as core } from '../response/response';
import type { CookieOptions, Part } from '../types';
import type { Response } from './types';

export const cookie: Part<Response, 'cookie' | 'clearCookie'> = {
  cookie(name: string, value: unknown, options?: CookieOptions) {
    const given = withInherited(options);
    if (given.signed && !this.req.secret)
      throw new Error('connect.cookieParser("secret") required for signed cookies');
    return Reflect.apply(core.cookie, this, [name, value, given]);
  },

  clearCookie(name: string, options?: CookieOptions) {
    return this.cookie(name, '', { expires: new Date(1), path: '/', ...withInherited(options) });
  },
};
