/** The setting `etag` of the 3.x interface: the same ETags as Express 3, so that clients' caches stay valid. §9.3 */
import { hash } from 'node:crypto';
import type { ETagGenerator } from '../types';

/** @returns The generator for a valid value of the setting; undefined for no ETags. */
export function compileETag(value: unknown): ETagGenerator | undefined {
  if (typeof value === 'function') return value as ETagGenerator;
  if (value === false) return undefined;
  const prefix = value === 'strong' ? '' : 'W/';
  return (body, encoding) =>
    `${prefix}"${Buffer.byteLength(body, encoding).toString(16)}-${digest(body, encoding)}"`;
}

/** MD5 in base64 without padding: it identifies a body and protects nothing. */
function digest(body: string | Buffer, encoding: BufferEncoding | undefined): string {
  const bytes = typeof body === 'string' ? Buffer.from(body, encoding) : body;
  return hash('md5', bytes, 'base64').replace(/=+$/, '');
}
