/**
 * The header methods of the Express 4 response: `set`, `type`, `vary`, `links` and `attachment`. E4-F16, E4-F20 to
 * E4-F22, E4-F28 to E4-F30
 */
import { extname } from 'node:path';
import deprecateFor from 'depd';
import vary from 'vary';
import { dispositionOf } from '../earlier/disposition';
import type { Part } from '../types';
import { mime } from './mime';
import type { Response } from './types';

const deprecate = deprecateFor('express');

const CHARSET = /;\s*charset\s*=/;

export const headers: Part<
  Response,
  'set' | 'header' | 'type' | 'contentType' | 'links' | 'vary' | 'attachment'
> = {
  set: setHeader,
  header: setHeader,
  type: setType,
  contentType: setType,

  /** Adds links to the header `Link`. The keys of `links` are relations, and the values are URLs. RFC 8288 */
  links(links: Record<string, string>) {
    const former = this.get('Link');
    const added = Object.entries(links).map(([rel, url]) => `<${url}>; rel="${rel}"`);
    return this.set('Link', (former ? `${former}, ` : '') + added.join(', '));
  },

  /** Adds header names to `Vary`. A name that `Vary` already lists is not added again. */
  vary(field?: string | string[]) {
    if (!field || (Array.isArray(field) && field.length === 0)) {
      deprecate('res.vary(): Provide a field name');
    } else {
      vary(this, field);
    }
    return this;
  },

  /**
   * Sets `Content-Disposition: attachment`, so that browsers save the body as a file. The extension of `filename` sets
   * the content type. RFC 6266
   */
  attachment(filename?: string) {
    if (filename) this.type(extname(filename));
    this.set('Content-Disposition', dispositionOf(filename));
    return this;
  },
};

/**
 * Sets one header, or each header of an object. Values are converted to strings, and a content type gets its default
 * charset.
 *
 * @throws {TypeError} for a list of content types, and for headers that Node.js refuses.
 */
export function setHeader(this: Response, name: string | Record<string, unknown>, value?: unknown): Response {
  // biome-ignore lint/complexity/noArguments: `set(name, undefined)` differs from `set(name)`, and `set.length` must stay 2.
  if (arguments.length !== 2) {
    const headers = Object(name);
    for (const each in headers) this.set(each, headers[each]);
    return this;
  }
  const text = Array.isArray(value) ? value.map(String) : String(value);
  // Calling `set` with an object and a value is a mistake: `toLowerCase` throws below, as in Express.
  const key = name as string;
  const isContentType = key.toLowerCase() === 'content-type';
  this.setHeader(key, isContentType ? withCharset(text) : text);
  return this;
}

/** Sets the content type from a media type, a file extension or a file name. */
export function setType(this: Response, type: string): Response {
  return this.set('Content-Type', type.includes('/') ? type : mime.lookup(type));
}

function withCharset(type: string | string[]): string {
  if (Array.isArray(type)) throw new TypeError('Content-Type cannot be set to an Array');
  if (CHARSET.test(type)) return type;
  const charset = mime.charsets.lookup(type.replace(/;.*/s, ''));
  return charset ? `${type}; charset=${charset.toLowerCase()}` : type;
}
