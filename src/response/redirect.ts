/** The methods `res.location`, `res.redirect` and `res.format`. §4.5 · RFC 9110 §10.2.2, §12 */
import deprecateFor from 'depd';
import encodeUrl from 'encodeurl';
import escapeHtml from 'escape-html';
import createError from 'http-errors';
import mime from 'mime-types';
import statuses from 'statuses';
import type { Handler, Part, Response } from '../types';

const deprecate = deprecateFor('express');

export const redirect: Part<Response, 'location' | 'redirect' | 'format'> = {
  /**
   * Sets `Location`, and percent-encodes characters that a URL cannot contain. `'back'` means the URL in the request's
   * `Referer`, or `/` if there is none.
   */
  location(url: string) {
    const target = url === 'back' ? this.req.get('Referrer') || '/' : url;
    return this.set('Location', encodeUrl(target));
  },

  /**
   * Redirects the client. The arguments are `(url)` or `(status, url)`; the default status is 302. A short text or HTML
   * body contains the URL; the body is empty if the client accepts neither.
   */
  redirect(first: string | number, ...rest: [url?: string]) {
    // A cast: the application may pass other types. As in Express, they cause a deprecation warning, and `status`
    // throws below if the status is not an integer.
    const [status, url] = (rest.length === 1 ? [first, rest[0]] : [302, first]) as [number, string];
    if (!url) deprecate('Provide a url argument');
    if (typeof url !== 'string') deprecate('Url must be a string');
    if (typeof status !== 'number') deprecate('Status must be a number');

    const target = this.location(url).get('Location');
    let body = '';
    this.format({
      text: () => {
        body = `${statuses.message[status]}. Redirecting to ${target}`;
      },
      html: () => {
        const link = escapeHtml(`${target}`);
        const { message } = statuses;
        body =
          `<!DOCTYPE html><head><title>${message[status]}</title></head>` +
          `<body><p>${message[status]}. Redirecting to ${link}</p></body>`;
      },
      default: () => undefined,
    });

    this.status(status);
    this.set('Content-Length', Buffer.byteLength(body));
    if (this.req.method === 'HEAD') this.end();
    else this.end(body);
  },

  /**
   * Calls the handler for the media type that the client prefers, according to `Accept`. If the client accepts none of
   * the types, calls `handlers.default`, or `next` with a 406 error.
   */
  format(handlers: Record<string, Handler>) {
    const { req } = this;
    const { next } = req;
    const types = Object.keys(handlers).filter((key) => key !== 'default');
    const type = types.length > 0 && req.accepts(types);

    this.vary('Accept');
    if (type) {
      this.set('Content-Type', toMediaType(type));
      // A cast: `type` is one of the keys of `handlers`.
      (handlers[type] as Handler)(req, this, next);
    } else if (handlers.default) handlers.default(req, this, next);
    else next(createError(406, { types: types.map(toMediaType) }));
    return this;
  },
};

/** Converts a key of `format`, which is a file extension or a media type, to a media type without parameters. */
function toMediaType(key: string): string {
  if (!key.includes('/')) return mime.lookup(key) || 'application/octet-stream';
  return key.replace(/;.*/s, '').trim();
}
