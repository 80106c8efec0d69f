/** The methods `res.set`, `get`, `append`, `type`, `links`, `vary` and `attachment`. §4.5 */
import { basename, extname } from 'node:path';
import { create as createDisposition } from 'content-disposition';
import vary from 'vary';
import type { Part, Response } from '../types';
import { get } from '../wire/header-store';
import { withCharset } from '../wire/media-type';

type Headers = 'set' | 'header' | 'get' | 'append' | 'type' | 'contentType' | 'links' | 'vary' | 'attachment';

export const headers: Part<Response, Headers> = {
  set: setHeader,
  header: setHeader,

  get,

  /** Adds a value to a header, or sets the header if it is missing. A later `set` replaces all values. */
  append(field: string, value: string | string[]) {
    const former = this.get(field);
    return this.set(field, former ? [former, value].flat() : value);
  },

  type: setType,
  contentType: setType,

  /**
   * Adds links to the header `Link`. RFC 8288
   *
   * @param links The keys are relations, such as `next`. Each value is one URL or an array of URLs.
   */
  links(links: Record<string, string | string[]>) {
    const former = this.get('Link');
    const added = Object.keys(links).map((rel) => {
      const toLink = (url: string | undefined): string => `<${url}>; rel="${rel}"`;
      return Array.isArray(links[rel]) ? links[rel].map(toLink).join(', ') : toLink(links[rel]);
    });
    return this.set('Link', (former ? `${former}, ` : '') + added.join(', '));
  },

  /** Adds header names to `Vary`, unless they are already listed. */
  vary(field: string | string[]) {
    vary(this, field);
    return this;
  },

  /**
   * Sets `Content-Disposition`, so that the browser saves the body as a file. A file name also sets `Content-Type` by
   * its extension. RFC 6266
   */
  attachment(filename?: string) {
    const name = filename === undefined ? undefined : basename(filename);
    if (name) this.type(extname(name));
    this.set('Content-Disposition', createDisposition(name));
    return this;
  },
};

/**
 * Sets one header, or each header of an object. Converts values to strings, and adds the default charset to
 * `Content-Type`.
 *
 * @throws {TypeError} if `Content-Type` is an array, and for headers that Node.js rejects.
 */
function setHeader(this: Response, field: string | Record<string, unknown>, value?: unknown): Response {
  // biome-ignore lint/complexity/noArguments: `set(a, undefined)` is not `set(a)`, and `set.length` must stay 2.
  if (arguments.length !== 2) {
    const fields = Object(field);
    for (const name in fields) this.set(name, fields[name]);
    return this;
  }
  const text = Array.isArray(value) ? value.map(String) : String(value);
  // A cast: if `field` is an object, `toLowerCase` throws below, as in Express.
  const name = field as string;
  const isContentType = name.toLowerCase() === 'content-type';
  this.setHeader(name, isContentType ? toContentType(text) : text);
  return this;
}

/**
 * Sets `Content-Type` to a media type, or to the type of a file extension or file name. An unknown extension gives
 * `application/octet-stream`.
 */
function setType(this: Response, type: string): Response {
  const isMediaType = type.indexOf('/') !== -1;
  return this.set('Content-Type', isMediaType ? type : withCharset(type) || 'application/octet-stream');
}

function toContentType(type: string | string[]): string | false {
  if (Array.isArray(type)) throw new TypeError('Content-Type cannot be set to an Array');
  // `withCharset` returns `false` for an empty text or an unknown extension. As in Express, the header value is then
  // `false`.
  return withCharset(type);
}
