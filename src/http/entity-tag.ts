/**
 * Generates the same ETags as the package etag. §2.4 · RFC 9110 §8.8.3
 *
 * `crypto.hash` of Node.js hashes a string in one call. Express with the package etag is slower, because they create a
 * buffer and a hash object.
 */

import { hash } from 'node:crypto';
import { copyText } from '../internal/copy-text';
import type { ETagGenerator } from '../types';

type Body = string | Uint8Array;

// The length of a SHA-1 in base64 without padding. The package etag shortens the digest to this length.
const DIGEST_LENGTH = 27;

/** Generates a strong ETag: the length of the body in bytes (hexadecimal) and its SHA-1 digest. */
export const strongETag: BodyETag = generatorOf('');
export const weakETag: BodyETag = generatorOf('W/');

type BodyETag = (body: Body, encoding?: BufferEncoding) => string;

// ETags of strings up to this length are cached, because applications often send the same response again. The cache has
// one entry for each length modulo `SLOTS`.
const SHORT = 1024;
const SLOTS = 16;

// Both functions have the same name as in Express, so that applications that print their settings show the same text.
function generatorOf(prefix: string): BodyETag {
  const texts: Array<string | undefined> = [];
  const tags: string[] = [];
  return function generateETag(body, encoding) {
    if (typeof body !== 'string' || body.length > SHORT || !isUtf8(encoding)) return compute(body, encoding);
    const slot = body.length % SLOTS;
    if (texts[slot] === body) {
      const known = tags[slot];
      if (known !== undefined) return known;
    }
    const tag = compute(body, encoding);
    // Kept when it comes a second time in a row: the copy would only cost time for texts that are always different.
    texts[slot] = tags[slot] === tag ? copyText(body) : undefined;
    tags[slot] = tag;
    return tag;
  };

  function compute(body: Body, encoding?: BufferEncoding): string {
    const bytes = typeof body !== 'string' || isUtf8(encoding) ? body : Buffer.from(body, encoding);
    const length = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
    return `${prefix}"${length.toString(16)}-${hash('sha1', bytes, 'base64').slice(0, DIGEST_LENGTH)}"`;
  }
}

/** Whether an ETag function accepts strings, so that the body need not be converted to a buffer. */
export function takesText(generate: unknown): generate is ETagGenerator<Body> {
  return generate === weakETag || generate === strongETag;
}

function isUtf8(encoding: BufferEncoding | undefined): boolean {
  return encoding === undefined || encoding === 'utf8';
}
