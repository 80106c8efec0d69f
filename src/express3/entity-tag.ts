/** The ETags of Express 3, so that copies in client caches stay valid after a switch. §9.3 */
import { hash } from 'node:crypto';
import type { ETagGenerator } from '../types';

/**
 * Compiles the setting `etag` to a function that generates ETags.
 *
 * @param value False, `'strong'` or a function. Any other value means weak ETags.
 * @returns The function; undefined if `value` is false.
 */
export function compileETag(value: unknown): ETagGenerator | undefined {
  if (isGenerator(value)) return value;
  if (value === false) return undefined;
  const prefix = value === 'strong' ? '' : 'W/';
  return (body, encoding) =>
    `${prefix}"${Buffer.byteLength(body, encoding).toString(16)}-${digest(body, encoding)}"`;
}

function isGenerator(value: unknown): value is ETagGenerator {
  return typeof value === 'function';
}

/**
 * Returns the MD5 hash in base64 without padding. It only needs to distinguish bodies, so a weak hash is sufficient.
 */
function digest(body: string | Buffer, encoding: BufferEncoding | undefined): string {
  const bytes = typeof body === 'string' ? Buffer.from(body, encoding) : body;
  return hash('md5', bytes, 'base64').replace(/(?<!=)=+$/, '');
}
