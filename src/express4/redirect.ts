/** The methods `location`, `redirect` and `format` of the Express 4 response. E4-F9 to E4-F15, E4-F40, E4-F41 */
import { formatMethod } from '../response/format';
import { redirectMethods } from '../response/redirect';
import type { Part } from '../types';
import { express4 } from './series';
import type { Response } from './types';

export const redirect: Part<Response, 'location' | 'redirect' | 'format'> = {
  ...redirectMethods<Response>(express4.response),
  ...formatMethod<Response>(express4.response),
};
