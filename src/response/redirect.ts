/** The methods `res.location` and `res.redirect`. §4.5 · RFC 9110 §10.2.2 */
import deprecateFor from 'depd';
import { express5, type RedirectRules } from '../series';
import type { AnyResponse, Part, Response } from '../types';

const deprecate = deprecateFor('express');

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

export function redirectMethods<Res extends Redirecting>(rules: RedirectRules): RedirectMethods<Res> {
  return {
    /** Sets `Location`, percent-encoded. `'back'` means the URL in `Referer`, or `/` without it. */
    location(url) {
      let target = url;
      if (url === 'back') {
        if (rules.warningForBack) deprecate(rules.warningForBack);
        target = this.req.get('Referrer') || '/';
      }
      const result = this.set('Location', rules.toLocation(target, this));
      return rules.ignoresResultOfSet ? this : result;
    },

    /** Redirects `(url)` or `(status, url)`, by default with 302 and a short text or HTML body with the URL. */
    redirect(first, ...rest) {
      const args = rest.length === 1 ? [first, rest[0]] : [302, first];
      const [status, url] = rules.acceptsUrlFirst ? inOrder(args) : checked(args);
      const located = this.location(url);
      const location = `${(rules.ignoresResultOfSet ? this : located).get('Location')}`;
      let body = '';
      this.format({
        text: () => {
          body = rules.redirectText(status, location);
        },
        html: () => {
          body = rules.redirectHtml(status, location);
        },
        default: () => undefined,
      });

      if (rules.acceptsUrlFirst) this.statusCode = status;
      else this.status(status);
      this.set('Content-Length', Buffer.byteLength(body));
      if (this.req.method === 'HEAD') this.end();
      else this.end(body);
    },
  };
}

export const redirect: Part<Response, 'location' | 'redirect'> = redirectMethods<Response>(express5.response);
