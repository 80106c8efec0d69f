/** Multipart bodies written by hand, and the folder into which they are uploaded. */
import { readdirSync } from 'node:fs';
import { filesOf } from './files';

export const BOUNDARY = 'parity-boundary';
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

export interface Part {
  name: string;
  value: string | Buffer;
  filename?: string;
  type?: string;
}

export function multipartBody(...parts: readonly Part[]): Buffer {
  const texts = parts.flatMap(({ name, value, filename, type }) => [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename}"`,
    type === undefined ? '' : `\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    value,
    '\r\n',
  ]);
  return Buffer.concat([...texts, `--${BOUNDARY}--\r\n`].map((text) => Buffer.from(text as string)));
}

/** A folder of its own, and what is in it. */
export function uploadFolder(): { uploadDir: string; names(): string[] } {
  const uploadDir = filesOf({});
  return { uploadDir, names: () => readdirSync(uploadDir) };
}
