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
    Reflect.apply(core.cookie, this, [name, value, given]);
    const age = Number(given.maxAge ?? 0) / 1000;
    if (!Number.isInteger(age)) keepFraction(this, age);
    return this;
  },

  clearCookie(name: string, options?: CookieOptions) {
    return this.cookie(name, '', { expires: new Date(1), path: '/', ...withInherited(options) });
  },
};

/** Sets `Max-Age` of the cookie that was added last to the number of seconds, which the package cookie rounds down. */
function keepFraction(res: Response, age: number): void {
  const cookies = [res.getHeader('Set-Cookie') ?? []].flat().map(String);
  const last = cookies.pop()?.replace(/; Max-Age=-?\d+/, `; Max-Age=${age}`);
  // As in Express 3, `setHeader` would add to the cookies.
  res.removeHeader('Set-Cookie');
  res.setHeader('Set-Cookie', last === undefined ? cookies : [...cookies, last]);
}
