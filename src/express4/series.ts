/** What Express 4 does otherwise than Express 5: its value of `Series` (src/series.ts). E4-B, E4-C, E4-D, E4-F */
import escapeHtml from 'escape-html';
import qs from 'qs';
import statuses from 'statuses';
import { parseSimpleQuery } from '../http/urlencoded';
import { addedSetting } from '../internal/setting';
import { toDisposition } from '../legacy/disposition';
import { setCharset } from '../legacy/media-type';
import { express5, type Series } from '../series';
import { hasFutureFlag } from './future-flags';
import { mime } from './mime';

const CHARSET = /;\s*charset\s*=/;

export const express4: Series = {
  settings: {
    defaults: { 'query parser': 'extended' },
    /** An empty object. */
    disabledQueryParser: () => ({}),
    /** By qs, with a list of up to 1000 values. */
    parseExtendedQuery: (text) =>
      text ? (parseSimpleQuery(text) ?? qs.parse(text, { allowPrototypes: true, arrayLimit: 1000 })) : {},
  },

  routing: {
    prefixMayEndAtDot: true,
    alwaysStripsAddedSlash: true,
    requiresCallback: false,
    publishesTraces: false,
    /** After `app.set('promises', 5)`. */
    // The first comparison is fast: handlers often return a value, such as the result of `res.send`.
    forwardsRejections: ({ app }) => app?.settings?.promises === 5 && addedSetting(app, 'promises') === 5,
    requestMethod: 'handle_request',
    errorMethod: 'handle_error',
    countsSkippedLayers: true,

    /** The methods in the order of registration, as HTML. After `app.set('options', 5)`, as in Express 5. */
    answerOptions(res, methods) {
      if (hasFutureFlag(res, 'options')) return express5.routing.answerOptions(res, methods);
      const allow = [...new Set(methods)].join(',');
      res.set('Allow', allow);
      res.send(allow);
    },
  },

  response: {
    checksStatus: false,
    empties205: true,
    sendsViewsAsJson: true,
    escapesJson: true,
    setsLengthAlways: true,
    passesEncodingToETag: false,
    acceptsStatus: true,
    sendsNullAsText: true,
    keepsAnyType: true,
    /** With the charset UTF-8, and its parameters sorted. */
    toTextType: (type) => setCharset(type, 'utf-8'),

    /** Reads the type twice. */
    setTextType(res) {
      if (!res.get('Content-Type')) res.type('html');
      const type: unknown = res.get('Content-Type');
      if (typeof type === 'string') res.set('Content-Type', setCharset(type, 'utf-8'));
    },

    /** With the charset of mime 1.6. A list throws a TypeError. */
    toContentType(type) {
      if (Array.isArray(type)) throw new TypeError('Content-Type cannot be set to an Array');
      if (CHARSET.test(type)) return type;
      const charset = mime.charsets.lookup(type.replace(/;.*/s, ''));
      return charset ? `${type}; charset=${charset.toLowerCase()}` : type;
    },

    /** By mime 1.6. */
    lookupType: (name) => mime.lookup(name),
    varyWithoutName: 'warns',
    warningForBack:
      'res.location("back"): use res.location(req.get("Referrer") || "/") and refer to https://dub.sh/security-redirect for best practices',
    acceptsUrlFirst: true,
    ignoresResultOfSet: false,
    toLocation: express5.response.toLocation,
    redirectText: express5.response.redirectText,
    /** One paragraph. */
    redirectHtml: (status, location) =>
      `<p>${statuses.message[status]}. Redirecting to ${escapeHtml(location)}</p>`,
    /** If it begins with a slash, a drive or two backslashes, on every system. */
    isAbsolute: (path) =>
      path[0] === '/' || (path[1] === ':' && /[\\/]/.test(path[2] ?? '')) || path.startsWith('\\\\'),
    /** By content-disposition 0.5: always in quotes. */
    toDisposition,
    /** By mime 1.6. */
    toMediaType: (key) => (key.includes('/') ? key.replace(/(?<! ) *;.*/s, '') : mime.lookup(key)),
  },

  errors: {
    /** The stack of the error, or its text. */
    toLogged: (err) => Object(err).stack || String(err),
  },
};
