/** Restores the bytes of a request body from the `postData` of a HAR entry. */
import { createHash } from 'node:crypto';
import { decodeBody, encodeBody } from '../client/decode';

/** `postData` as producers write it: members may be missing, and `encoding` is an extension for bytes. */
export interface PostData {
  readonly mimeType: string;
  readonly text: string | undefined;
  readonly isBase64: boolean;
  readonly params: readonly Param[];
}

export interface Param {
  readonly name: string;
  readonly value: string | undefined;
  readonly fileName: string | undefined;
  readonly contentType: string | undefined;
}

/** Charsets with one byte for each character of Latin-1. */
const LATIN1 = /^(?:iso-8859-1|latin1|windows-1252|us-ascii)$/i;

/** What else an entry says about the body. */
export interface BodyHeaders {
  /** The value of Content-Type. */
  readonly type: string;
  /** The value of Content-Encoding. */
  readonly encoding: string;
  /** The recorded length in bytes; undefined if it is not known. */
  readonly length: number | undefined;
}

/**
 * Returns the bytes of a body, and the Content-Type that belongs to them. Browsers save text in `text` and forms in
 * `params`. The bytes are undefined if the file lacks the body, as browsers omit uploaded files.
 */
export function bodyOf(
  data: PostData | undefined,
  headers: BodyHeaders,
): { readonly bytes: Buffer | undefined; readonly type: string } {
  const { length } = headers;
  const type = typeOf(data?.mimeType ?? '', headers.type);
  const isMissing = length !== undefined && length > 0;
  if (!data) return { bytes: isMissing ? undefined : Buffer.alloc(0), type };
  const { text = '', params } = data;
  if (text === '' && params.length > 0) return fromParams(params, type, length);
  if (text === '') return { bytes: isMissing ? undefined : Buffer.alloc(0), type };
  const known = candidates(data, type);
  const exact = known.find((bytes) => bytes.length === length);
  // Some producers write a text without its compression. Another compressor gives another length.
  const compressed = exact
    ? undefined
    : known.map((bytes) => compress(bytes, headers.encoding)).find(Boolean);
  const [first] = isMissing ? [] : known;
  return { bytes: exact ?? compressed ?? first, type };
}

/** The type with its boundary: some producers write only one of the two completely. */
function typeOf(mimeType: string, header: string): string {
  if (header === '') return mimeType;
  const lacksBoundary = /^multipart\//i.test(header) && !/;\s*boundary=/i.test(header);
  return lacksBoundary && /;\s*boundary=/i.test(mimeType) ? mimeType : header;
}

/**
 * Returns the bytes that a text may stand for, the most likely first. The recorded length decides: some producers write
 * one character for each byte, others decode the text.
 */
function candidates({ text = '', isBase64 }: PostData, type: string): Buffer[] {
  if (isBase64) return [Buffer.from(text, 'base64')];
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type) ?? [];
  const latin1 = /^[\0-\xff]*$/.test(text) ? [Buffer.from(text, 'latin1')] : [];
  if (/^utf-?16(?:le)?$/i.test(charset)) return [Buffer.from(text, 'utf16le'), Buffer.from(text), ...latin1];
  return LATIN1.test(charset) ? [...latin1, Buffer.from(text)] : [Buffer.from(text), ...latin1];
}

/** @returns `undefined` for a body that is compressed already, or that need not be. */
function compress(bytes: Buffer, encoding: string): Buffer | undefined {
  return encoding === '' || decodeBody(bytes, encoding) !== undefined
    ? undefined
    : encodeBody(bytes, encoding);
}

function fromParams(
  params: readonly Param[],
  type: string,
  length: number | undefined,
): { bytes: Buffer | undefined; type: string } {
  if (/^multipart\//i.test(type)) return multipart(params, type);
  // Some producers write the names and values as sent, others decode them.
  const asSent = params.map(({ name, value = '' }) => `${name}=${value}`).join('&');
  const encoded = String(
    new URLSearchParams(params.map(({ name, value = '' }): [string, string] => [name, value])),
  );
  const fits = [asSent, encoded].filter((text) => Buffer.byteLength(text) === length);
  const [text = isEncoded(params) ? asSent : encoded] = fits.length === 1 ? fits : [];
  return { bytes: Buffer.from(text), type };
}

/** Whether the params are percent-encoded: each has only characters of an encoded form, and one has `%40` or the like. */
function isEncoded(params: readonly Param[]): boolean {
  const texts = params.flatMap(({ name, value = '' }) => [name, value]);
  return (
    texts.every((text) => /^(?:[\w.*+~!'()-]|%[\da-f]{2})*$/i.test(text)) &&
    texts.some((text) => /%[\da-f]{2}/i.test(text))
  );
}

function multipart(params: readonly Param[], type: string): { bytes: Buffer | undefined; type: string } {
  if (params.some(({ value, fileName }) => value === undefined && fileName !== undefined))
    return { bytes: undefined, type };
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? bare ?? boundaryFor(params);
  return {
    bytes: multipartBytes(
      params.map(({ value = '', ...rest }) => ({ ...rest, content: Buffer.from(value) })),
      boundary,
    ),
    type: quoted === undefined && bare === undefined ? `${type}; boundary=${boundary}` : type,
  };
}

/** A boundary that is the same each time, and in no value. */
export function boundaryFor(parts: unknown): string {
  return `----parity${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)}`;
}

export interface FormPart {
  readonly name: string;
  readonly content: Buffer;
  readonly fileName: string | undefined;
  readonly contentType: string | undefined;
}

/** Formats a multipart form as browsers do. RFC 7578, and "multipart/form-data encoding algorithm" of HTML */
export function multipartBytes(parts: readonly FormPart[], boundary: string): Buffer {
  const quote = (text: string): string => `"${text.replace(/[\r\n"]/g, encodeURIComponent)}"`;
  const pieces = parts.flatMap(({ name, content, fileName, contentType }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name=${quote(name)}${fileName === undefined ? '' : `; filename=${quote(fileName)}`}\r\n${contentType ? `Content-Type: ${contentType}\r\n` : ''}\r\n`,
    ),
    content,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}
