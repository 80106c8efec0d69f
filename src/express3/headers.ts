/**
 * The header methods of the Express 3 response, such as `set`, `type` and `vary`, and its event `header`. §9.3
 *
 * Express 3 patches the prototype of `http.ServerResponse`, which affects every response of the process. This module
 * affects only responses of Express 3 applications.
 */
import { ServerResponse } from 'node:http';
import deprecateFor from 'depd';
import onHeaders from 'on-headers';
import { headerMethods } from '../legacy/headers';
import { parseStrictly, setCharset } from '../legacy/media-type';
import { response as core } from '../response/response';
import type { Part } from '../types';
import { express3 } from './series';
import type { Response } from './types';

const deprecate = deprecateFor('connect');
const { addListener, setHeader } = ServerResponse.prototype;

type Field = string | number | readonly string[];

// biome-ignore format: a table
type Member =
  | 'setHeader' | 'set' | 'header' | 'append' | 'type' | 'contentType' | 'links' | 'vary' | 'attachment'
  | 'headerSent' | 'on';

export const headers: Part<Response, Member> = {
  ...headerMethods<Response>(express3.response),

  /** Sets a header. `Set-Cookie` keeps earlier cookies; `Content-Type` gets `res.charset`, unless it has one. */
  setHeader(name: string, value: Field) {
    const field = name.toLowerCase();
    let now = value;
    if (field === 'set-cookie') now = withCookies(this, value);
    else if (field === 'content-type' && this.charset) now = addCharset(String(value), this.charset);
    setHeader.call(this, name, now);
    return this;
  },

  append(field: string, value: string | string[]) {
    if (field.toLowerCase() !== 'set-cookie') Reflect.apply(core.append, this, [field, value]);
    else for (const cookie of [value].flat()) this.set(field, cookie);
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
 * Returns the existing cookies and the new ones.
 *
 * Some code reads the cookie list, adds a cookie and writes the list back. So if an array of several cookies repeats
 * existing ones, they are not added again.
 */
function withCookies(res: Response, value: Field): Field {
  const former = [res.getHeader('Set-Cookie') ?? []].flat().map(String);
  const isWrittenBack = Array.isArray(value) && value.length > 1;
  const added = [value].flat().map(String);
  if (former.length === 0) return value;
  return [...former, ...(isWrittenBack ? added.filter((cookie) => !former.includes(cookie)) : added)];
}

/** Adds `charset` to a content type, unless the type already has a charset. */
function addCharset(type: string, charset: string): string {
  return parseStrictly(type).parameters.charset ? type : setCharset(type, charset);
}
