/**
 * ETags of bodies, equal to those of the package etag. §2.4 · RFC 9110 §8.8.3
 *
 * Strings are hashed in one call of Node.js, without the package's buffer and hash object.
 */
import type { ETagGenerator } from '../types';
import { lazy } from './lazy';

const crypto = lazy<typeof import('node:crypto')>(() => require('node:crypto'));

type Body = string | Uint8Array;

// Base64 digits of a SHA-1 without padding, as the package truncates it.
const DIGEST_LENGTH = 27;

/** A strong ETag: the body's length in bytes, in hexadecimal, and the start of its digest. */
export const strongETag: BodyETag = generatorOf('');
export const weakETag: BodyETag = generatorOf('W/');

type BodyETag = (body: Body, encoding?: BufferEncoding) => string;

// Strings up to this length are cached with their ETags, one for each length modulo `SLOTS`: clients revalidate
// responses, and most have not changed.
const SHORT = 1024;
const SLOTS = 16;

// The same function name for both, because applications print settings.
function generatorOf(prefix: string): BodyETag {
  const texts: string[] = [];
  const tags: string[] = [];
  return function generateETag(body, encoding) {
    if (typeof body !== 'string' || body.length > SHORT || !isUtf8(encoding)) return compute(body, encoding);
    const slot = body.length % SLOTS;
    if (texts[slot] === body) return tags[slot] as string;
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

/** Whether a generator accepts a string, which saves converting it to bytes. */
export function takesText(generate: unknown): generate is ETagGenerator<Body> {
  return generate === weakETag || generate === strongETag;
}

function isUtf8(encoding: BufferEncoding | undefined): boolean {
  return encoding === undefined || encoding === 'utf8';
}
