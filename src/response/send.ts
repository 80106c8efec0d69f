/** `send`, `sendStatus`, `status`: the body of a response and the headers that depend on it. §4.5, §2.4 */
import type { AnyResponse, Part, Response } from '../types';
import { takesText } from '../wire/entity-tag';
import { type HeaderStore, openStore, overridesReads, overridesWrites } from '../wire/header-store';
import { lazy } from '../wire/lazy';
import { toUtf8, withCharset } from '../wire/media-type';
import { readSetting } from '../wire/setting';
import { headers } from './headers';

const statuses = lazy<typeof import('statuses')>(() => require('statuses'));

export type Body = string | Buffer;

/** Express converts a string of this length or longer, or one that needs an ETag, to a buffer. */
const SHORT_TEXT = 1000;

const HTML = 'text/html; charset=utf-8';

export const send: Part<Response, 'status' | 'sendStatus' | 'send'> = {
  /**
   * Sets the status.
   *
   * @throws {TypeError} for anything but an integer.
   * @throws {RangeError} outside 100 to 999.
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

  /** Sends the status with its reason phrase as the body, or with the number if there is no phrase. */
  sendStatus(code: number) {
    const body = statuses().message[code] || String(code);
    this.status(code);
    this.type('txt');
    return this.send(body);
  },

  /**
   * Sends a body: a string (as HTML by default), bytes, nothing for null and undefined, and as JSON a boolean, a number
   * or any other object. It sets `Content-Length` and, if the setting `etag` is on, `ETag`. It sends 304 without a body
   * if the client's copy is fresh.
   */
  send(body?: unknown) {
    if (isJson(body)) return this.json(body);

    const store = directStore(this);
    if (typeof body === 'string') setTextType(this, store);
    else if (ArrayBuffer.isView(body) && !this.get('Content-Type')) this.type('bin');
    // A function, a symbol or a BigInt is an application error: Node.js throws.
    sendBody(this, body === null ? '' : (body as Body | undefined), typeof body === 'string', store);
    return this;
  },
};

/**
 * Sends JSON without calling `res.set` and `res.send`, if no code can observe the difference.
 *
 * @param type The content type, if none is set.
 * @returns Whether the response was sent.
 */
export function sendText(res: Response, text: string, type: string): boolean {
  if (res.send !== send.send) return false;
  const store = directStore(res);
  if (!store) return false;
  if (store['content-type']?.[1]) setTextType(res, store);
  else store['content-type'] = ['Content-Type', type];
  sendBody(res, text, true, store);
  return true;
}

/**
 * The header store, to write headers without a call of `res.set`, `res.type` or `setHeader`. Undefined if the
 * application has overridden a method that Express calls here, or if the store cannot be used.
 */
function directStore(res: Response): HeaderStore | undefined {
  const { set, type }: { set: unknown; type: unknown } = res;
  if (set !== headers.set || type !== headers.type) return undefined;
  return overridesReads(res) || overridesWrites(res) ? undefined : openStore(res);
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

/** Sets the content type of text: HTML if none is set; otherwise the charset of the type becomes UTF-8. */
function setTextType(res: Response, store: HeaderStore | undefined): void {
  const type = store ? store['content-type']?.[1] : res.get('Content-Type');
  if (typeof type === 'string') {
    const utf8 = type && toUtf8(type);
    if (store) store['content-type'] = ['Content-Type', withCharset(utf8)];
    else res.set('Content-Type', utf8);
  } else if (store) store['content-type'] = ['Content-Type', HTML];
  else res.type('html');
}

/** The decisions about a body in which Express 5 and 4 differ. */
export interface BodyDialect {
  /** Whether to set `Content-Length` beside `Transfer-Encoding`. */
  readonly setsLengthAlways: boolean;
  /** Whether the function of the setting `etag` also receives the encoding of a string that became a buffer. */
  readonly namesEncoding: boolean;
  setNotModified(res: AnyResponse): void;
}

const express5: BodyDialect = {
  setsLengthAlways: false,
  namesEncoding: true,
  setNotModified: (res) => res.status(304),
};

/**
 * Sets `Content-Length` and `ETag`, and writes the body if status and method allow one.
 *
 * @param isText Whether the application passed a string.
 * @param store The result of `directStore`; undefined if headers must be set by calls of methods.
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
    const isBuffered = !Buffer.isBuffer(body) && (wantsETag || body.length >= SHORT_TEXT);
    // Express makes a buffer here. A string needs none unless code of the application can receive it: an overridden
    // method (there is no `store` then) or its own ETag function.
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
      // `generate` receives a string only if it accepts strings.
      const etag = generate(chunk as Buffer, isMade && !dialect.namesEncoding ? undefined : encoding);
      if (etag) {
        if (store && takesText(generate)) store.etag = ['ETag', etag];
        else res.set('ETag', etag);
      }
    }
    if (isBuffered) {
      // Node.js writes the head in Latin-1 before a buffer, but in the encoding of the body before a string. Express
      // would pass a buffer here, so an ASCII string is passed as Latin-1, and any other string as a buffer.
      const isAscii = length === body.length;
      if (!isMade && !isAscii) chunk = Buffer.from(body);
      encoding = typeof chunk === 'string' ? 'latin1' : undefined;
    }
  }
  if (res.req.fresh) dialect.setNotModified(res);
  end(res, chunk, encoding);
}

/** Writes the body if status and method allow one. RFC 9110 §6.4.1, §15.3.6 */
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
