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
    // The application may pass another type, with which Express 3 calculates, too.
    const { maxAge = Number.NaN }: CookieOptions = options ?? {};
    if (!('maxAge' in given) || isUsual(maxAge)) Reflect.apply(core.cookie, this, [name, value, given]);
    else addWithAge(this, [name, value, given], maxAge);
    return this;
  },

  clearCookie(name: string, options?: CookieOptions) {
    return this.cookie(name, '', { expires: new Date(1), path: '/', ...withInherited(options) });
  },
};

/** Whether it is a whole number of seconds, after which there is a date. */
function isUsual(maxAge: unknown): boolean {
  return typeof maxAge === 'number' && maxAge % 1000 === 0 && Math.abs(maxAge) < 8e15;
}

/**
 * Adds a cookie with another `maxAge`. Express 3 sends fractions of seconds, `null` as 0, and `Expires=Invalid Date` if
 * there is no such date.
 *
 * @throws {Error} if `maxAge` is not a number.
 */
function addWithAge(
  res: Response,
  [name, value, given]: [string, unknown, CookieOptions],
  maxAge: number,
): void {
  const seconds = maxAge / 1000;
  if (Number.isNaN(seconds)) throw new Error('maxAge should be a Number');
  const expires = new Date(Date.now() + maxAge).toUTCString();
  Reflect.apply(core.cookie, res, [name, value, { ...given, maxAge: 0 }]);
  const cookies = [res.getHeader('Set-Cookie') ?? []].flat().map(String);
  const last = String(cookies.pop())
    .replace(/; Max-Age=0/, `; Max-Age=${seconds}`)
    .replace(/; Expires=[^;]*/, `; Expires=${expires}`);
  // As in Express 3, `setHeader` would add to the cookies.
  res.removeHeader('Set-Cookie');
  res.setHeader('Set-Cookie', [...cookies, last]);
}
