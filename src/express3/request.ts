/** The request prototype of Express 3: the members of Express 5, and those that replace them. §9.3 */
import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import basicAuth from 'basic-auth';
import deprecateFor from 'depd';
import { withoutPort } from '../request/origin';
import { addQuietEnd } from '../request/quiet-end';
import { request as core } from '../request/request';
import type { Part } from '../types';
import { parseAccepted, parsePreferences, pickPreferred } from './accept';
import { mime } from './mime';
import { queryProperty } from './query';
import { parseRange } from './range';
import type { Request } from './types';

const deprecate = deprecateFor('express');

// biome-ignore format: a table
type Member =
  | 'accepts' | 'acceptsEncoding' | 'acceptsCharset' | 'acceptsLanguage' | 'param' | 'is' | 'auth' | 'host'
  | 'accepted' | 'acceptedEncodings' | 'acceptedCharsets' | 'acceptedLanguages' | 'fresh' | 'get' | 'header' | 'range';

const members: Part<Request, Member> = {
  get: getField,
  header: getField,

  /**
   * Returns the offered type that the client prefers, spelled as the caller passed it. Returns undefined if the client
   * accepts none.
   *
   * @param types Media types or extensions: several arguments, a list, or one string with commas.
   */
  accepts(...types: Array<string | readonly string[]>) {
    const [first = ''] = types;
    const offered =
      types.length > 1 ? types.flat() : typeof first === 'string' ? first.split(/(?<! ) *, */) : first;
    return pickPreferred(offered, this.get('Accept'));
  },

  acceptsEncoding(encoding: string) {
    return this.acceptedEncodings.includes(encoding);
  },

  acceptsCharset(charset: string) {
    const { acceptedCharsets } = this;
    return acceptedCharsets.length === 0 || acceptedCharsets.includes(charset);
  },

  acceptsLanguage(language: string) {
    const { acceptedLanguages } = this;
    return acceptedLanguages.length === 0 || acceptedLanguages.includes(language);
  },

  /** The media types of the header `Accept`, most preferred first. */
  get accepted() {
    return parseAccepted(this.get('Accept'));
  },

  /** The values of `Accept-Encoding` with their parameters. As in Express 3, they are not sorted by `q`. */
  get acceptedEncodings() {
    const field = this.get('Accept-Encoding');
    return field ? field.split(',').map((encoding) => encoding.trim()) : [];
  },

  get acceptedCharsets() {
    return parsePreferences(this.get('Accept-Charset')).map(({ value }) => value);
  },

  get acceptedLanguages() {
    return parsePreferences(this.get('Accept-Language')).map(({ value }) => value);
  },

  param(name: string, fallback?: unknown) {
    for (const source of [this.params, this.body, this.query]) {
      const value = source && Object.hasOwn(source, name) ? source[name] : undefined;
      if (value !== undefined && value !== null) return value;
    }
    return fallback;
  },

  /** Whether `Content-Type` has the type: a file extension, or a media type, in which one part may be `*`. */
  is(type: string) {
    const field = this.get('Content-Type');
    if (!field) return false;
    const own = field.replace(/;.*/s, '');
    const wanted = type.includes('/') ? type : mime.lookup(type);
    if (!wanted.includes('*')) return own.includes(wanted);
    const [ownType, ownSubtype] = own.split('/');
    const [wantedType, wantedSubtype] = wanted.split('/');
    return (
      (wantedType === '*' && wantedSubtype === ownSubtype) ||
      (wantedSubtype === '*' && wantedType === ownType)
    );
  },

  /** The user name and password of the header `Authorization`; undefined without Basic credentials. */
  get auth() {
    deprecate('req.auth: Use basic-auth npm module instead');
    const credentials = basicAuth(this);
    return credentials && { username: credentials.name, password: credentials.pass };
  },

  /** Whether the client's copy is fresh, by the headers of the request and of the response. */
  get fresh() {
    const { headers, method, res } = this;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const { statusCode } = res;
    if (!(statusCode >= 200 && statusCode < 300) && statusCode !== 304) return false;
    return isFresh(headers, { etag: res.get('ETag'), lastModified: res.get('Last-Modified') });
  },

  /**
   * Parses the header `Range` for a resource of `size` bytes.
   *
   * @returns The ranges. Undefined without the header, -1 if no range can be satisfied, -2 if the header has no `=`.
   */
  range(size: number) {
    const field = this.get('Range');
    return field ? parseRange(size, field) : undefined;
  },

  /** The host without its port, as in `req.hostname` of Express 5. */
  get host() {
    return withoutPort(Reflect.get(core, 'host', this));
  },
};

interface Validators {
  readonly etag: unknown;
  readonly lastModified: unknown;
}

/** Whether all conditions match, not only the first that is present. */
function isFresh(request: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const { 'if-none-match': tags, 'if-modified-since': date } = request;
  if (!tags && !date) return false;
  if (request['cache-control']?.includes('no-cache')) return false;
  const matches = (tag: string): boolean => tag === '*' || tag === etag || tag === `W/${etag}`;
  if (tags && !tags.split(',').some((tag) => matches(tag.trim()))) return false;
  return !date || Date.parse(String(lastModified)) <= Date.parse(date);
}

/** Returns a header. As in Express 3, any name with a method `toLowerCase` is valid; others throw the error of V8. */
function getField(this: Request, name: 'set-cookie'): string[] | undefined;
function getField(this: Request, name: string): string | undefined;
function getField(this: Request, name: string): string | string[] | undefined {
  const field = name.toLowerCase();
  if (field === 'referer' || field === 'referrer') return this.headers.referrer || this.headers.referer;
  return this.headers[field];
}

export const request: Request = addQuietEnd(
  Object.create(IncomingMessage.prototype, {
    ...Object.getOwnPropertyDescriptors(core),
    ...Object.getOwnPropertyDescriptors(members),
    query: queryProperty,
  }),
);
