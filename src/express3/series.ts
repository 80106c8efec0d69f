/** What Express 3 does otherwise than Express 4 and 5: its value of `AnySeries` (src/series.ts). §9.3 */
import { STATUS_CODES } from 'node:http';
import url from 'node:url';
import escapeHtml from 'escape-html';
import parseUrl from 'parseurl';
import type { AnySeries } from '../series';
import { mime } from './mime';
import type { Response } from './types';

export const express3: AnySeries = {
  settings: {
    // It has no effect in Express 3.
    defaults: { 'query parser': undefined },
  },

  response: {
    checksStatus: false,
    empties205: false,
    sendsViewsAsJson: true,
    escapesJson: false,
    /** Unchanged: `res.setHeader` adds the charset. */
    toContentType: (text) => text,
    /** By mime-types. */
    lookupType: (name) => mime.lookup(name),
    varyWithoutName: 'ignored',
    warningForBack: undefined,
    acceptsUrlFirst: true,
    ignoresResultOfSet: true,

    /**
     * `./x` and `../x` are relative to the path of the request, taken as a folder; `x` is relative to the mount path of
     * the application.
     */
    toLocation(target, { app, req }: Response) {
      if (target.includes('://') || target.startsWith('//')) return target;
      if (target[0] === '.') {
        const path = parseUrl.original(req)?.pathname ?? '/';
        return url.resolve(`${path.replace(/\/$/, '')}/`, target);
      }
      return target[0] === '/' ? target : `${app.path()}/${target}`;
    },

    /** The status, and the percent-encoded URL. */
    redirectText: (status, location) => `${STATUS_CODES[status]}. Redirecting to ${encodeURI(location)}`,
    /** One paragraph, with a link. */
    redirectHtml: (status, location) => `<p>${STATUS_CODES[status]}. Redirecting to ${toLink(location)}</p>`,
  },

  errors: {
    /** The stack of the error, or its text. */
    toLogged: (err) => Object(err).stack || Object(err).toString(),
  },
};

/** Returns a link for the body; plain text for a scheme such as `javascript:`, which a click would run. */
function toLink(location: string): string {
  const text = escapeHtml(location);
  const scheme = /^[^/?#]*:/.exec(location)?.[0].toLowerCase();
  const isWeb = scheme === undefined || scheme === 'http:' || scheme === 'https:';
  return isWeb ? `<a href="${text}">${text}</a>` : text;
}
