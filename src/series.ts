/**
 * What Express 3, 4 and 5 do differently, as one value for each series: `express5` below, `express4` in
 * src/express4/series.ts and `express3` in src/express3/series.ts. Code that serves several series receives one of them.
 *
 * `npm run generate -- series` writes docs/series.md: one row for each member of `Series`, with its comment and the
 * clauses that it names. A member that is a function has in each value a comment that says what the function does.
 */
import { basename, isAbsolute } from 'node:path';
import { create as createDisposition } from 'content-disposition';
import encodeUrl from 'encodeurl';
import escapeHtml from 'escape-html';
import mime from 'mime-types';
import qs from 'qs';
import statuses from 'statuses';
import { toUtf8, withCharset } from './http/media-type';
import { parseSimpleQuery } from './http/urlencoded';
import type { QueryParser, SettingsMap } from './interface';
import type { AnyRequest, AnyResponse } from './types';

export interface Series extends AnySeries {
  readonly settings: SettingRules;
  readonly routing: RoutingRules;
  readonly response: ResponseRules;
}

/** What all three series have. Express 3 has a router, a `res.send` and file methods of its own. */
export interface AnySeries {
  readonly settings: DefaultRules;
  readonly response: StatusRules & JsonRules & HeaderRules & RedirectRules;
  readonly errors: ErrorRules;
}

/** The application and its settings. */
export interface SettingRules extends DefaultRules, QueryRules {}

export interface DefaultRules {
  /** Default settings other than those of Express 5. @see E4-D1 F-2.2-28 F-9.3-30 */
  readonly defaults: Readonly<Partial<Record<keyof SettingsMap, unknown>>>;
}

export interface QueryRules {
  /** The parser for `query parser` set to `false`. @see E4-D3 F-2.2-29 */
  readonly disabledQueryParser: QueryParser | undefined;
  /** How `query parser` set to `'extended'` parses a query. @see E4-D1 E4-D2 F-2.2-31 */
  readonly parseExtendedQuery: QueryParser;
}

/** Routers, routes and layers. */
export interface RoutingRules extends CallRules, DispatchRules {
  /** Whether a mount path also matches if a dot follows it: `/a` the path `/a.b`. @see E4-B31 */
  readonly prefixMayEndAtDot: boolean;
  /**
   * Whether `next` always removes the first character of a URL that was empty below the mount path, also of a URL that
   * the handler has set since. @see E4-C10
   */
  readonly alwaysStripsAddedSlash: boolean;
  /** Whether `router.handle` throws without a callback. @see E4-C5 */
  readonly requiresCallback: boolean;
  /** The automatic response to OPTIONS. `methods` are in upper case, possibly with duplicates. @see E4-C3 */
  answerOptions(res: AnyResponse, methods: readonly string[]): void;
}

/** How a layer calls its handler. */
export interface CallRules {
  /** Whether the calls of handlers are published on the tracing channel of Express 5. */
  readonly publishesTraces: boolean;
  /**
   * Whether the rejection of a promise, which a handler or a parameter callback has returned, goes to `next`.
   * @see E4-C1 E4-C2 F-7-03
   */
  forwardsRejections(req: AnyRequest): boolean;
}

export interface DispatchRules {
  /**
   * The method of a layer that calls its handler. APM agents replace the method, and packages read its name in stack
   * traces. @see E4-C7
   */
  readonly requestMethod: 'handleRequest' | 'handle_request';
  /** The method of a layer that calls its error handler. @see E4-C7 */
  readonly errorMethod: 'handleError' | 'handle_error';
  /**
   * Whether the handlers of a route for other methods count towards the 100 synchronous calls of `next`. @see E4-C25
   */
  readonly countsSkippedLayers: boolean;
}

/** The response. */
export interface ResponseRules extends StatusRules, BodyRules, HeaderRules, RedirectRules, FileRules {
  /** The media type of a key of `res.format`. @see E4-F41 */
  toMediaType(key: string): string;
}

export interface StatusRules {
  /** Whether methods that set a status throw for anything but an integer from 100 to 999. @see E4-F1 E4-F27 F-7-12 */
  readonly checksStatus: boolean;
  /** Whether the status 205 removes the body. */
  readonly empties205: boolean;
}

/** `res.send`, `res.json` and `res.jsonp`. */
export interface BodyRules extends StatusRules, JsonRules {
  /** Whether `Content-Length` is set even if `Transfer-Encoding` is. @see E4-F26 */
  readonly setsLengthAlways: boolean;
  /** Whether the ETag function receives the encoding of a text that became a buffer. @see F-2.4-09 */
  readonly passesEncodingToETag: boolean;
  /**
   * Whether a status may come with the body: before or after it, and in `res.send` alone. This is deprecated.
   * @see E4-F3 E4-F5 E4-F6 E4-F7 E4-F8
   */
  readonly acceptsStatus: boolean;
  /** Whether `res.send(null)` is an empty text, which gives a content type the charset UTF-8. @see E4-F47 */
  readonly sendsNullAsText: boolean;
  /** Whether a text keeps a `Content-Type` that is set but no string. If not, the text is HTML. */
  readonly keepsAnyType: boolean;
  /** The content type of a text, when it has one. @see E4-F23 E4-F24 */
  toTextType(type: string): string | false;
  /** Sets the content type of a text with `res.get`, `res.set` and `res.type`. Applications override them. @see E4-F23 */
  setTextType(res: AnyResponse & { type(type: string): unknown }): void;
}

export interface JsonRules {
  /** Whether typed arrays are sent as JSON. If not, as their bytes. @see E4-F25 */
  readonly sendsViewsAsJson: boolean;
  /** Whether the setting `json escape` has an effect. @see E4-D8 F-2.2-17 */
  readonly escapesJson: boolean;
}

/** `res.set`, `res.type` and `res.vary`. */
export interface HeaderRules {
  /** The value of the header `Content-Type`. @see E4-F22 */
  toContentType(type: string | string[]): unknown;
  /** The media type of a file extension or a file name. @see E4-F20 */
  lookupType(name: string): string;
  /** What `res.vary()` does without a name. @see E4-F16 */
  readonly varyWithoutName: 'throws' | 'warns' | 'ignored';
}

/** `res.location` and `res.redirect`. */
export interface RedirectRules {
  /** The deprecation warning for the URL `'back'`. @see E4-F10 F-9.3-75 */
  readonly warningForBack: string | undefined;
  /** Whether `res.redirect` also accepts `(url, status)`, and any status. @see E4-F9 E4-F13 */
  readonly acceptsUrlFirst: boolean;
  /**
   * Whether `res.location` returns `res`, and `res.redirect` reads the header from it. If not, from the results of
   * `set` and `location`, which the application may have overridden.
   */
  readonly ignoresResultOfSet: boolean;
  /** The header `Location` for a URL. @see E4-F15 F-9.3-76 */
  toLocation(url: string, res: AnyResponse): string;
  /** The body of `res.redirect` as plain text. @see E4-F12 */
  redirectText(status: number, location: string): string;
  /** The body of `res.redirect` as HTML. @see E4-F11 */
  redirectHtml(status: number, location: string): string;
}

/** `res.sendFile` and `res.download`. */
export interface FileRules {
  /** Whether `res.sendFile` takes a path as absolute. @see E4-F32 */
  isAbsolute(path: string): boolean;
  /** The header `Content-Disposition` for a file name or path. @see E4-F28 E4-F39 */
  toDisposition(path: string): string;
}

/** Errors. */
export interface ErrorRules {
  /** What the final handler passes to `console.error`. @see E4-A32 F-7-01 */
  toLogged(err: unknown): unknown;
}

export const express5: Series = {
  settings: {
    defaults: {},
    disabledQueryParser: undefined,
    /** By qs, with a list of at most 20 values. */
    parseExtendedQuery: (query) => parseSimpleQuery(query) ?? qs.parse(query, { allowPrototypes: true }),
  },

  routing: {
    prefixMayEndAtDot: false,
    alwaysStripsAddedSlash: false,
    requiresCallback: true,
    publishesTraces: true,
    /** Always. */
    forwardsRejections: () => true,
    requestMethod: 'handleRequest',
    errorMethod: 'handleError',
    countsSkippedLayers: false,

    /** The sorted methods, as plain text. §4.2 · RFC 9110 §9.3.7 */
    answerOptions(res, methods) {
      const allow = [...new Set(methods)].sort().join(', ');
      res.setHeader('Allow', allow);
      res.setHeader('Content-Length', Buffer.byteLength(allow));
      res.setHeader('Content-Type', 'text/plain');
      res.setHeader('X-Content-Type-Options', 'nosniff');
      res.end(allow);
    },
  },

  response: {
    checksStatus: true,
    empties205: true,
    sendsViewsAsJson: false,
    escapesJson: true,
    setsLengthAlways: false,
    passesEncodingToETag: true,
    acceptsStatus: false,
    sendsNullAsText: false,
    keepsAnyType: false,
    /** With the charset UTF-8. */
    toTextType: (type) => withCharset(toUtf8(type)),

    /** Reads the type once. */
    setTextType(res) {
      const type = res.get('Content-Type');
      if (typeof type === 'string') res.set('Content-Type', toUtf8(type));
      else res.type('html');
    },

    /** With the charset of mime-types. A list throws a TypeError. */
    toContentType(type) {
      if (Array.isArray(type)) throw new TypeError('Content-Type cannot be set to an Array');
      // `withCharset` returns `false` for an empty text or an unknown extension. As in Express, the header value is then
      // `false`.
      return withCharset(type);
    },

    /** By mime-types, with its charset. */
    lookupType: (name) => withCharset(name) || 'application/octet-stream',
    varyWithoutName: 'throws',
    warningForBack: undefined,
    acceptsUrlFirst: false,
    ignoresResultOfSet: false,
    /** Percent-encoded. */
    toLocation: encodeUrl,
    /** The status, and the URL. */
    redirectText: (status, location) => `${statuses.message[status]}. Redirecting to ${location}`,
    /** A whole document. */
    redirectHtml: (status, location) =>
      `<!DOCTYPE html><head><title>${statuses.message[status]}</title></head>` +
      `<body><p>${statuses.message[status]}. Redirecting to ${escapeHtml(location)}</p></body>`,
    /** By the rules of the operating system. */
    isAbsolute,
    /** By content-disposition 1: quotes only if necessary. */
    toDisposition: (path) => createDisposition(basename(path)),

    /** By mime-types. */
    toMediaType(key) {
      if (!key.includes('/')) return mime.lookup(key) || 'application/octet-stream';
      return key.replace(/;.*/s, '').trim();
    },
  },

  errors: {
    /** The error itself. */
    toLogged: (err) => err,
  },
};

// The application may add properties to `Object.prototype`, and this package must not take them for optional members.
for (const rules of [express5, ...Object.values(express5)]) Object.setPrototypeOf(rules, null);
