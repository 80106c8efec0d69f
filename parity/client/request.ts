/**
 * Creates the requests of a scenario. They are sent with their headers in the given order and spelling.
 *
 *     get('/x')                                  GET /x HTTP/1.1, Host: parity.test
 *     get('/x', { Accept: 'text/html' })         headers in the order given; an array sends the header once per value
 *     post('/x', { a: 1 })                       an object is sent as JSON, with its Content-Type
 *     post('/x', 'a=1', { 'Content-Type': … })   a string or Buffer is sent as it is, with its Content-Length
 *     post('/x', ['he', 'llo'])                  an array is sent chunked, one chunk for each element
 *     raw('GET / HTTP/1.0\r\n\r\n')              exactly these bytes
 *     aborted(get('/slow'), 'sent')              the client disconnects after the request
 *     onOneConnection(get('/a'), get('/b'))      one after another on one connection
 *     pipelined(get('/a'), get('/b'))            both sent without waiting for a response
 *     get('/x').expect({ status: 200, body: 'x' })   checked when the specs run; see `Expected`
 *     (seen) => get('/', { 'If-None-Match': seen[0]!.header('ETag')! })   built from earlier exchanges
 */
import type { Abort, Exchange, Expected, HeaderList, PlannedRequest, Request } from './messages';

/** The headers of a request in a scenario. `Host: false` omits the default Host. */
export type HeaderRecord = Readonly<Record<string, string | readonly string[] | false>>;

export type Body = string | Buffer | ReadonlyArray<string | Buffer> | Readonly<Record<string, unknown>>;

/** A request, or a function that creates it from the earlier exchanges of the scenario. */
export type RequestSource = Request | ((seen: readonly Exchange[]) => Request);

export interface Connection {
  readonly kind: 'connection';
  readonly requests: readonly RequestSource[];
  readonly pipelined: boolean;
  /** How many milliseconds to wait for each response; default: as for the other connections. */
  readonly patience?: number;
  /** The server; default: as for the other connections. */
  readonly server?: ServerAddress;
}

/** Where a server listens. */
export interface ServerAddress {
  /** A port, or the path of a Unix socket. */
  readonly at: { readonly port: number; readonly host: string } | { readonly path: string };
  /** Whether to use TLS. */
  readonly isSecure: boolean;
}

/** A request on a connection of its own, or a connection with several requests. */
export type Step = RequestSource | Connection;

const HOST = 'parity.test';

export const get = (target: string, headers?: HeaderRecord): PlannedRequest =>
  request('GET', target, undefined, headers);
export const head = (target: string, headers?: HeaderRecord): PlannedRequest =>
  request('HEAD', target, undefined, headers);
export const options = (target: string, headers?: HeaderRecord): PlannedRequest =>
  request('OPTIONS', target, undefined, headers);
export const del = (target: string, body?: Body, headers?: HeaderRecord): PlannedRequest =>
  request('DELETE', target, body, headers);
export const post = (target: string, body?: Body, headers?: HeaderRecord): PlannedRequest =>
  request('POST', target, body, headers);
export const put = (target: string, body?: Body, headers?: HeaderRecord): PlannedRequest =>
  request('PUT', target, body, headers);
export const patch = (target: string, body?: Body, headers?: HeaderRecord): PlannedRequest =>
  request('PATCH', target, body, headers);

/**
 * Creates a request with any method. A default `Host` and the headers of the body are added if they are not given.
 *
 * @throws TypeError if the method is not an HTTP token, or if the target contains a space or is not a path, `*` or an
 *   absolute URL; use `raw()` for such requests.
 */
export function request(
  method: string,
  target: string,
  body?: Body,
  given: HeaderRecord = {},
): PlannedRequest {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(method)) {
    throw new TypeError(`request: method must be an HTTP token, got ${JSON.stringify(method)}`);
  }
  if (!/^(\/|\*$|https?:)/.test(target) || /[\s\r\n]/.test(target)) {
    throw new TypeError(
      `request: target must start with "/" and contain no space, got ${JSON.stringify(target)}; use raw() for other targets`,
    );
  }
  const headers: Array<readonly [string, string]> = [];
  if (!hasHeader(given, 'host')) headers.push(['Host', HOST]);
  for (const [name, value] of Object.entries(given)) {
    if (value === false) continue;
    for (const one of typeof value === 'string' ? [value] : value) headers.push([name, one]);
  }
  const { payload, described } = toPayload(body);
  for (const [name, value] of described) if (!hasHeader(given, name)) headers.push([name, value]);
  return planned({ kind: 'request', method, target, version: 'HTTP/1.1', headers, payload });
}

/**
 * Creates a request that is sent as exactly these bytes. The other members are parsed from them: the client needs the
 * method, because a response to HEAD has no body.
 */
export function raw(bytes: string | Buffer): PlannedRequest {
  const buffer = Buffer.from(bytes as string, 'latin1');
  const text = buffer.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...headerLines] = (end < 0 ? text : text.slice(0, end)).split('\r\n');
  const [method = '', target = '', version = ''] = line.split(' ');
  const headers = headerLines.filter(Boolean).map((header): [string, string] => {
    const colon = header.indexOf(':');
    return colon < 0 ? [header, ''] : [header.slice(0, colon), header.slice(colon + 1).trim()];
  });
  const payload = end < 0 ? Buffer.alloc(0) : buffer.subarray(end + 4);
  return planned({ kind: 'request', method, target, version, headers, payload, bytes: buffer });
}

export function aborted(one: Request, abort: Abort): PlannedRequest {
  return planned({ ...one, abort });
}

function planned(one: Request): PlannedRequest {
  const expect = (expected: Expected): PlannedRequest => planned({ ...one, expected });
  // Not enumerable, so that a request stays data that can be copied and compared.
  return Object.defineProperty({ ...one }, 'expect', { value: expect }) as PlannedRequest;
}

export function onOneConnection(...requests: RequestSource[]): Connection {
  return { kind: 'connection', requests, pipelined: false };
}

export function pipelined(...requests: RequestSource[]): Connection {
  return { kind: 'connection', requests, pipelined: true };
}

/** Formats the request line and the headers, with the empty line that ends them. */
export function formatHead({ method, target, version, headers }: Request): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${target} ${version}\r\n${lines}\r\n`, 'latin1');
}

/** Returns the bytes of a request. */
export function bytesOf({ bytes, ...request }: Request): Buffer {
  return bytes ?? Buffer.concat([formatHead(request), request.payload]);
}

function toPayload(body: Body | undefined): { payload: Buffer; described: HeaderList } {
  if (body === undefined) return { payload: Buffer.alloc(0), described: [] };
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    const payload = Buffer.from(body as string);
    return { payload, described: [['Content-Length', String(payload.length)]] };
  }
  if (Array.isArray(body)) {
    const chunks = (body as ReadonlyArray<string | Buffer>).map((chunk) => Buffer.from(chunk as string));
    const sized = chunks.flatMap((chunk) => [`${chunk.length.toString(16)}\r\n`, chunk, '\r\n']);
    const payload = Buffer.concat([...sized, '0\r\n\r\n'].map((part) => Buffer.from(part as string)));
    return { payload, described: [['Transfer-Encoding', 'chunked']] };
  }
  const payload = Buffer.from(JSON.stringify(body));
  return {
    payload,
    described: [
      ['Content-Type', 'application/json'],
      ['Content-Length', String(payload.length)],
    ],
  };
}

function hasHeader(headers: HeaderRecord, name: string): boolean {
  return Object.keys(headers).some((given) => given.toLowerCase() === name.toLowerCase());
}
