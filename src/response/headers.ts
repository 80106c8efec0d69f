/**
 * Headers of the response: `set`, `get`, `append`, `type`, `links`, `vary`, `attachment`. §4.5
 */
import { basename, extname } from 'node:path';
import type { Part, Response } from '../types';
import { get } from '../wire/header-store';
import { lazy } from '../wire/lazy';
import { withCharset } from '../wire/media-type';

const disposition = lazy<typeof import('content-disposition')>(() => require('content-disposition'));
const vary = lazy<typeof import('vary')>(() => require('vary'));

type Headers = 'set' | 'header' | 'get' | 'append' | 'type' | 'contentType' | 'links' | 'vary' | 'attachment';

export const headers: Part<Response, Headers> = {
  set: setHeader,
  header: setHeader,

  get,

  /** Appends a value to a header; creates the header if it is missing. A later `set` replaces all values. */
  append(field: string, value: string | string[]) {
    const former = this.get(field);
    return this.set(field, former ? [former, value].flat() : value);
  },

  type: setType,
  contentType: setType,

  /** Adds links to the header `Link`: one URL, or several, for each relation. RFC 8288 */
  links(links: Record<string, string | string[]>) {
    const former = this.get('Link');
    const added = Object.keys(links).map((rel) => {
      const toLink = (url: string | undefined): string => `<${url}>; rel="${rel}"`;
      return Array.isArray(links[rel]) ? links[rel].map(toLink).join(', ') : toLink(links[rel]);
    });
    return this.set('Link', (former ? `${former}, ` : '') + added.join(', '));
  },

  /** Adds a header name to `Vary`, unless it is listed. */
  vary(field: string | string[]) {
    vary()(this, field);
    return this;
  },

  /** Marks the body as a file to save; a file name also sets the content type by its extension. RFC 6266 */
  attachment(filename?: string) {
    const name = filename === undefined ? undefined : basename(filename);
    if (name) this.type(extname(name));
    this.set('Content-Disposition', disposition().create(name));
    return this;
  },
};

/**
 * Sets one header, or each header of an object. It converts values to strings and adds a charset to a text content
 * type.
 *
 * @throws {TypeError} for a list of content types, and for headers that Node.js refuses.
 */
function setHeader(this: Response, field: string | Record<string, unknown>, value?: unknown): Response {
  // biome-ignore lint/complexity/noArguments: `set(name, undefined)` is not `set(name)`, and `set.length` stays 2.
  if (arguments.length !== 2) {
    const fields = Object(field);
    for (const name in fields) this.set(name, fields[name]);
    return this;
  }
  const text = Array.isArray(value) ? value.map(String) : String(value);
  // An object together with a value is an error of the application: `toLowerCase` throws below, as in Express.
  const name = field as string;
  const isContentType = name.toLowerCase() === 'content-type';
  this.setHeader(name, isContentType ? toContentType(text) : text);
  return this;
}

/** Sets the content type from a media type, a file extension or a file name. */
function setType(this: Response, type: string): Response {
  const isMediaType = type.indexOf('/') !== -1;
  return this.set('Content-Type', isMediaType ? type : withCharset(type) || 'application/octet-stream');
}

function toContentType(type: string | string[]): string | false {
  if (Array.isArray(type)) throw new TypeError('Content-Type cannot be set to an Array');
  // `withCharset` returns false for an invalid media type. Express sets this `false` as the header, too.
  return withCharset(type);
}
