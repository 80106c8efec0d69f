/**
 * The normal form of a path. §2.2 `strict paths` · RFC 3986 §3.3, §6.2.2
 *
 * A router compares the path as it was sent; a file system receives it decoded. A path in normal form means the same
 * to both. Characters are written plain where RFC 3986 allows it, otherwise as upper-case escapes of their UTF-8
 * bytes. No segment is empty, `.` or `..`, except for the empty one after a trailing slash.
 */

// *( "/" *pchar ) without escapes. The look-ahead excludes an empty segment and one that begins with a dot. Linear:
// each position is tried once.
const PLAIN = /^(?:\/(?![/.])[\w.~!$&'()*+,;=:@-]*)+$/;

// The escapes that encodeURIComponent makes for characters that RFC 3986 allows in a segment (pchar).
const ESCAPED_PCHAR = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

// Characters that a parser may treat as a separator once decoded, and NUL, which ends a file name in C.
const SEPARATOR = /[/\\\0]/;

// Characters that a request target cannot contain. `#` begins a fragment, which is not part of a target.
// RFC 9112 §3.2
const FOREIGN = /[^!-~]|#/;

/**
 * The normal form of a path that begins with a slash.
 *
 * @returns undefined for a path without one: a malformed or non-UTF-8 escape, an escaped separator or NUL, a
 *   backslash, a fragment, a non-ASCII character.
 */
export function normalizePath(path: string): string | undefined {
  if (PLAIN.test(path)) return path;
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
