/**
 * ETags of bodies, the same as those of the package etag. §2.4 · RFC 9110 §8.8.3
 *
 * Node.js hashes a string in one call, which is faster than the buffer and hash object of the package.
 */
import type { ETagGenerator } from '../types';
import { lazy } from './lazy';

const crypto = lazy<typeof import('node:crypto')>(() => require('node:crypto'));

type Body = string | Uint8Array;

// The length of a SHA-1 in base64 without padding; the package cuts the digest there.
const DIGEST_LENGTH = 27;

/** A strong ETag: the length of the body in bytes (hexadecimal) and its digest. */
export const strongETag: BodyETag = generatorOf('');
export const weakETag: BodyETag = generatorOf('W/');

type BodyETag = (body: Body, encoding?: BufferEncoding) => string;

// The ETags of strings up to this length are cached, because the same response is often sent again. The cache has one
// entry for each length modulo `SLOTS`.
const SHORT = 1024;
const SLOTS = 16;

// Both functions have the name that Express gives them, because applications print settings.
function generatorOf(prefix: string): BodyETag {
  const texts: string[] = [];
  const tags: string[] = [];
  return function generateETag(body, encoding) {
    if (typeof body !== 'string' || body.length > SHORT || !isUtf8(encoding)) return compute(body, encoding);
    const slot = body.length % SLOTS;
    if (texts[slot] === body) {
      const known = tags[slot];
      if (known !== undefined) return known;
    }
    const tag = compute(body, encoding);
    tags[slot] = tag;
    texts[slot] = body;
    return tag;
  };

  function compute(body: Body, encoding?: BufferEncoding): string {
    const bytes = typeof body !== 'string' || isUtf8(encoding) ? body : Buffer.from(body, encoding);
    const length = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
    return `${prefix}"${length.toString(16)}-${crypto().hash('sha1', bytes, 'base64').slice(0, DIGEST_LENGTH)}"`;
  }
}

/** Whether an ETag function accepts a string, so that it need not be converted to a buffer. */
export function takesText(generate: unknown): generate is ETagGenerator<Body> {
  return generate === weakETag || generate === strongETag;
}

function isUtf8(encoding: BufferEncoding | undefined): boolean {
  return encoding === undefined || encoding === 'utf8';
}
