/** The methods `res.location`, `res.redirect` and `res.format`. §4.5 · RFC 9110 §10.2.2, §12 */
import deprecateFor from 'depd';
import encodeUrl from 'encodeurl';
import escapeHtml from 'escape-html';
import createError from 'http-errors';
import mime from 'mime-types';
import statuses from 'statuses';
import type { AnyRequest, AnyResponse, Handler, Next, Part, Response } from '../types';

const deprecate = deprecateFor('express');

/** What Express 3, 4 and 5 do differently in `res.location` and `res.redirect`. */
export interface RedirectDialect {
  /** The deprecation warning for the URL `'back'`. */
  warningForBack?: string;
  /** Whether `redirect` also accepts `(url, status)`, and any status. */
  isLenient?: boolean;
  /** Whether `redirect` reads the header from `this`, and not from the result of `location`. Default false. */
  readsOwnHeader?: boolean;
  /** Returns the body for clients that prefer plain text. */
  text(status: number, location: string): string;
  /** Returns the body for clients that prefer HTML. */
  html(status: number, location: string): string;
}

interface Redirecting extends AnyResponse {
  set(field: string, value: unknown): this;
  location(url: string): AnyResponse;
  format(handlers: Record<string, () => void>): unknown;
}

interface Formatting extends AnyResponse {
  req: AnyRequest & { accepts(types: string[]): string | false; next: Next };
  vary(field: string): unknown;
}

/** Puts the status first. As in Express 3 and 4, the types of the two values are not checked. */
function inOrder([first, second]: unknown[]): [status: number, url: string] {
  const isReversed = typeof first !== 'number';
  if (isReversed) deprecate('res.redirect(url, status): Use res.redirect(status, url) instead');
  return (isReversed ? [second, first] : [first, second]) as [number, string];
}

/** Warns of other types. They are cast, because `res.status` throws if the status is not an integer. */
function checked([status, url]: unknown[]): [status: number, url: string] {
  if (!url) deprecate('Provide a url argument');
  if (typeof url !== 'string') deprecate('Url must be a string');
  if (typeof status !== 'number') deprecate('Status must be a number');
  return [status, url] as [number, string];
}

type RedirectMethods<Res> = ThisType<Res> & {
  location(url: string): Res;
  redirect(first: unknown, ...rest: unknown[]): void;
};

type FormatMethod<Res extends Formatting> = ThisType<Res> & {
  format(handlers: Record<string, Handler<Res['req'], Res>>): Res;
};

/** Creates the methods `location` and `redirect`. */
export function redirectMethods<Res extends Redirecting>(dialect: RedirectDialect): RedirectMethods<Res> {
  return {
    /** Sets `Location`, percent-encoded. `'back'` means the URL in `Referer`, or `/` without it. */
    location(url) {
      let target = url;
      if (url === 'back') {
        if (dialect.warningForBack) deprecate(dialect.warningForBack);
        target = this.req.get('Referrer') || '/';
      }
      return this.set('Location', encodeUrl(target));
    },

    /** Redirects `(url)` or `(status, url)`, by default with 302 and a short text or HTML body with the URL. */
    redirect(first, ...rest) {
      const args = rest.length === 1 ? [first, rest[0]] : [302, first];
      const [status, url] = dialect.isLenient ? inOrder(args) : checked(args);
      const located = this.location(url);
      const location = `${(dialect.readsOwnHeader ? this : located).get('Location')}`;
      let body = '';
      this.format({
        text: () => {
          body = dialect.text(status, location);
        },
        html: () => {
          body = dialect.html(status, location);
        },
        default: () => undefined,
      });

      if (dialect.isLenient) this.statusCode = status;
      else this.status(status);
      this.set('Content-Length', Buffer.byteLength(body));
      if (this.req.method === 'HEAD') this.end();
      else this.end(body);
    },
  };
}

/**
 * Creates the method `format`.
 *
 * @param toMediaType Converts a key, which is a file extension or a media type, to a media type without parameters.
 */
export function formatMethod<Res extends Formatting>(
  toMediaType: (key: string) => string,
): FormatMethod<Res> {
  return {
    /** Calls the handler for the preferred media type, else `handlers.default`, else `next` with a 406 error. */
    format(handlers) {
      const { req } = this;
      const { next } = req;
      const keys = Object.keys(handlers).filter((key) => key !== 'default');
      const key = keys.length > 0 && req.accepts(keys);

      this.vary('Accept');
      if (key) {
        this.set('Content-Type', toMediaType(key));
        // As in Express, this throws if the application's own `req.accepts` returns a type without a handler.
        (handlers[key] as Handler<Res['req'], Res>)(req, this, next);
      } else if (handlers.default) handlers.default(req, this, next);
      else next(createError(406, { types: keys.map(toMediaType) }));
      return this;
    },
  };
}

export const redirect: Part<Response, 'location' | 'redirect' | 'format'> = {
  ...redirectMethods<Response>({
    text: (status, location) => `${statuses.message[status]}. Redirecting to ${location}`,
    html: (status, location) =>
      `<!DOCTYPE html><head><title>${statuses.message[status]}</title></head>` +
      `<body><p>${statuses.message[status]}. Redirecting to ${escapeHtml(location)}</p></body>`,
  }),
  ...formatMethod<Response>(toMediaType),
};

/** Converts a key of `format`, which is a file extension or a media type, to a media type without parameters. */
function toMediaType(key: string): string {
  if (!key.includes('/')) return mime.lookup(key) || 'application/octet-stream';
  return key.replace(/;.*/s, '').trim();
}
