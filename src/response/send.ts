/** `res.status`, `res.sendStatus` and `res.send`: the body, and the headers that depend on it. §4.5, §2.4 */

import statuses from 'statuses';
import type { AnyResponse, Part, Response } from '../types';
import { takesText } from '../wire/entity-tag';
import { directStore, type HeaderStore } from '../wire/header-store';
import { toUtf8, withCharset } from '../wire/media-type';
import { readSetting } from '../wire/setting';
import { headers } from './headers';

export type Body = string | Buffer;

/** Express converts a string to a buffer if its `length` is at least this number, or if the response needs an ETag. */
const SHORT_TEXT = 1000;

const HTML = 'text/html; charset=utf-8';

export const send: Part<Response, 'status' | 'sendStatus' | 'send'> = {
  /**
   * Sets the status code of the response.
   *
   * @throws {TypeError} if `code` is not an integer.
   * @throws {RangeError} if `code` is less than 100 or greater than 999.
   */
  status(code: number) {
    if (!Number.isInteger(code)) {
      throw new TypeError(`Invalid status code: ${JSON.stringify(code)}. Status code must be an integer.`);
    }
    if (code < 100 || code > 999) {
      const wanted = 'Status code must be greater than 99 and less than 1000.';
      throw new RangeError(`Invalid status code: ${JSON.stringify(code)}. ${wanted}`);
    }
    this.statusCode = code;
    return this;
  },

  /** Sends a status, with its reason phrase as the body. A status without a phrase has its number as the body. */
  sendStatus(code: number) {
    const body = statuses.message[code] || String(code);
    this.status(code);
    this.type('txt');
    return this.send(body);
  },

  /**
   * Sends a body. Strings are HTML by default; buffers and typed arrays are `application/octet-stream`. Booleans,
   * numbers and other objects are sent as JSON. For null and undefined the body is empty. If the setting `web bodies`
   * is on, a Blob, a ReadableStream or a Response is sent as itself.
   *
   * Sets `Content-Length` unless the body is undefined or `Transfer-Encoding` is set. If the setting `etag` is on, sets
   * `ETag` unless the body is undefined or the application has set one. Sends 304 without a body if the client's copy
   * is fresh.
   */
  send(body?: unknown) {
    if (isJson(body)) return sendIfWebBody(this, body) ? this : this.json(body);

    const store = directStore(this, headers);
    if (typeof body === 'string') setTextType(this, store);
    else if (ArrayBuffer.isView(body) && !this.get('Content-Type')) this.type('bin');
    // A cast: Node.js throws a TypeError for a function, a symbol or a BigInt.
    sendBody(this, body === null ? '' : (body as Body | undefined), typeof body === 'string', store);
    return this;
  },
};

/**
 * Fast path for JSON: sends a text without calls of `res.set` and `res.send`.
 *
 * @param type The `Content-Type` if none is set.
 * @param store The result of `directStore`.
 */
export function sendText(res: Response, text: string, type: string, store: HeaderStore): void {
  if (store['content-type']?.[1]) setTextType(res, store);
  else store['content-type'] = ['Content-Type', type];
  sendBody(res, text, true, store);
}

/** Sends a Blob, a ReadableStream or a Response if the setting `web bodies` is on. @returns Whether it does. */
export function sendIfWebBody(res: AnyResponse, body: unknown): boolean {
  // Read without `app.get`, which an application may override, and only for an object.
  const send = typeof body === 'object' && body ? res.app?.settings?.['web bodies fn'] : undefined;
  return send ? send(res, body as object) : false;
}

/** Whether Express 3 and 4 send a body as JSON: also typed arrays and views that are no buffers. */
export function isJsonOrView(body: unknown): boolean {
  return isJson(body) || (ArrayBuffer.isView(body) && !Buffer.isBuffer(body));
}

function isJson(body: unknown): boolean {
  switch (typeof body) {
    case 'boolean':
    case 'number':
      return true;
    case 'object':
      return body !== null && !ArrayBuffer.isView(body);
    default:
      return false;
  }
}

/**
 * Sets the `Content-Type` of a text. If the header is not a string, usually because it is not set, it becomes HTML.
 * Otherwise only its charset changes, to UTF-8.
 *
 * @param store If undefined, the type is set with `res.set` or `res.type`.
 */
function setTextType(res: Response, store: HeaderStore | undefined): void {
  const type = store ? store['content-type']?.[1] : res.get('Content-Type');
  if (typeof type === 'string') {
    const utf8 = type && toUtf8(type);
    if (store) store['content-type'] = ['Content-Type', withCharset(utf8)];
    else res.set('Content-Type', utf8);
  } else if (store) store['content-type'] = ['Content-Type', HTML];
  else res.type('html');
}

/**
 * How the entry points for Express 5 and Express 4 differ in sending a body. Express 5 itself does not pass the encoding
 * to the ETag function (`spec/divergences.md`, F-2.4-09).
 */
export interface BodyDialect {
  /** Whether to set `Content-Length` even if `Transfer-Encoding` is set. */
  readonly setsLengthAlways: boolean;
  /**
   * Whether the ETag function receives the encoding of a string that was converted to a buffer. If false, it receives
   * undefined.
   */
  readonly namesEncoding: boolean;
  setNotModified(res: AnyResponse): void;
}

const express5: BodyDialect = {
  setsLengthAlways: false,
  namesEncoding: true,
  setNotModified: (res) => res.status(304),
};

/**
 * Sets `Content-Length` and `ETag`, and the status 304 if `req.fresh` is true. Then ends the response, with the body if
 * status and method allow one.
 *
 * @param isText Whether to encode `body` as UTF-8 text. False for a buffer. For the `''` that replaces null: false in
 *   Express 5, true in Express 4.
 * @param store The result of `directStore`. Undefined to set headers with `res.set`.
 */
export function sendBody(
  res: AnyResponse,
  body: Body | undefined,
  isText: boolean,
  store: HeaderStore | undefined,
  dialect: BodyDialect = express5,
): void {
  const generate = readSetting(res.app, 'etag fn');
  const wantsETag = !(store ? store.etag?.[1] : res.get('ETag')) && typeof generate === 'function';
  let chunk: Body | undefined;
  let encoding: BufferEncoding | undefined = isText ? 'utf8' : undefined;

  if (body !== undefined) {
    // The comparison is negated, because a `DataView` has no `length`.
    const isBuffered = !Buffer.isBuffer(body) && (wantsETag || !(body.length < SHORT_TEXT));
    // `isBuffered`: whether Express would convert the body to a buffer.
    // `isMade`: whether this function does. For text, only if code of the application can receive the buffer: in an
    // overridden method (`store` is then undefined) or in its own ETag function.
    const isMade = isBuffered && (!store || !isText || (wantsETag && !takesText(generate)));
    chunk = isMade ? Buffer.from(body, encoding) : body;
    const length = Buffer.byteLength(chunk);
    if (
      dialect.setsLengthAlways ||
      !(store ? store['transfer-encoding']?.[1] : res.get('Transfer-Encoding'))
    ) {
      if (store) store['content-length'] = ['Content-Length', String(length)];
      else res.set('Content-Length', length);
    }
    if (wantsETag) {
      // A cast: `chunk` is a string only if `generate` accepts strings.
      const etag = generate(chunk as Buffer, isMade && !dialect.namesEncoding ? undefined : encoding);
      if (etag) {
        if (store && takesText(generate)) store.etag = ['ETag', etag];
        else res.set('ETag', etag);
      }
    }
    if (isBuffered) {
      // Express passes a buffer to `end`, so Node.js encodes the headers in Latin-1. If the body is a string, Node.js
      // encodes the headers like the body. To send the same bytes, an ASCII string is passed as Latin-1, and any other
      // string as a buffer.
      const isAscii = length === body.length;
      if (!isMade && !isAscii) chunk = Buffer.from(body);
      encoding = typeof chunk === 'string' ? 'latin1' : undefined;
    }
  }
  if (res.req.fresh) dialect.setNotModified(res);
  end(res, chunk, encoding);
}

/** Ends the response, with the body if status and method allow one. RFC 9110 §6.4.1, §15.3.6 */
function end(res: AnyResponse, body: Body | undefined, encoding: BufferEncoding | undefined): void {
  let chunk = body;
  if (res.statusCode === 204 || res.statusCode === 304) {
    res.removeHeader('Content-Type');
    res.removeHeader('Content-Length');
    res.removeHeader('Transfer-Encoding');
    chunk = '';
  }
  if (res.statusCode === 205) {
    res.set('Content-Length', '0');
    res.removeHeader('Transfer-Encoding');
    chunk = '';
  }
  if (res.req.method === 'HEAD') res.end();
  else res.end(chunk, encoding);
}
