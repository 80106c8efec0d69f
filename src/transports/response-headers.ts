/**
 * The headers of a response, as a stream takes them.
 */
import { type OutgoingHttpHeaders, ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';

type Value = string | number | readonly string[];

export interface Collected {
  /** By their names in lower case, without those of a connection. */
  readonly headers: OutgoingHttpHeaders;
  /** Whether the application set `Transfer-Encoding`, so that the body gets no length. */
  readonly isChunked: boolean;
}

/** Headers of a connection, which HTTP/2 and fetch do not have. RFC 9113 §8.2.2 */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  ...['connection', 'http2-settings', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'],
]);

const { getHeaderNames } = ServerResponse.prototype;

/**
 * @param given What Node.js passes to `_storeHeader`: its own store, or the headers of `writeHead`: an object, a flat list,
 *   or a list of pairs.
 * @throws {TypeError} for what Node.js refuses in a header.
 */
export function collectHeaders(res: ServerResponse, given: unknown): Collected {
  const headers: OutgoingHttpHeaders = Object.create(null);
  let isChunked = false;
  for (const [name, value] of entriesOf(res, given)) {
    const lower = name.toLowerCase();
    if (!CONNECTION_HEADERS.has(lower)) add(headers, lower, value);
    else if (lower === 'transfer-encoding') isChunked = true;
  }
  return { headers, isChunked };
}

function entriesOf(res: ServerResponse, given: unknown): Array<[string, Value]> {
  if (!given) return [];
  // Node.js validated them when they were set.
  if (!Array.isArray(given) && getHeaderNames.call(res).length > 0) return Object.values(given);
  const entries = Array.isArray(given) ? pairs(given) : Object.entries(given as Record<string, Value>);
  for (const [name, value] of entries) {
    validateHeaderName(name);
    for (const one of Array.isArray(value) ? value : [value]) validateHeaderValue(name, one);
  }
  return entries;
}

function pairs(list: readonly unknown[]): Array<[string, Value]> {
  if (Array.isArray(list[0])) return list as Array<[string, Value]>;
  const entries: Array<[string, Value]> = [];
  for (let i = 0; i < list.length; i += 2) entries.push([list[i] as string, list[i + 1] as Value]);
  return entries;
}

function add(headers: OutgoingHttpHeaders, name: string, value: Value): void {
  const before = headers[name];
  const all = before === undefined ? value : [before, value].flat();
  // One value is no list: some headers must not be one.
  headers[name] = Array.isArray(all) && all.length !== 1 ? all.map(trim) : trim(all);
}

/** A client ignores the blanks around a value; HTTP/2 forbids them. RFC 9113 §8.2.1 */
function trim(value: unknown): string {
  return String(value).replace(/^[ \t]+|[ \t]+$/g, '');
}

/** Lines of `name: value`, as Node.js writes trailers and informational responses. */
export function parseFields(text: string): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = Object.create(null);
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (name && !CONNECTION_HEADERS.has(name)) add(headers, name, line.slice(colon + 1));
  }
  return headers;
}
