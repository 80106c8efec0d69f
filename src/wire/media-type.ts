/**
 * Media types with a charset, as the packages mime-types and content-type format them. §4.5 · RFC 9110 §8.3
 *
 * An application sends few types, many times: the results of the packages are cached, up to a limit.
 */
import { lazy } from './lazy';

const contentType = lazy<typeof import('content-type')>(() => require('content-type'));
const mime = lazy<typeof import('mime-types')>(() => require('mime-types'));

// Enough for the types of an application, and a bound for types that a client may choose.
const MAX_KEPT = 100;
const MAX_LENGTH = 100;

/** A type, extension or file name with its usual charset; `false` for an invalid one. */
export const withCharset: (type: string) => string | false = keeping((type: string) =>
  mime().contentType(type),
);

/**
 * A type whose charset is UTF-8.
 *
 * @throws {TypeError} for an invalid media type.
 */
export const toUtf8: (type: string) => string = keeping((type: string) => {
  const { format, parse } = contentType();
  const parsed = parse(type);
  parsed.parameters.charset = 'utf-8';
  return format(parsed);
});

function keeping<Result>(convert: (type: string) => Result): (type: string) => Result {
  const kept = new Map<string, Result>();
  return function convertKept(type) {
    const known = kept.get(type);
    if (known !== undefined) return known;
    const result = convert(type);
    if (kept.size < MAX_KEPT && type.length <= MAX_LENGTH) kept.set(type, result);
    return result;
  };
}
