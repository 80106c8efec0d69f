/**
 * The one spelling of a path. §2.2 `strict paths` · RFC 3986 §3.3, §6.2.2
 *
 * A router compares paths as sent, a file system decoded and joined. Both read the normal form alike: every character
 * that a segment may contain plainly is plain, every other is the upper-case escape of its UTF-8 bytes, and no segment
 * is empty, `.` or `..`, except after a trailing slash.
 */

// *( "/" *pchar ) without escapes, and (by the look-ahead) without an empty segment or one that begins with a dot;
// linear: each position is tried once.
const PLAIN = /^(?:\/(?![/.])[\w.~!$&'()*+,;=:@-]*)+$/;

// Characters that encodeURIComponent escapes although a segment may contain them: RFC 3986 pchar.
const ESCAPED_PCHAR = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

// Characters that some parser treats as separators once decoded; NUL, which ends a file name in C.
const SEPARATOR = /[/\\\0]/;

// Characters that a target cannot contain; a fragment is not part of one. RFC 9112 §3.2
const FOREIGN = /[^!-~]|#/;

/**
 * The normal form of a path that begins with a slash.
 *
 * @returns undefined if there is none: a malformed or non-UTF-8 escape, an escaped separator or NUL, a backslash,
 *   a fragment, a non-ASCII character.
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
