/** The methods `location`, `redirect` and `format` of the Express 4 response. E4-F9 to E4-F15, E4-F40, E4-F41 */
import escapeHtml from 'escape-html';
import statuses from 'statuses';
import { formatMethod } from '../response/format';
import { redirectMethods } from '../response/redirect';
import type { Part } from '../types';
import { mime } from './mime';
import type { Response } from './types';

export const redirect: Part<Response, 'location' | 'redirect' | 'format'> = {
  ...redirectMethods<Response>({
    warningForBack:
      'res.location("back"): use res.location(req.get("Referrer") || "/") and refer to https://dub.sh/security-redirect for best practices',
    isLenient: true,
    resolve: undefined,
    usesOnlyThis: false,
    text: (status, location) => `${statuses.message[status]}. Redirecting to ${location}`,
    html: (status, location) => `<p>${statuses.message[status]}. Redirecting to ${escapeHtml(location)}</p>`,
  }),
  ...formatMethod<Response>((key) =>
    key.includes('/') ? key.replace(/(?<! ) *;.*/s, '') : mime.lookup(key),
  ),
};
