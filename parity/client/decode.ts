/** Decodes bodies: removes the compression of `Content-Encoding`. RFC 9110 §8.4 */
import zlib from 'node:zlib';
import type { Exchange } from './messages';
import { headerOf } from './response';

type Decoder = (body: Buffer, options: zlib.ZlibOptions & zlib.BrotliOptions) => Buffer;

/** The maximum length of a decoded body in bytes. A longer body is compared as it was sent. */
const LIMIT = 64 * 1024 * 1024;

// If the client stopped reading, the part that arrived is decoded.
const ZLIB: zlib.ZlibOptions = { finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength: LIMIT };
const BROTLI: zlib.BrotliOptions = {
  finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
  maxOutputLength: LIMIT,
};
/** Exists in Node.js 22.15 and later. */
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
 * @param encodings The value of `Content-Encoding`.
 * @returns `undefined` for an encoding that Node.js does not support, or a malformed body.
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

/** The exchange with its body decoded. `encodedLength` is the number of bytes that were sent. */
export function decodeExchange(exchange: Exchange): Exchange {
  const { body, headers = [] } = exchange.response;
  const encodings = headerOf(headers, 'content-encoding');
  if (!body || body.length === 0 || encodings === undefined) return exchange;
  const decoded = decodeBody(body, encodings);
  if (!decoded) return exchange;
  return { ...exchange, response: { ...exchange.response, body: decoded, encodedLength: body.length } };
}
