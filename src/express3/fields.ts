/**
 * Headers of the 3.x response: `set`, `type`, `vary`, `attachment`, `charset`, and cookies that accumulate. §9.3
 *
 * Express 3 changes the prototype of Node.js's responses, which affects all responses of the process. This module
 * affects only those of 3.x applications.
 */
import { ServerResponse } from 'node:http';
import { basename, extname } from 'node:path';
import { create as createDisposition } from 'content-disposition';
import { format, parse } from 'content-type';
import deprecateFor from 'depd';
import onHeaders from 'on-headers';
import vary from 'vary';
import { response as core } from '../response/response';
import type { Part } from '../types';
import { mime } from './mime';
import type { Response } from './types';

const deprecate = deprecateFor('connect');
const { addListener, setHeader } = ServerResponse.prototype;

type Field = string | number | readonly string[];

export const fields: Part<
  Response,
  | 'setHeader'
  | 'set'
  | 'header'
  | 'append'
  | 'type'
  | 'contentType'
  | 'vary'
  | 'attachment'
  | 'headerSent'
  | 'on'
> = {
  /** Sets a header. A cookie is added to the existing ones, and a content type gets the charset of the response. */
  setHeader(name: string, value: Field) {
    const field = name.toLowerCase();
    let now = value;
    if (field === 'set-cookie') now = withCookies(this, value);
    else if (field === 'content-type' && this.charset) now = withCharset(String(value), this.charset);
    setHeader.call(this, name, now);
    return this;
  },

  set: setField,
  header: setField,

  /** Appends a value to a header; creates the header if it is missing. */
  append(field: string, value: string | string[]) {
    if (field.toLowerCase() !== 'set-cookie') Reflect.apply(core.append, this, [field, value]);
    else for (const cookie of [value].flat()) this.set(field, cookie);
    return this;
  },

  type: setType,
  contentType: setType,

  /** Adds a header name to `Vary`, unless it is listed. */
  vary(field?: string | string[]) {
    if (field && field.length > 0) vary(this, field);
    return this;
  },

  /** Marks the body as a file to save; a file name also sets the content type by its extension. */
  attachment(filename?: string) {
    if (filename) this.type(extname(filename));
    this.set('Content-Disposition', dispositionOf(filename));
    return this;
  },

  get headerSent(): boolean {
    deprecate('res.headerSent: use standard res.headersSent');
    return this.headersSent;
  },

  on(event: string, listener: (...args: never[]) => void) {
    if (event === 'header') {
      deprecate('res.on("header"): use on-headers npm module instead');
      onHeaders(this, listener);
    } else Reflect.apply(addListener, this, [event, listener]);
    return this;
  },
};

/**
 * `Content-Disposition` of an attachment. The name is always in quotes, as applications and tests written for Express
 * 3 expect.
 */
export function dispositionOf(filename?: string): string {
  const field = createDisposition(filename && basename(filename));
  return field.replace(/filename=([^";]+)/, 'filename="$1"');
}

function setField(this: Response, field: string | Record<string, unknown>, value?: unknown): Response {
  // biome-ignore lint/complexity/noArguments: `set(name, undefined)` is not `set(name)`, and `length` stays 2.
  if (arguments.length !== 2) {
    const given = Object(field);
    for (const name in given) this.set(name, given[name]);
    return this;
  }
  // An object with a second argument is the application's error.
  this.setHeader(field as string, Array.isArray(value) ? value.map(String) : String(value));
  return this;
}

/** Sets the content type from a media type, a file extension or a file name. */
function setType(this: Response, type: string): Response {
  this.set('Content-Type', type.includes('/') ? type : mime.lookup(type));
  return this;
}

/**
 * The existing cookies and the new ones. If `value` is the existing list with one more cookie, the result has each
 * cookie once: some code reads the header and writes it back.
 */
function withCookies(res: Response, value: Field): Field {
  const former = [res.getHeader('Set-Cookie') ?? []].flat().map(String);
  const isWrittenBack = Array.isArray(value) && value.length > 1;
  const added = [value].flat().map(String);
  if (former.length === 0) return value;
  return [...former, ...(isWrittenBack ? added.filter((cookie) => !former.includes(cookie)) : added)];
}

/** Adds the charset to a content type that has none. */
function withCharset(type: string, charset: string): string {
  const parsed = parse(type);
  if (parsed.parameters.charset) return type;
  parsed.parameters.charset = charset;
  return format(parsed);
}
