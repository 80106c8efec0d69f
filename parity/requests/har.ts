/** Reads the entries of HAR files as browsers and proxies write them. */
import type { HeaderList, Request } from '../client/messages';
import { raw } from '../client/request';
import { headerOf } from '../client/response';
import { bodyOf, type Param, type PostData } from './har-body';
import { isObject, parseJson, shown, type Unknown } from './json';
import { splitUrl, type UrlParts } from './target';

export interface HarEntry {
  readonly method: string;
  /** As written. */
  readonly url: string;
  readonly parts: UrlParts | undefined;
  /** The time of the request, in milliseconds. */
  readonly started: number;
  readonly isSocket: boolean;
  /** Whether a browser loaded a page with this request. */
  readonly isPage: boolean;
  /** Whether the file says to which page the request belongs, as browsers do and proxies do not. */
  readonly isOfPage: boolean;
  /** The request; undefined if the file lacks its body, or if it is not for HTTP. */
  readonly request: Request | undefined;
  readonly status: number;
  readonly answer: { readonly headers: HeaderList; readonly body: string } | undefined;
}

/** Headers that are not sent again: they belong to one connection or to HTTP/2, or the client sets them itself. */
const NOT_SENT =
  /^(?::.*|connection|keep-alive|proxy-connection|transfer-encoding|te|upgrade|http2-settings)$/i;
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
/** The methods that `fetch` writes in upper case. */
const IN_UPPER_CASE = /^(?:delete|get|head|options|post|put)$/i;
/** As in scenarios. */
const DEFAULT_HOST = 'parity.test';

/**
 * Reads the entries of a HAR file, in the order in which they started.
 *
 * @throws TypeError if a member that is needed is missing or has another type. The message contains the number of the
 *   entry, what is expected and what the file has.
 */
export function readEntries(text: string, name: string): HarEntry[] {
  const har = parseJson(text, name);
  const log = isObject(har) ? har.log : undefined;
  const entries = isObject(log) ? log.entries : undefined;
  if (!Array.isArray(entries))
    throw new TypeError(
      `${name}: expected a HAR file, an object with a list log.entries, got ${shown(isObject(log) ? entries : har)}`,
    );
  let started = 0;
  return entries
    .map((entry, index) => {
      const read = new EntryReader(`${name}: entry ${index + 1}`).read(entry);
      // Browsers save a stream only when it ends. An entry without a valid time keeps its place.
      started = Number.isNaN(read.started) ? started : read.started;
      return { ...read, started };
    })
    .sort((a, b) => a.started - b.started);
}

class EntryReader {
  readonly #where: string;

  constructor(where: string) {
    this.#where = where;
  }

  read(entry: unknown): HarEntry {
    const { request: saved, response = {}, startedDateTime, ...rest } = this.#object(entry, 'the entry');
    const request = this.#object(saved, 'request');
    const answered = this.#object(response ?? {}, 'response');
    const method = this.#method(request.method);
    const url = this.#text(request.url, 'request.url');
    const parts = splitUrl(url);
    const status = Number(answered.status ?? 0);
    const isSocket = /^wss?:/i.test(url) || rest._resourceType === 'websocket' || status === 101;
    if (!parts && !/^[a-z][a-z\d+.-]*:/i.test(url) && method !== 'CONNECT')
      this.#fail('request.url', 'a URL or a path', url);
    return {
      method,
      url,
      parts,
      started: typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : Number.NaN,
      isSocket,
      isPage: rest._resourceType === 'document',
      isOfPage: rest.pageref !== undefined,
      request:
        parts && !isSocket && method !== 'CONNECT' ? this.#request(request, method, parts, rest) : undefined,
      status,
      answer: status > 0 ? this.#answer(answered) : undefined,
    };
  }

  #request(saved: Unknown, method: string, parts: UrlParts, rest: Unknown): Request | undefined {
    const { _sent: sent, _sentEncoding: encoding, _target: target } = rest;
    if (typeof sent === 'string') return raw(Buffer.from(sent, encoding === 'base64' ? 'base64' : 'utf8'));
    const headers = this.#requestHeaders(saved, parts);
    const recorded = headerOf(headers, 'content-length');
    const length = Number(recorded ?? saved.bodySize ?? Number.NaN);
    const { bytes, type } = bodyOf(this.#postData(saved.postData), {
      type: headerOf(headers, 'content-type') ?? '',
      encoding: headerOf(headers, 'content-encoding') ?? '',
      length: Number.isNaN(length) ? undefined : length,
    });
    if (!bytes) return undefined;
    return {
      kind: 'request',
      method,
      target: typeof target === 'string' ? target : parts.target,
      version: 'HTTP/1.1',
      headers: describedBy(headers, bytes, type),
      payload: bytes,
    };
  }

  /** The headers in their order, with one for Host and one for all cookies. */
  #requestHeaders(saved: Unknown, { host }: UrlParts): HeaderList {
    const given = this.#headers(saved.headers, 'request.headers').map(
      ([name, value]) => [name, this.#line(name, value)] as const,
    );
    const authority = headerOf(given, ':authority');
    const kept = given.filter(([name]) => !NOT_SENT.test(name));
    const pairs = this.#headers(saved.cookies, 'request.cookies').map(([name, value]) => `${name}=${value}`);
    const written = kept.filter(([name]) => isCookie(name)).map(([, value]) => value);
    // HTTP/2 has a header for each cookie, HTTP/1.1 one for all. RFC 9113 §8.2.3
    const cookies = (written.length > 0 ? written : pairs).join('; ');
    const first = kept.findIndex(([name]) => isCookie(name));
    const headers = kept
      .map(([name, value], index) => [name, index === first ? cookies : value] as const)
      .filter(([name], index) => !isCookie(name) || index === first);
    return [
      ...(headerOf(headers, 'host') === undefined
        ? [['Host', authority ?? host ?? DEFAULT_HOST] as const]
        : []),
      ...headers,
      ...(first < 0 && cookies !== '' ? [['Cookie', cookies] as const] : []),
    ];
  }

  #answer(response: Unknown): NonNullable<HarEntry['answer']> {
    const headers = this.#headers(response.headers, 'response.headers').flatMap(([name, value]) =>
      // Chrome writes one header with a line for each cookie.
      (/^set-cookie$/i.test(name) ? value.split('\n') : [value]).map((line) => [name, line] as const),
    );
    const cookies = this.#headers(response.cookies, 'response.cookies').map(
      ([name, value]) => ['Set-Cookie', `${name}=${value}`] as const,
    );
    const { text, encoding } = this.#object(response.content ?? {}, 'response.content');
    const body = typeof text === 'string' ? text : '';
    return {
      headers: headers.some(([name]) => /^set-cookie$/i.test(name)) ? headers : [...headers, ...cookies],
      body: encoding === 'base64' ? String(Buffer.from(body, 'base64')) : body,
    };
  }

  #postData(given: unknown): PostData | undefined {
    if (given === undefined || given === null) return undefined;
    const { mimeType, text, encoding, params } = this.#object(given, 'request.postData');
    const list = this.#list(params, 'request.postData.params').map((one, index): Param => {
      const place = `request.postData.params[${index}]`;
      const { name, value, fileName, contentType } = this.#object(one, place);
      return {
        name: this.#text(name, `${place}.name`),
        value: this.#optional(value, `${place}.value`),
        fileName: this.#optional(fileName, `${place}.fileName`),
        contentType: this.#optional(contentType, `${place}.contentType`),
      };
    });
    return {
      mimeType: this.#optional(mimeType, 'request.postData.mimeType') ?? '',
      text: this.#optional(text, 'request.postData.text'),
      isBase64: encoding === 'base64',
      params: list,
    };
  }

  #method(value: unknown): string {
    const method = this.#text(value, 'request.method');
    if (!TOKEN.test(method)) this.#fail('request.method', 'a method such as GET', method);
    return IN_UPPER_CASE.test(method) ? method.toUpperCase() : method;
  }

  /** Headers are a list of objects; some producers write one object with a member for each. */
  #headers(given: unknown, place: string): HeaderList {
    if (isObject(given))
      return Object.entries(given).flatMap(([name, value]) =>
        [value].flat().map((one) => [name, this.#text(one, `${place}.${name}`)] as const),
      );
    return this.#list(given, place).map((one, index) => {
      const { name, value } = this.#object(one, `${place}[${index}]`);
      const header = this.#text(name, `${place}[${index}].name`);
      return [header, this.#text(value, `${place}[${index}].value, of ${header}`)] as const;
    });
  }

  /** Characters beyond Latin-1 are sent in UTF-8, as all characters of a header are bytes. */
  #line(name: string, value: string): string {
    if (!TOKEN.test(name.replace(/^:/, ''))) this.#fail('request.headers', 'the name of a header', name);
    if (/[\r\n\0]/.test(value)) this.#fail(`request.headers, ${name}`, 'a value in one line', value);
    return /^[\0-\xff]*$/.test(value) ? value : Buffer.from(value).toString('latin1');
  }

  #list(value: unknown, place: string): readonly unknown[] {
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value : this.#fail(place, 'a list', value);
  }

  #object(value: unknown, place: string): Unknown {
    return isObject(value) ? value : this.#fail(place, 'an object', value);
  }

  #optional(value: unknown, place: string): string | undefined {
    return value === undefined || value === null ? undefined : this.#text(value, place);
  }

  #text(value: unknown, place: string): string {
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return typeof value === 'string' ? value : this.#fail(place, 'a text', value);
  }

  #fail(place: string, expected: string, value: unknown): never {
    throw new TypeError(`${this.#where}: ${place}: expected ${expected}, got ${shown(value)}`);
  }
}

/** Adds the headers that describe the body: its length in the place of the recorded one, and a type that only `postData` has. */
function describedBy(headers: HeaderList, bytes: Buffer, type: string): HeaderList {
  const length = String(bytes.length);
  const described = headers.map(([name, value]) => {
    if (/^content-length$/i.test(name)) return [name, length] as const;
    return [name, /^content-type$/i.test(name) && bytes.length > 0 ? type : value] as const;
  });
  if (bytes.length === 0) return described;
  return [
    ...described,
    ...(headerOf(headers, 'content-type') === undefined && type !== ''
      ? [['Content-Type', type] as const]
      : []),
    ...(headerOf(headers, 'content-length') === undefined ? [['Content-Length', length] as const] : []),
  ];
}

function isCookie(name: string): boolean {
  return /^cookie$/i.test(name);
}
