/** `Content-Disposition` of Express 3 and 4: a quoted name in Latin-1. §9.3, E4-F28, E4-F39 · RFC 6266 */
import { basename } from 'node:path';

const LATIN_1 = /^[\x20-\x7e\x80-\xff]+$/;
const NOT_LATIN_1 = /[^\x20-\x7e\xa0-\xff]/g;
// A percent escape. Some clients decode it in `filename`, so such a name is also sent as `filename*`.
const ESCAPE = /%[\dA-Fa-f]{2}/;
// Characters that encodeURIComponent does not escape, although RFC 5987 §3.2.1 requires it.
const NOT_ATTRIBUTE = /['()*]/g;

/**
 * Creates the header of an attachment.
 *
 * @param filename The file name, or a path whose last part is the name.
 * @throws {TypeError} for a name that is not a string.
 */
export function toDisposition(filename?: string): string {
  if (filename === undefined) return 'attachment';
  if (typeof filename !== 'string') throw new TypeError('filename must be a string');
  const name = basename(filename);
  const latin1 = name.replace(NOT_LATIN_1, '?');
  let value = 'attachment';
  if (LATIN_1.test(name) || latin1 !== name) value += `; filename="${latin1.replace(/([\\"])/g, '\\$1')}"`;
  if (latin1 !== name || !LATIN_1.test(name) || ESCAPE.test(name))
    value += `; filename*=UTF-8''${encode(name)}`;
  return value;
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    NOT_ATTRIBUTE,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
