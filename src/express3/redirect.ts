/** The methods `location`, `redirect` and `format` of the Express 3 response. §9.3 */
import { STATUS_CODES } from 'node:http';
import url from 'node:url';
import escapeHtml from 'escape-html';
import parseUrl from 'parseurl';
import { redirectMethods } from '../response/redirect';
import type { Part } from '../types';
import { parseOffer } from './accept';
import { mime } from './mime';
import type { Handler, Request, Response } from './types';

export const redirect: Part<Response, 'location' | 'redirect' | 'format'> = {
  ...redirectMethods<Response>({
    warningForBack: undefined,
    isLenient: true,
    usesOnlyThis: true,
    resolve,
    text: (status, location) => `${STATUS_CODES[status]}. Redirecting to ${encodeURI(location)}`,
    html: (status, location) => `<p>${STATUS_CODES[status]}. Redirecting to ${toLink(location)}</p>`,
  }),

  /** Calls the handler for the preferred type, else `default`, else `next` with a 406 error. */
  format(handlers: Record<string, Handler>) {
    const { req } = this;
    const { default: otherwise, ...offered } = handlers;
    const types = Object.keys(offered);
    const key = req.accepts(types);

    this.vary('Accept');
    if (key !== undefined) {
      const type = parseOffer(key).value;
      const charset = mime.charsets.lookup(type);
      this.set('Content-Type', charset ? `${type}; charset=${charset}` : type);
      // As in Express, this throws if the application's own `req.accepts` returns a type without a handler.
      (offered[key] as Handler)(req, this, req.next);
    } else if (otherwise) {
      Reflect.apply(otherwise, undefined, []);
    } else {
      const error = new Error('Not Acceptable');
      req.next(Object.assign(error, { status: 406, types: types.map((type) => parseOffer(type).value) }));
    }
    return this;
  },
};

/**
 * Resolves a URL. `./x` and `../x` are relative to the path of the request, taken as a folder; `x` is relative to the
 * mount path of the application.
 */
function resolve({ app, req }: Response, target: string): string {
  if (target.includes('://') || target.startsWith('//')) return target;
  if (target[0] === '.') return url.resolve(`${getOriginalPath(req).replace(/\/$/, '')}/`, target);
  return target[0] === '/' ? target : `${app.path()}/${target}`;
}

function getOriginalPath(req: Request): string {
  return parseUrl.original(req)?.pathname ?? '/';
}

/** Returns a link for the body; plain text for a scheme such as `javascript:`, which a click would run. */
function toLink(location: string): string {
  const text = escapeHtml(location);
  const scheme = /^[^/?#]*:/.exec(location)?.[0].toLowerCase();
  const isWeb = scheme === undefined || scheme === 'http:' || scheme === 'https:';
  return isWeb ? `<a href="${text}">${text}</a>` : text;
}
