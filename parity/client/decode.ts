/** Decodes bodies: removes the compression of `Content-Encoding`. RFC 9110 §8.4 */
import zlib from 'node:zlib';
import type { Exchange } from './messages';
import { headerOf } from './response';

type Coder = (body: Buffer, options?: zlib.ZlibOptions & zlib.BrotliOptions) => Buffer;

/** The maximum length of a decoded body in bytes. A longer body is compared in its encoded form. */
const LIMIT = 64 * 1024 * 1024;

// These flush options decode an incomplete body: the client may have stopped reading.
const ZLIB: zlib.ZlibOptions = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
const BROTLI: zlib.BrotliOptions = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };
/** Undefined in versions of Node.js without zstd, such as those before 22.15. */
const { zstdDecompressSync, zstdCompressSync } = zlib as unknown as {
  zstdDecompressSync?: Coder;
  zstdCompressSync?: Coder;
};

const DECODERS: Readonly<Record<string, ((body: Buffer, maxOutputLength: number) => Buffer) | undefined>> = {
  __proto__: null as never,
  identity: (body) => body,
  gzip: (body, maxOutputLength) => zlib.gunzipSync(body, { ...ZLIB, maxOutputLength }),
  'x-gzip': (body, maxOutputLength) => zlib.gunzipSync(body, { ...ZLIB, maxOutputLength }),
  // Some servers send deflate without the zlib header.
  deflate: (body, maxOutputLength) =>
    ((body[0] ?? 0) & 0x0f) === 8
      ? zlib.inflateSync(body, { ...ZLIB, maxOutputLength })
      : zlib.inflateRawSync(body, { ...ZLIB, maxOutputLength }),
  br: (body, maxOutputLength) => zlib.brotliDecompressSync(body, { ...BROTLI, maxOutputLength }),
  zstd: zstdDecompressSync && ((body, maxOutputLength) => zstdDecompressSync(body, { maxOutputLength })),
};

const ENCODERS: Readonly<Record<string, Coder | undefined>> = {
  __proto__: null as never,
  identity: (body) => body,
  gzip: (body) => zlib.gzipSync(body),
  'x-gzip': (body) => zlib.gzipSync(body),
  deflate: (body) => zlib.deflateSync(body),
  br: (body) => zlib.brotliCompressSync(body),
  zstd: zstdCompressSync,
};

/**
 * Decodes a body.
 *
 * @param encodings The value of `Content-Encoding`: names separated by commas, the last one applied last.
 * @param limit The maximum length of the decoded body in bytes; default 64 MiB.
 * @returns The decoded body; `undefined` if an encoding is unknown or Node.js lacks it, or if the body is malformed or too
 *   long.
 */
export function decodeBody(body: Buffer, encodings: string, limit: number = LIMIT): Buffer | undefined {
  try {
    return namesIn(encodings).reduceRight<Buffer | undefined>(
      (bytes, name) => bytes && DECODERS[name]?.(bytes, limit),
      body,
    );
  } catch {
    return undefined;
  }
}

/**
 * Encodes a body.
 *
 * @param encodings As for `decodeBody`, which reverses this.
 * @returns `undefined` if an encoding is unknown, or Node.js lacks it.
 */
export function encodeBody(body: Buffer, encodings: string): Buffer | undefined {
  return namesIn(encodings).reduce<Buffer | undefined>(
    (bytes, name) => bytes && ENCODERS[name]?.(bytes),
    body,
  );
}

function namesIn(encodings: string): string[] {
  return encodings.split(',').map((name) => name.trim().toLowerCase());
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
