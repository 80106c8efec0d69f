/** The methods `location`, `redirect` and `format` of the Express 4 response. E4-F9 to E4-F15, E4-F40, E4-F41 */
import deprecateFor from 'depd';
import encodeUrl from 'encodeurl';
import escapeHtml from 'escape-html';
import createError from 'http-errors';
import statuses from 'statuses';
import type { Part } from '../types';
import { mime } from './mime';
import type { Handler, Response } from './types';

const deprecate = deprecateFor('express');

export const redirect: Part<Response, 'location' | 'redirect' | 'format'> = {
  /**
   * Sets the header `Location`. Characters that a URL cannot contain are percent-encoded.
   *
   * @param url `'back'` means the header `Referer`, or `/` without that header.
   */
  location(url: string) {
    let target = String(url);
    if (url === 'back') {
      deprecate(
        'res.location("back"): use res.location(req.get("Referrer") || "/") and refer to https://dub.sh/security-redirect for best practices',
      );
      target = this.req.get('Referrer') || '/';
    }
    return this.set('Location', encodeUrl(target));
  },

  /**
   * Redirects the client. The arguments are `(url)`, `(status, url)` or `(url, status)`; the default status is 302. The
   * body is a short text or HTML page with the URL; it is empty if the client accepts neither.
   */
  redirect(...args: unknown[]) {
    const isReversed = args.length === 2 && typeof args[0] !== 'number';
    if (isReversed) deprecate('res.redirect(url, status): Use res.redirect(status, url) instead');
    const ordered = isReversed ? [args[1], args[0]] : args.length === 2 ? args : [302, args[0]];
    // As in Express, the types of the two arguments are not checked.
    const [status, url] = ordered as [number, string];
    const target = this.location(url).get('Location') ?? '';
    const message = `${statuses.message[status]}. Redirecting to `;
    let body = '';
    this.format({
      text: () => {
        body = message + target;
      },
      html: () => {
        body = `<p>${message}${escapeHtml(target)}</p>`;
      },
      default: () => undefined,
    });

    this.statusCode = status;
    this.set('Content-Length', Buffer.byteLength(body));
    if (this.req.method === 'HEAD') this.end();
    else this.end(body);
  },

  /**
   * Calls the handler for the type that the client prefers by `Accept`. If the client accepts none, calls `default`, or
   * else `next` with a 406 error.
   */
  format(handlers: Record<string, Handler>) {
    const { req } = this;
    const { next } = req;
    const keys = Object.keys(handlers).filter((key) => key !== 'default');
    const key = keys.length > 0 && req.accepts(keys);

    this.vary('Accept');
    if (key) {
      this.set('Content-Type', toMediaType(key));
      // As in Express, this throws if the application's own `req.accepts` returns a type without a handler.
      (handlers[key] as Handler)(req, this, next);
    } else if (handlers.default) handlers.default(req, this, next);
    else next(createError(406, { types: keys.map(toMediaType) }));
    return this;
  },
};

/** Converts a key of `format` to a media type without parameters. The key is a media type or a file extension. */
function toMediaType(key: string): string {
  return key.includes('/') ? key.replace(/ *;.*/s, '') : mime.lookup(key);
}
