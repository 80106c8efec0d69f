/** `res.status`, `res.sendStatus` and `res.send`: the body, and the headers that depend on it. §4.5, §2.4 */

import deprecateFor from 'depd';
import statuses from 'statuses';
import { takesText } from '../http/entity-tag';
import { directStore, type HeaderStore, type OwnMethods } from '../http/header-store';
import { writeUsualHead } from '../http/response-head';
import { addedSetting, readSetting } from '../internal/setting';
import { type BodyRules, express5, type JsonRules, type StatusRules } from '../series';
import type { AnyResponse, Part, Response } from '../types';
import { headers } from './headers';

const deprecate = deprecateFor('express');

export type Body = string | Buffer;

/** Express converts a string to a buffer if its `length` is at least this number, or if the response needs an ETag. */
const SHORT_TEXT = 1000;

const HTML = 'text/html; charset=utf-8';

/** A response of Express 4 or 5. */
export interface SendingResponse extends AnyResponse {
  type(type: string): unknown;
  send(body?: unknown): this;
  json(value?: unknown): this;
}

/** @param own The methods `set` and `type`, to find out whether the application has overridden them. */
export function sendMethods<Res extends SendingResponse>(
  rules: BodyRules,
  own: OwnMethods,
): ThisType<Res> & { send(body?: unknown, ...rest: unknown[]): Res; sendStatus(code: number): Res } {
  return {
    /**
     * Sends a body. Strings are HTML by default; buffers and typed arrays are `application/octet-stream`. Other objects,
     * booleans, and in Express 5 numbers, are sent as JSON. For null and undefined the body is empty. If the setting
     * `web bodies` is on, a Blob, a ReadableStream or a Response is sent as itself.
     *
     * Sets `Content-Length` unless the body is undefined or `Transfer-Encoding` is set. If the setting `etag` is on, sets
     * `ETag` unless the body is undefined or the application has set one. Sends 304 without a body if the client's copy
     * is fresh.
     */
    send(first, ...rest) {
      const body = rules.acceptsStatus ? takeStatus(this, first, rest) : first;
      if (isJson(body, rules)) return sendIfWebBody(this, body) ? this : this.json(body);

      const store = directStore(this, own);
      const isText = typeof body === 'string' || (body === null && rules.sendsNullAsText);
      if (typeof body === 'string' || (isText && this.get('Content-Type'))) {
        if (store) setStoredType(store, rules);
        else rules.setTextType(this);
      } else if (ArrayBuffer.isView(body) && !this.get('Content-Type')) this.type('bin');
      // A cast: Node.js throws a TypeError for a function, a symbol or a BigInt.
      const chunk = body === null ? '' : (body as Body | undefined);
      if (store) sendStored(this, chunk, isText, store, rules);
      else sendChecked(this, chunk, isText, rules);
      return this;
    },

    /** Sends a status, with its reason phrase as the body. A status without a phrase has its number as the body. */
    sendStatus(code) {
      const body = statuses.message[code] || String(code);
      setStatus(this, code, rules);
      this.type('txt');
      return this.send(body);
    },
  };
}

/** Takes `(body)`, `(status)`, `(status, body)` or `(body, status)`: sets the status, and returns the body. */
function takeStatus(res: SendingResponse, first: unknown, rest: readonly unknown[]): unknown {
  const [second] = rest;
  if (rest.length === 1) {
    const isReversed = typeof first !== 'number' && typeof second === 'number';
    const form = isReversed ? 'body, status' : 'status, body';
    deprecate(`res.send(${form}): Use res.status(status).send(body) instead`);
    return isReversed ? withStatus(res, second, first) : withStatus(res, first, second);
  }
  if (typeof first !== 'number' || rest.length > 0) return first;
  if (!res.get('Content-Type')) res.type('txt');
  deprecate('res.send(status): Use res.sendStatus(status) instead');
  res.statusCode = first;
  return statuses.message[first];
}

/** Sets a status, and returns the value that was passed with it. As in Express 3 and 4, its type is not checked. */
export function withStatus(res: AnyResponse, status: unknown, value: unknown): unknown {
  res.statusCode = status as number;
  return value;
}

/**
 * Fast path for JSON: sends a text without calls of `res.set` and `res.send`.
 *
 * @param type The `Content-Type` if none is set.
 * @param store The result of `directStore`.
 */
export function sendText(
  res: SendingResponse,
  text: string,
  type: string,
  store: HeaderStore,
  rules: BodyRules,
): void {
  setStoredType(store, rules, type);
  sendStored(res, text, true, store, rules);
}

/** Sends a Blob, a ReadableStream or a Response if the setting `web bodies` is on. @returns Whether it does. */
export function sendIfWebBody(res: AnyResponse, body: unknown): boolean {
  // Read without `app.get`, which an application may override, and only for an object.
  const send = typeof body === 'object' && body ? addedSetting(res.app, 'web bodies fn') : undefined;
  return send ? send(res, body as object) : false;
}

/** Whether a body is sent as JSON. */
export function isJson(body: unknown, { sendsViewsAsJson }: JsonRules): boolean {
  switch (typeof body) {
    case 'boolean':
    case 'number':
      return true;
    case 'object':
      if (body === null) return false;
      return !ArrayBuffer.isView(body) || (sendsViewsAsJson && !Buffer.isBuffer(body));
    default:
      return false;
  }
}

function setStatus(res: AnyResponse, code: number, { checksStatus }: StatusRules): void {
  if (checksStatus) res.status(code);
  else res.statusCode = code;
}

/**
 * Sets the content type of a text in the header store.
 *
 * @param fallback The type to set if there is none. Default: HTML.
 */
function setStoredType(store: HeaderStore, rules: BodyRules, fallback?: string): void {
  const type = store['content-type']?.[1];
  if (!type && (fallback || rules.keepsAnyType)) store['content-type'] = ['Content-Type', fallback ?? HTML];
  else if (typeof type === 'string') store['content-type'] = ['Content-Type', rules.toTextType(type)];
  else if (!rules.keepsAnyType) store['content-type'] = ['Content-Type', HTML];
}

/**
 * Sets `Content-Length` and `ETag` with the methods of the response, and sends the body, as Express does.
 *
 * @param isText Whether to encode `body` as UTF-8 text. False for a buffer. For the `''` that replaces null: false in
 *   Express 5, true in Express 4.
 */
function sendChecked(res: SendingResponse, body: Body | undefined, isText: boolean, rules: BodyRules): void {
  const generate = readSetting(res.app, 'etag fn');
  const wantsETag = !res.get('ETag') && typeof generate === 'function';
  let chunk = body;
  let encoding: BufferEncoding | undefined = isText ? 'utf8' : undefined;
  if (body !== undefined) {
    let etagEncoding = encoding;
    // Negated, because a `DataView` has no `length`.
    if (!Buffer.isBuffer(body) && (wantsETag || !(body.length < SHORT_TEXT))) {
      chunk = Buffer.from(body, encoding);
      if (!rules.passesEncodingToETag) etagEncoding = undefined;
      encoding = undefined;
    }
    const length = Buffer.byteLength(chunk as Body);
    if (rules.setsLengthAlways || !res.get('Transfer-Encoding')) res.set('Content-Length', length);
    // A cast: if there is an ETag to generate, the body was converted to a buffer above.
    const etag = wantsETag && generate(chunk as Buffer, etagEncoding);
    if (etag) res.set('ETag', etag);
  }
  endBody(res, chunk, encoding, rules);
}

/** Does the same as `sendChecked` in the header store. Converts a text to a buffer only if `etag fn` needs one. */
function sendStored(
  res: SendingResponse,
  body: Body | undefined,
  isText: boolean,
  store: HeaderStore,
  rules: BodyRules,
): void {
  const generate = readSetting(res.app, 'etag fn');
  const wantsETag = !store.etag?.[1] && typeof generate === 'function';
  let chunk = body;
  let encoding: BufferEncoding | undefined = isText ? 'utf8' : undefined;
  if (body !== undefined) {
    const isOwnETag = wantsETag && takesText(generate);
    const wasBuffered = !Buffer.isBuffer(body) && (wantsETag || !(body.length < SHORT_TEXT));
    const isConverted = wasBuffered && (!isText || wantsETag !== isOwnETag);
    if (isConverted) chunk = Buffer.from(body, encoding);
    const length = Buffer.byteLength(chunk as Body);
    if (rules.setsLengthAlways || !store['transfer-encoding']?.[1])
      store['content-length'] = ['Content-Length', String(length)];
    // A cast: `chunk` is a string only if `generate` accepts strings.
    const etag =
      wantsETag &&
      generate(chunk as Buffer, isConverted && !rules.passesEncodingToETag ? undefined : encoding);
    if (etag && isOwnETag) store.etag = ['ETag', etag];
    else if (etag) res.set('ETag', etag);
    if (wasBuffered) {
      // Express passes a buffer to `end`, so Node.js encodes the headers in Latin-1. If the body is a string, Node.js
      // encodes the headers like the body. To send the same bytes, an ASCII string is passed as Latin-1, and any other
      // string as a buffer. Also as a buffer: an empty string, for which Node.js writes a head even if the client has
      // disconnected, and a body for a destroyed socket, which Node.js counts as sent if it is a string.
      const isInLatin1 = length === body.length && length > 0 && !res.socket?.destroyed;
      if (!isConverted && !isInLatin1) chunk = Buffer.from(body);
      encoding = typeof chunk === 'string' ? 'latin1' : undefined;
    }
  }
  endBody(res, chunk, encoding, rules, store);
}

/**
 * Sets 304 if `req.fresh` is true, and ends the response, with a body if it may have one. RFC 9110 §6.4.1
 *
 * @param store The result of `directStore`; undefined if Node.js must write the head.
 */
export function endBody(
  res: AnyResponse,
  body: Body | undefined,
  encoding: BufferEncoding | undefined,
  rules: StatusRules,
  store?: HeaderStore,
): void {
  if (res.req.fresh) setStatus(res, 304, rules);
  let chunk = body;
  if (res.statusCode === 204 || res.statusCode === 304) {
    res.removeHeader('Content-Type');
    res.removeHeader('Content-Length');
    res.removeHeader('Transfer-Encoding');
    chunk = '';
  }
  if (rules.empties205 && res.statusCode === 205) {
    res.set('Content-Length', '0');
    res.removeHeader('Transfer-Encoding');
    chunk = '';
  }
  if (res.req.method === 'HEAD') return void res.end();
  if (store && chunk) writeUsualHead(res, store);
  res.end(chunk, encoding);
}

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

  ...sendMethods<Response>(express5.response, headers),
};
