/**
 * The normal form of a path. §2.2 `strict paths` · RFC 3986 §3.3, §6.2.2
 *
 * A router compares the path as the client sent it; a file system receives it decoded. A path in normal form means the
 * same to both. In normal form, a character stays as it is if RFC 3986 allows it, otherwise as upper-case escapes of
 * its UTF-8 bytes. No segment is `.`, `..` or empty; only the last one is empty after a trailing slash.
 */

// A path without escapes. The look-ahead excludes empty segments and segments that begin with a dot. The expression
// takes linear time, because it tries each position once.
const UNESCAPED = /^(?:\/(?![/.])[\w.~!$&'()*+,;=:@-]*)+$/;

// The escapes that `encodeURIComponent` makes for characters that RFC 3986 allows in a segment (pchar).
const ESCAPED_PCHAR = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

// Decoded characters that a parser may treat as a separator, and NUL, which ends a file name in C.
const SEPARATOR = /[/\\\0]/;

// Characters that a request target cannot contain. `#` begins a fragment, which is not part of a target.
// RFC 9112 §3.2
const FOREIGN = /[^!-~]|#/;

/**
 * Converts a path that begins with a slash to its normal form.
 *
 * @returns Undefined for a path without normal form. Such a path contains a malformed or non-UTF-8 escape, an escaped
 * separator or NUL, a backslash, a fragment, whitespace, or a control or non-ASCII character.
 */
export function normalizePath(path: string): string | undefined {
  if (UNESCAPED.test(path)) return path;
  if (path[0] !== '/' || FOREIGN.test(path)) return undefined;

  const parts = path.slice(1).split('/');
  const segments: string[] = [];
  for (const [index, part] of parts.entries()) {
    const segment = decodeSegment(part);
    if (segment === undefined || SEPARATOR.test(segment)) return undefined;
    if (segment === '..') segments.pop();
    if (segment !== '' && segment !== '.' && segment !== '..') segments.push(encodeSegment(segment));
    else if (index === parts.length - 1) segments.push('');
  }
  return `/${segments.join('/')}`;
}

function decodeSegment(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(ESCAPED_PCHAR, decodeURIComponent);
}
