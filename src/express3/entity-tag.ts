/**
 * The setting `etag` of the 3.x interface. The ETags equal those of Express 3, so that copies in clients' caches stay
 * valid. §9.3
 */
import { hash } from 'node:crypto';
import type { ETagGenerator } from '../types';

/** @returns The function for a valid value of the setting; undefined if no ETags are generated. */
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

/** MD5 in base64 without padding. It only identifies a body, so a weak hash is enough. */
function digest(body: string | Buffer, encoding: BufferEncoding | undefined): string {
  const bytes = typeof body === 'string' ? Buffer.from(body, encoding) : body;
  return hash('md5', bytes, 'base64').replace(/=+$/, '');
}
