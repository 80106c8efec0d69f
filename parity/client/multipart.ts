/** Creates bodies of `multipart/form-data`, for uploads. */

const BOUNDARY = 'parity-boundary';

/** The `Content-Type` for a body of `multipartBody()`. */
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

export interface Part {
  readonly name: string;
  readonly value: string | Buffer;
  /** Makes the part a file with this name. */
  readonly filename?: string;
  readonly type?: string;
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
