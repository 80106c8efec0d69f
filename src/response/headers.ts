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

  /** Appends to a header, or sets it. A later `set` replaces all values. */
  append(field: string, value: string | string[]) {
    const former = this.get(field);
    return this.set(field, former ? [former, value].flat() : value);
  },

  type: setType,
  contentType: setType,

  /** Adds links by their relation, one or several each. RFC 8288 */
  links(links: Record<string, string | string[]>) {
    const former = this.get('Link');
    const added = Object.keys(links).map((rel) => {
      const toLink = (url: string | undefined): string => `<${url}>; rel="${rel}"`;
      return Array.isArray(links[rel]) ? links[rel].map(toLink).join(', ') : toLink(links[rel]);
    });
    return this.set('Link', (former ? `${former}, ` : '') + added.join(', '));
  },

  /** Adds a name to `Vary`, unless it is there. */
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
 * Sets one header, or each of an object. Values become strings; a text content type gets a charset.
 *
 * @throws {TypeError} for several content types, and for what Node.js refuses in a header.
 */
function setHeader(this: Response, field: string | Record<string, unknown>, value?: unknown): Response {
  // biome-ignore lint/complexity/noArguments: `set(name, undefined)` is not `set(name)`, and `length` stays 2.
  if (arguments.length !== 2) {
    const fields = Object(field);
    for (const name in fields) this.set(name, fields[name]);
    return this;
  }
  const text = Array.isArray(value) ? value.map(String) : String(value);
  // An object with a second argument is the application's error.
  const name = field as string;
  const isContentType = name.toLowerCase() === 'content-type';
  this.setHeader(name, isContentType ? toContentType(text) : text);
  return this;
}

/** Sets the content type: a media type as it is, or the type of an extension or file name. */
function setType(this: Response, type: string): Response {
  const isMediaType = type.indexOf('/') !== -1;
  return this.set('Content-Type', isMediaType ? type : withCharset(type) || 'application/octet-stream');
}

function toContentType(type: string | string[]): string {
  if (Array.isArray(type)) throw new TypeError('Content-Type cannot be set to an Array');
  // False for an invalid media type, which is set unchanged, as in Express.
  return withCharset(type) as string;
}
