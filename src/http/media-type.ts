/**
 * Adds charsets to media types, in the format of the packages mime-types and content-type. §4.5 · RFC 9110 §8.3
 *
 * The results of the packages are cached, because an application sends few types many times.
 */

import { format, parse } from 'content-type';
import mime from 'mime-types';
import { copyText } from '../internal/copy-text';

// More types than an application sends. The limit bounds the cache if a client can choose the type.
const MAX_KEPT = 100;
const MAX_LENGTH = 100;

/** Converts a media type, extension or file name to a media type with its default charset; `false` if it is invalid. */
export const withCharset: (type: string) => string | false = memoize((type: string) =>
  mime.contentType(type),
);

/** Replaces the charset of a media type. Returns `type` itself if one is empty. @throws {TypeError} for an invalid type. */
export function setCharset(type: string, charset: string): string {
  if (!type || !charset) return type;
  const parsed = parse(type);
  parsed.parameters.charset = charset;
  return format(parsed);
}

/** Sets the charset of a media type to UTF-8. @throws {TypeError} for an invalid media type. */
export const toUtf8: (type: string) => string = memoize((type: string) => setCharset(type, 'utf-8'));

/** A media type with its parameters, as `express/lib/utils` returns it. */
export interface NormalizedType {
  value: string;
  /** The parameter `q`, by default 1; NaN if it is not a number. Undefined for a file extension. */
  quality?: number;
  params: Record<string, string | undefined>;
}

/**
 * Reads the parameters of a media type.
 *
 * @param split Splits a parameter into its name and its value. Returns undefined for a parameter to ignore.
 */
export function readParameters(
  parameters: readonly string[],
  split: (parameter: string) => readonly (string | undefined)[] | undefined,
): Required<Pick<NormalizedType, 'quality' | 'params'>> {
  const read: ReturnType<typeof readParameters> = { quality: 1, params: {} };
  for (const parameter of parameters) {
    const [name, text] = split(parameter) ?? [];
    if (name === 'q') read.quality = Number.parseFloat(`${text}`);
    else if (name !== undefined) read.params[name] = text;
  }
  return read;
}

function memoize<Result>(convert: (type: string) => Result): (type: string) => Result {
  const kept = new Map<string, Result>();
  return function convertKept(type) {
    const known = kept.get(type);
    if (known !== undefined) return known;
    if (kept.size >= MAX_KEPT || type.length > MAX_LENGTH) return convert(type);
    const copy = copyText(type);
    const result = convert(copy);
    kept.set(copy, result);
    return result;
  };
}
