/** The setting `web bodies`: `res.send` sends a Blob, a ReadableStream or a Response of the fetch API. §4.5 */
import type { ServerResponse } from 'node:http';
import createError from 'http-errors';
import parseRange from 'range-parser';
import { waitForDrain } from '../http/drain';
import { destroy } from '../http/guarded-stream';
import { withCode } from '../internal/error-code';
import { ignore } from '../internal/ignore';
import type { AnyResponse } from '../types';

/** The statuses whose responses have no body. RFC 9110 §6.4.1 */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Headers of a fetched response that describe its connection, or a body that `fetch` has decompressed. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding'];
const OF_ENCODED_BODY = ['content-encoding', 'content-length'];

type Stream = ReadableStream<Uint8Array>;

/**
 * Sends a Blob, a ReadableStream or a Response. If its stream fails before the first part is sent, the error goes to
 * `next`; later, it destroys the response. If the client disconnects, the stream is cancelled.
 *
 * @returns False if `body` is another object.
 * @throws {TypeError} if the stream is locked or already read, or for `Response.error()`.
 */
export function sendWebBody(res: AnyResponse, body: object): boolean {
  const { statusCode, statusMessage } = res;
  const earlier = new Set(res.getHeaderNames());
  const stream = open(res, body);
  if (stream === undefined) return false;

  const isEmpty = WITHOUT_BODY.has(res.statusCode) || res.req.fresh;
  if (isEmpty || !stream || res.req.method === 'HEAD') {
    stream?.cancel().catch(ignore);
    if (isEmpty) res.send();
    else res.end();
    return true;
  }
  pump(res, stream).catch((err: unknown) => {
    if (res.headersSent) return destroy(res, err);
    for (const name of res.getHeaderNames()) if (!earlier.has(name)) res.removeHeader(name);
    Object.assign(res, { statusCode, statusMessage });
    res.req.next?.(err || new Error('The stream of the body failed'));
  });
  return true;
}

/** Prepares the head. Returns the stream of the body, null if there is no body, or undefined for another object. */
function open(res: AnyResponse, body: object): Stream | null | undefined {
  // Not `instanceof`, because the object may come from another realm.
  switch (Reflect.get(body, Symbol.toStringTag)) {
    case 'Blob':
    case 'File':
      return openBlob(res, body as Blob);
    case 'ReadableStream':
      assertReadable(body as Stream);
      setType(res, '');
      return body as Stream;
    case 'Response':
      return openResponse(res, body as Response);
    default:
      return undefined;
  }
}

/** Selects the range of bytes that the client wants. As in `res.sendFile`, several ranges are not supported. */
function openBlob(res: AnyResponse, blob: Blob): Stream | null {
  const { req } = res;
  const { size, type } = blob;
  const isRangeable = res.statusCode === 200 && req.method === 'GET';
  const { range: wanted } = req.headers;
  const ranges = isRangeable && wanted && isRangeFresh(res) && parseRange(size, wanted, { combine: true });
  if (ranges === -1) throw createError(416, { headers: { 'Content-Range': `bytes */${size}` } });

  let part = blob;
  setType(res, type);
  if (isRangeable) res.setHeader('Accept-Ranges', 'bytes');
  if (Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1 && ranges[0]) {
    const [{ start, end }] = ranges;
    res.statusCode = 206;
    res.setHeader('Content-Range', `bytes ${start}-${end}/${size}`);
    part = blob.slice(start, end + 1);
  }
  res.setHeader('Content-Length', part.size);
  return part.size > 0 ? part.stream() : null;
}

/** Whether `Range` applies: a client with an older copy, which `If-Range` names, needs the whole body. RFC 9110 §13.1.5 */
function isRangeFresh(res: AnyResponse): boolean {
  const { 'if-range': validator } = res.req.headers;
  if (typeof validator !== 'string') return true;
  return !validator.startsWith('W/') && [res.get('ETag'), res.get('Last-Modified')].includes(validator);
}

function openResponse(res: AnyResponse, response: Response): Stream | null {
  const { body, bodyUsed, type, url } = response;
  if (type === 'error')
    throw withCode(
      new TypeError('res.send cannot send a network error (Response.error()): pass a response with a status'),
      'NOZOMI_FETCH_NETWORK_ERROR',
    );
  if (body) assertReadable(body, bodyUsed);
  copyHead(res, response);
  // Only a response from the network has a URL.
  if (url) {
    const isDecoded = response.headers.has('content-encoding');
    for (const name of isDecoded ? [...HOP_BY_HOP, ...OF_ENCODED_BODY] : HOP_BY_HOP) res.removeHeader(name);
  }
  return body;
}

export function copyHead(res: ServerResponse, response: Response): void {
  const { body, status, statusText, headers } = response;
  res.statusCode = status;
  if (statusText) res.statusMessage = statusText;
  const isMissing = !body && status !== 304 && res.req.method !== 'HEAD';
  headers.forEach((value, name) => {
    // Without a body, the client would wait for it.
    if (name === 'content-length' && isMissing) return;
    // Node.js throws for `Trailer` beside `Content-Length`, and a `Response` has no trailers.
    if (name === 'set-cookie' || (name === 'trailer' && headers.has('content-length'))) return;
    res.setHeader(name, value);
  });
  for (const cookie of headers.getSetCookie()) res.appendHeader('set-cookie', cookie);
}

/**
 * Writes a stream. Reads the next part when the client has received the earlier ones.
 *
 * @throws {Error} if its length is not that of `Content-Length`: the client would take the next response for a part of it.
 */
export async function pump(res: ServerResponse, stream: Stream): Promise<void> {
  const reader = stream.getReader();
  const cancel = (): void => void reader.cancel().catch(ignore);
  const length = Number(res.getHeader('Content-Length') ?? Number.NaN);
  let sent = 0;
  res.once('close', cancel);
  if (res.destroyed) cancel();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      sent += Buffer.byteLength(part.value);
      if (sent > length) throw new Error('The body is longer than its Content-Length');
      if (!res.write(part.value) && !res.destroyed)
        await new Promise<void>((done) => waitForDrain(res, done, done));
    }
    if (res.destroyed) return;
    if (sent < length) throw new Error('The body is shorter than its Content-Length');
    res.end();
  } catch (err) {
    cancel();
    throw err;
  } finally {
    res.off('close', cancel);
  }
}

function setType(res: AnyResponse, type: string): void {
  if (!res.get('Content-Type')) res.setHeader('Content-Type', type || 'application/octet-stream');
}

function assertReadable({ locked }: Stream, isUsed = false): void {
  if (locked || isUsed) throw new TypeError('res.send cannot send a stream that is locked or already read');
}
