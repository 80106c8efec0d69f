/** Decodes bodies: removes the compression of `Content-Encoding`. RFC 9110 §8.4 */
import zlib from 'node:zlib';
import type { Exchange } from './messages';
import { headerOf } from './response';

type Decoder = (body: Buffer, options: zlib.ZlibOptions & zlib.BrotliOptions) => Buffer;

/** The maximum length of a decoded body in bytes. A longer body is compared in its encoded form. */
const LIMIT = 64 * 1024 * 1024;

// These flush options decode an incomplete body: the client may have stopped reading.
const ZLIB: zlib.ZlibOptions = { finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength: LIMIT };
const BROTLI: zlib.BrotliOptions = {
  finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
  maxOutputLength: LIMIT,
};
/** Undefined in versions of Node.js without zstd, such as those before 22.15. */
const { zstdDecompressSync } = zlib as unknown as { zstdDecompressSync?: Decoder };

const DECODERS: Readonly<Record<string, ((body: Buffer) => Buffer) | undefined>> = {
  identity: (body) => body,
  gzip: (body) => zlib.gunzipSync(body, ZLIB),
  'x-gzip': (body) => zlib.gunzipSync(body, ZLIB),
  // Some servers send deflate without the zlib header.
  deflate: (body) =>
    ((body[0] ?? 0) & 0x0f) === 8 ? zlib.inflateSync(body, ZLIB) : zlib.inflateRawSync(body, ZLIB),
  br: (body) => zlib.brotliDecompressSync(body, BROTLI),
  zstd: zstdDecompressSync && ((body) => zstdDecompressSync(body, { maxOutputLength: LIMIT })),
};

/**
 * Decodes a body.
 *
 * @param encodings The value of `Content-Encoding`: names separated by commas, the last one applied last.
 * @returns The decoded body; `undefined` if an encoding is unknown or Node.js lacks it, or if the body is malformed or too
 *   long.
 */
export function decodeBody(body: Buffer, encodings: string): Buffer | undefined {
  try {
    return encodings
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .reduceRight<Buffer | undefined>((bytes, name) => bytes && DECODERS[name]?.(bytes), body);
  } catch {
    return undefined;
  }
}

/**
 * Decodes the body of a response, and keeps the number of sent bytes in `encodedLength`. Returns the same exchange if
 * there is nothing to decode, or it cannot be decoded.
 */
export function decodeExchange(exchange: Exchange): Exchange {
  const { body, headers = [] } = exchange.response;
  const encodings = headerOf(headers, 'content-encoding');
  if (!body || body.length === 0 || encodings === undefined) return exchange;
  const decoded = decodeBody(body, encodings);
  if (!decoded) return exchange;
  return { ...exchange, response: { ...exchange.response, body: decoded, encodedLength: body.length } };
}
