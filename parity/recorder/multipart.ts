/** Reads multipart bodies as busboy and multer do, to mask their fields. RFC 2046 §5.1, RFC 7578 */

/** Boundaries have at most 70 characters in RFC 2046. */
const MAX_BOUNDARY_LENGTH = 200;
const MAX_HEAD_LENGTH = 16_384;
const NAME = /[;\s]name\*?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/gi;

export interface Part {
  /** The headers, with the empty line behind them. */
  readonly head: string;
  /** All values of `name`: parsers differ in which one they use. */
  readonly names: readonly string[];
  readonly type: string | undefined;
  readonly transferEncoding: string | undefined;
  readonly content: Buffer;
}

/** What takes the place of a part. */
export interface Replacement {
  readonly head: string;
  readonly content: Buffer;
}

/** Finds the boundary in a Content-Type; without one, in a body that begins with a part. */
export function boundaryOf(type: string, text: string): string | undefined {
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(type) ?? [];
  if (/^multipart\//i.test(type)) return quoted ?? bare;
  return /^--([^\r\n]{1,200})\r?\ncontent-disposition:/im.exec(text)?.[1];
}

/**
 * Replaces the parts of a multipart body.
 *
 * @param outside Replaces the text before the first part and after the last one.
 * @returns `undefined` if the body has no part, or if a head is too long.
 */
export function replaceParts(
  body: Buffer,
  boundary: string,
  replace: (part: Part) => Replacement,
  outside: (text: string) => string,
): Buffer | undefined {
  if (boundary.length > MAX_BOUNDARY_LENGTH) return undefined;
  // One character for each byte.
  const text = body.toString('latin1');
  const delimiter = `--${Buffer.from(boundary).toString('latin1')}`;
  const pieces: Buffer[] = [];
  let start = 0;
  let isPart = false;
  let count = 0;
  const add = (end: number): boolean => {
    if (!isPart) {
      pieces.push(fromLatin1(outside(text.slice(start, end))));
      return true;
    }
    const part = partOf(text.slice(start, end));
    if (!part) return false;
    count++;
    const { head, content } = replace(part);
    pieces.push(fromLatin1(head), content);
    return true;
  };
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && text[at - 1] !== '\n') continue;
    let end = Math.max(start, at - 1);
    if (at > 0 && end > start && text[end - 1] === '\r') end--;
    if (!add(end)) return undefined;
    const lineEnd = text.indexOf('\n', at);
    const next = lineEnd < 0 ? text.length : lineEnd + 1;
    const isLast = text.startsWith('--', at + delimiter.length);
    pieces.push(fromLatin1(text.slice(end, next)));
    start = next;
    isPart = !isLast;
  }
  if (!add(text.length) || count === 0) return undefined;
  return Buffer.concat(pieces);
}

function partOf(text: string): Part | undefined {
  const found = /^\r?\n|\r?\n\r?\n/.exec(text);
  const length = found ? found.index + found[0].length : text.length;
  if (length > MAX_HEAD_LENGTH) return undefined;
  const head = text.slice(0, length);
  // The bytes of a name are UTF-8.
  const names = Array.from(head.matchAll(NAME), ([, quoted, bare = '']) =>
    fromLatin1(quoted?.replace(/\\(.)/g, '$1') ?? bare).toString(),
  ).map((name) => name.replace(/^utf-8''/i, ''));
  return {
    head,
    names,
    type: headerIn(head, 'content-type'),
    transferEncoding: headerIn(head, 'content-transfer-encoding')?.toLowerCase(),
    content: fromLatin1(text.slice(length)),
  };
}

function headerIn(head: string, name: string): string | undefined {
  const line = head.split('\n').find((one) => one.toLowerCase().startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim();
}

function fromLatin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
