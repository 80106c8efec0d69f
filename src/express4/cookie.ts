/** The methods `res.cookie` and `res.clearCookie` of Express 4. E4-F17 to E4-F19 */
import deprecateFor from 'depd';
import { withInherited } from '../legacy/with-inherited';
import { response as core } from '../response/response';
import type { CookieOptions, Part } from '../types';
import type { Response } from './types';

const deprecate = deprecateFor('express');

export const cookie: Part<Response, 'cookie' | 'clearCookie'> = {
  cookie(name: string, value: unknown, options?: CookieOptions) {
    return Reflect.apply(core.cookie, this, [name, value, withInherited(options)]);
  },

  clearCookie(name: string, options?: CookieOptions) {
    if (options?.maxAge) deprecate(ignored('maxAge'));
    if (options?.expires) deprecate(ignored('expires'));
    return this.cookie(name, '', { expires: new Date(1), path: '/', ...withInherited(options) });
  },
};

function ignored(option: string): string {
  return `res.clearCookie: Passing "options.${option}" is deprecated. In v5.0.0 of Express, this option will be ignored, as res.clearCookie will automatically set cookies to expire immediately. Please update your code to omit this option.`;
}
