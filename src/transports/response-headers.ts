/** Prepares the headers of a response for a stream. */
import { type OutgoingHttpHeaders, ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import { copyText } from '../internal/copy-text';

type Value = string | number | readonly string[];

interface Mutable {
  /** By name in lower case, without the connection-specific headers. */
  headers: OutgoingHttpHeaders;
  /** Whether the application set `Transfer-Encoding`: then no `Content-Length` is added. */
  isChunked: boolean;
}

export type Collected = Readonly<Mutable>;

/** Headers of an HTTP/1.1 connection, which HTTP/2 forbids and fetch does not know. RFC 9113 §8.2.2 */
// biome-ignore format: a table
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection', 'http2-settings', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade',
]);

const { getHeaderNames } = ServerResponse.prototype;

/** Creates objects that inherit nothing. V8 reads them faster than those of `Object.create(null)`. */
const EmptyHeaders: new () => OutgoingHttpHeaders = class {
  [name: string]: undefined;
};
Object.setPrototypeOf(EmptyHeaders.prototype, null);

/**
 * Collects the headers of a response by name in lower case, without those of an HTTP/1.1 connection.
 *
 * @param given The argument of Node.js's `_storeHeader`: its own store, or the headers passed to `writeHead` (an
 *   object, a flat list, or a list of pairs).
 * @throws {TypeError} for headers that Node.js refuses.
 */
export function collectHeaders(res: ServerResponse, given: unknown): Collected {
  const collected = { headers: new EmptyHeaders(), isChunked: false };
  if (!given) return collected;
  if (Array.isArray(given)) {
    if (Array.isArray(given[0])) for (const [name, value] of given) addChecked(collected, name, value);
    else for (let i = 0; i < given.length; i += 2) addChecked(collected, given[i], given[i + 1]);
  } else if (isStore(res, given)) {
    // Node.js validated these headers when the application set them.
    for (const [name, value] of Object.values(given)) addKnown(collected, lowerCase(name), value);
  } else {
    // A cast: the application passed this object to `writeHead`, and its values may have other types.
    for (const [name, value] of Object.entries(given as Record<string, Value>)) {
      addChecked(collected, name, value);
    }
  }
  return collected;
}

/** Node.js passes its store if a header was set on the response. */
function isStore(res: ServerResponse, _given: unknown): _given is Record<string, [string, Value]> {
  return getHeaderNames.call(res).length > 0;
}

/** Characters that few header values contain. Strings without them need no check by Node.js. */
const UNUSUAL = /[^\t\x20-\x7e]/;

function addChecked(collected: Mutable, name: string, value: Value): void {
  const lower = lowerCase(name);
  if (typeof value !== 'string' || UNUSUAL.test(value)) {
    for (const one of Array.isArray(value) ? value : [value]) validateHeaderValue(name, one);
  }
  addKnown(collected, lower, value);
}

function addKnown(collected: Mutable, name: string, value: Value): void {
  if (!CONNECTION_HEADERS.has(name)) add(collected.headers, name, value);
  else if (name === 'transfer-encoding') collected.isChunked = true;
}

// A cache: most responses use the same few names.
const lowerCases = new Map<string, string>();
const MAX_NAMES = 256;

/** @throws {TypeError} for an invalid name. */
function lowerCase(name: string): string {
  const known = lowerCases.get(name);
  if (known !== undefined) return known;
  validateHeaderName(name);
  if (lowerCases.size >= MAX_NAMES) return name.toLowerCase();
  const copy = copyText(name);
  const lower = copy.toLowerCase();
  lowerCases.set(copy, lower);
  return lower;
}

function add(headers: OutgoingHttpHeaders, name: string, value: Value): void {
  const before = headers[name];
  const all = before === undefined ? value : [before, value].flat();
  // A single value is sent as a string: some headers do not allow a list.
  headers[name] = Array.isArray(all) && all.length !== 1 ? all.map(trim) : trim(all);
}

/** Removes white space around a value: HTTP/2 forbids it, and HTTP/1.1 clients ignore it. RFC 9113 §8.2.1 */
function trim(value: unknown): string {
  const text = String(value);
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return end - start === text.length ? text : text.slice(start, end);
}

/** Whether a character is a space or a tab. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Parses lines of `name: value`, which Node.js writes for trailers and informational responses. */
export function parseFields(text: string): OutgoingHttpHeaders {
  const headers = new EmptyHeaders();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (name && !CONNECTION_HEADERS.has(name)) add(headers, name, line.slice(colon + 1));
  }
  return headers;
}
