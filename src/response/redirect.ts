/** The methods `res.location` and `res.redirect`. §4.5 · RFC 9110 §10.2.2 */
import deprecateFor from 'depd';
import encodeUrl from 'encodeurl';
import escapeHtml from 'escape-html';
import statuses from 'statuses';
import type { AnyResponse, Part, Response } from '../types';

const deprecate = deprecateFor('express');

/** What Express 3, 4 and 5 do differently in `res.location` and `res.redirect`. */
export interface RedirectDialect<Res> {
  /** The deprecation warning for the URL `'back'`. */
  warningForBack: string | undefined;
  /** Whether `redirect` also accepts `(url, status)`, and any status. */
  isLenient: boolean;
  /** Returns the header for a URL. If undefined, it is the URL, percent-encoded. */
  resolve: ((res: Res, url: string) => string) | undefined;
  /**
   * Whether `location` returns `this`, and `redirect` reads the header from it. If false, from the results of
   * `set` and `location`, which the application may have overridden.
   */
  usesOnlyThis: boolean;
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

export function redirectMethods<Res extends Redirecting>(
  dialect: RedirectDialect<Res>,
): RedirectMethods<Res> {
  return {
    /** Sets `Location`, percent-encoded. `'back'` means the URL in `Referer`, or `/` without it. */
    location(url) {
      let target = url;
      if (url === 'back') {
        if (dialect.warningForBack) deprecate(dialect.warningForBack);
        target = this.req.get('Referrer') || '/';
      }
      const result = this.set('Location', dialect.resolve?.(this, target) ?? encodeUrl(target));
      return dialect.usesOnlyThis ? this : result;
    },

    /** Redirects `(url)` or `(status, url)`, by default with 302 and a short text or HTML body with the URL. */
    redirect(first, ...rest) {
      const args = rest.length === 1 ? [first, rest[0]] : [302, first];
      const [status, url] = dialect.isLenient ? inOrder(args) : checked(args);
      const located = this.location(url);
      const location = `${(dialect.usesOnlyThis ? this : located).get('Location')}`;
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

export const redirect: Part<Response, 'location' | 'redirect'> = redirectMethods<Response>({
  warningForBack: undefined,
  isLenient: false,
  resolve: undefined,
  usesOnlyThis: false,
  text: (status, location) => `${statuses.message[status]}. Redirecting to ${location}`,
  html: (status, location) =>
    `<!DOCTYPE html><head><title>${statuses.message[status]}</title></head>` +
    `<body><p>${statuses.message[status]}. Redirecting to ${escapeHtml(location)}</p></body>`,
});
