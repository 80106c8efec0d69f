/**
 * Parses the source of a regular expression without the flag `u`, to match it in linear time. §9.3
 *
 * The parser supports the syntax that paths of Express 3 and 4 are compiled to, and most syntax that applications
 * write. It does not support back references, look-behind, or captures inside a look-ahead.
 */

export type Node =
  /** One character, tested by its own regular expression. */
  | { readonly kind: 'character'; readonly is: RegExp }
  | { readonly kind: 'assertion'; readonly type: '^' | '$' | '\\b' | '\\B' }
  | { readonly kind: 'look'; readonly part: Node; readonly isNegated: boolean }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'capture'; readonly index: number; readonly part: Node }
  | {
      readonly kind: 'repeat';
      readonly part: Node;
      readonly min: number;
      readonly max: number;
      /** Whether the repetition is lazy: fewer rounds are preferred. */
      readonly isLazy: boolean;
    };

/** Thrown for syntax that the parser does not support. */
class Unknown extends Error {}

const CLASS = /\[(?:[^\]\\]|\\[\s\S])*\]/y;
const ESCAPE = /\\(?:c[A-Za-z]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|0(?!\d)|[^\dckxu\n])/y;
const LITERAL = /[^\\^$*+?()[|]/y;
const COUNT = /\{(\d+)(,(\d*))?\}/y;

/**
 * Parses the source of a regular expression.
 *
 * @returns The root of the syntax tree; undefined if the source contains syntax that the parser does not support.
 */
export function parsePattern(source: string, flags: string): Node | undefined {
  let position = 0;
  let captures = 0;
  let lookDepth = 0;
  try {
    const root = parseChoice();
    return position === source.length ? root : undefined;
  } catch {
    return undefined;
  }

  function parseChoice(): Node {
    const first = parseSequence();
    if (source[position] !== '|') return first;
    const parts = [first];
    while (take('|')) parts.push(parseSequence());
    return { kind: 'choice', parts };
  }

  function parseSequence(): Node {
    const parts: Node[] = [];
    while (position < source.length && source[position] !== '|' && source[position] !== ')')
      parts.push(parseRepeat());
    return { kind: 'sequence', parts };
  }

  function parseRepeat(): Node {
    const part = parseAtom();
    const bounds = parseBounds();
    if (!bounds) return part;
    if (part.kind === 'assertion' || part.kind === 'look') throw new Unknown();
    const [min, max] = bounds;
    return { kind: 'repeat', part, min, max, isLazy: take('?') !== undefined };
  }

  function parseBounds(): [min: number, max: number] | undefined {
    if (take('*')) return [0, Number.POSITIVE_INFINITY];
    if (take('+')) return [1, Number.POSITIVE_INFINITY];
    if (take('?')) return [0, 1];
    const [count, min, comma, max] = takePattern(COUNT) ?? [];
    if (count === undefined) return undefined;
    return [Number(min), max ? Number(max) : comma ? Number.POSITIVE_INFINITY : Number(min)];
  }

  function parseAtom(): Node {
    for (const type of ['^', '$', '\\b', '\\B'] as const) if (take(type)) return { kind: 'assertion', type };
    if (take('(?=')) return parseLook(false);
    if (take('(?!')) return parseLook(true);
    if (take('(')) {
      const isCapture = take('?:') === undefined;
      if (isCapture && source[position] === '?' && !takePattern(GROUP_NAME)) throw new Unknown();
      const index = isCapture ? ++captures : 0;
      if (isCapture && lookDepth > 0) throw new Unknown();
      const part = parseGroup();
      return isCapture ? { kind: 'capture', index, part } : part;
    }
    const [character] = takePattern(CLASS) ?? takePattern(ESCAPE) ?? takePattern(LITERAL) ?? [];
    if (character === undefined) throw new Unknown();
    return { kind: 'character', is: new RegExp(`^${character}$`, flags) };
  }

  function parseLook(isNegated: boolean): Node {
    lookDepth++;
    const part = parseGroup();
    lookDepth--;
    return { kind: 'look', part, isNegated };
  }

  function parseGroup(): Node {
    const part = parseChoice();
    if (!take(')')) throw new Unknown();
    return part;
  }

  function take(text: string): string | undefined {
    if (!source.startsWith(text, position)) return undefined;
    position += text.length;
    return text;
  }

  function takePattern(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = position;
    const found = pattern.exec(source);
    if (!found) return undefined;
    position += found[0].length;
    return found;
  }
}

// Excludes "(?<=" and "(?<!", which begin a look-behind.
const GROUP_NAME = /\?<(?![=!])[^>]+>/y;

/** The nodes directly inside a node. */
function partsOf(node: Node): readonly Node[] {
  if ('parts' in node) return node.parts;
  return 'part' in node ? [node.part] : [];
}

/** Whether a node can match the empty text. */
export function isNullable(node: Node): boolean {
  switch (node.kind) {
    case 'character':
      return false;
    case 'choice':
      return node.parts.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.part);
    default:
      return node.kind === 'look' || partsOf(node).every(isNullable);
  }
}

/** Counts the repetitions in a node that can have more than one round. Returns `Infinity` if one contains another. */
export function countRepeats(node: Node): number {
  const inside = partsOf(node).reduce((sum, part) => sum + countRepeats(part), 0);
  if (node.kind !== 'repeat' || node.max <= 1) return inside;
  return inside === 0 ? 1 : Number.POSITIVE_INFINITY;
}

/** The numbers of the captures that a node contains. A look-ahead contains none. */
export function capturesIn(node: Node): number[] {
  const inside = partsOf(node).flatMap(capturesIn);
  return node.kind === 'capture' ? [node.index, ...inside] : inside;
}
