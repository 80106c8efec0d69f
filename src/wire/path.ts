/**
 * The one spelling of a path. §2.2 `strict paths` · RFC 3986 §3.3, §6.2.2
 *
 * A router compares paths as they were sent, a file system as they are decoded and joined. What both read alike is
 * the normal form: every character that a segment may hold plainly is plain, every other is the escape of its
 * UTF-8 bytes in upper case, and no segment is empty, `.` or `..`, but for the slash at the end.
 */

// *( "/" *pchar ) without escapes, and (by the look-ahead) without an empty segment or one that begins with a
// dot; linear: each position is tried once.
const PLAIN = /^(?:\/(?![/.])[\w.~!$&'()*+,;=:@-]*)+$/;

// What encodeURIComponent escapes although a segment may hold it: RFC 3986 pchar.
const ESCAPED_PCHAR = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

// Separators, to one party or the other, once decoded; NUL, where a file's name ends in C.
const SEPARATOR = /[/\\\0]/;

// What a target cannot hold at all; a fragment is no part of one. RFC 9112 §3.2
const FOREIGN = /[^!-~]|#/;

/**
 * The normal form of a path that begins with a slash.
 *
 * @returns undefined where there is none: an escape that is malformed or not UTF-8, an escaped separator or NUL,
 *   a backslash, a fragment, a character beyond ASCII.
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
