/** `location`, `redirect` and `format`. §4.5 · RFC 9110 §10.2.2, §12 */
import deprecateFor from 'depd';
import type { Handler, Part, Response } from '../types';
import { lazy } from '../wire/lazy';

const createError = lazy<typeof import('http-errors')>(() => require('http-errors'));
const encodeUrl = lazy<typeof import('encodeurl')>(() => require('encodeurl'));
const escapeHtml = lazy<typeof import('escape-html')>(() => require('escape-html'));
const mime = lazy<typeof import('mime-types')>(() => require('mime-types'));
const statuses = lazy<typeof import('statuses')>(() => require('statuses'));

const deprecate = deprecateFor('express');

export const redirect: Part<Response, 'location' | 'redirect' | 'format'> = {
  /** Sets `Location`, with characters encoded that a URL cannot contain. `'back'` means the referrer, or `/`. */
  location(url: string) {
    const target = url === 'back' ? this.req.get('Referrer') || '/' : url;
    return this.set('Location', encodeUrl()(target));
  },

  /** Redirects the client: `(url)` or `(status, url)`, with status 302 by default. A short body contains the URL. */
  redirect(first: string | number, ...rest: [url?: string]) {
    // Other types are an application error, for which Express only prints a warning.
    const [status, url] = (rest.length === 1 ? [first, rest[0]] : [302, first]) as [number, string];
    if (!url) deprecate('Provide a url argument');
    if (typeof url !== 'string') deprecate('Url must be a string');
    if (typeof status !== 'number') deprecate('Status must be a number');

    const target = this.location(url).get('Location');
    let body = '';
    this.format({
      text: () => {
        body = `${statuses().message[status]}. Redirecting to ${target}`;
      },
      html: () => {
        const link = escapeHtml()(`${target}`);
        const { message } = statuses();
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
   * Calls the handler for the type that the client prefers, by `Accept`. If none matches, it calls `default`, or
   * `next` with a 406 error.
   */
  format(handlers: Record<string, Handler>) {
    const { req } = this;
    const { next } = req;
    const types = Object.keys(handlers).filter((key) => key !== 'default');
    const type = types.length > 0 && req.accepts(types);

    this.vary('Accept');
    if (type) {
      this.set('Content-Type', toMediaType(type));
      // `type` is one of the keys.
      (handlers[type] as Handler)(req, this, next);
    } else if (handlers.default) handlers.default(req, this, next);
    else next(createError()(406, { types: types.map(toMediaType) }));
    return this;
  },
};

/** The media type of a key of `format`, without its parameters. */
function toMediaType(key: string): string {
  if (!key.includes('/')) return mime().lookup(key) || 'application/octet-stream';
  return key.replace(/;.*/s, '').trim();
}
