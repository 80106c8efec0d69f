/**
 * A regular expression → what it is made of: enough of the syntax for the paths that 3.x programs write. §9.3
 */

export type Node =
  /** One character, told by a regular expression of its own. */
  | { readonly kind: 'character'; readonly is: RegExp }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly kind: 'capture'; readonly index: number; readonly part: Node }
  | {
      readonly kind: 'repeat';
      readonly part: Node;
      readonly min: 0 | 1;
      readonly max: 1 | typeof Infinity;
      /** As few as possible come first. */
      readonly isLazy: boolean;
    };

/** Thrown below for syntax that is not known here: boundaries, back references, look-around, counts. */
class Unknown extends Error {}

// "\" of a class, a control character or punctuation / a class / any other character without a meaning.
const CHARACTER =
  /\\(?:[dswDSWfnrtv]|[^\w\n])|\[\^?(?:[^\]\\]|\\[dswDSWfnrtv]|\\[^\w\n])+\]|[^\\^$*+?()[\]{}|]/y;

/** @returns undefined for a source that holds other syntax. */
export function parsePattern(source: string, flags: string): Node | undefined {
  let position = 0;
  let captures = 0;
  try {
    const root = parseChoice();
    return position === source.length ? root : undefined;
  } catch {
    return undefined;
  }

  function parseChoice(): Node {
    const parts = [parseSequence()];
    while (take('|')) parts.push(parseSequence());
    return parts.length === 1 ? (parts[0] as Node) : { kind: 'choice', parts };
  }

  function parseSequence(): Node {
    const parts: Node[] = [];
    while (position < source.length && source[position] !== '|' && source[position] !== ')')
      parts.push(parseRepeat());
    return { kind: 'sequence', parts };
  }

  function parseRepeat(): Node {
    const before = captures;
    const part = parseAtom();
    const mark = take('*') ?? take('+') ?? take('?');
    if (!mark) return part;
    const max = mark === '?' ? 1 : Number.POSITIVE_INFINITY;
    // What a group captured is forgotten in each round: nothing that is done here.
    if (max > 1 && captures > before) throw new Unknown();
    return { kind: 'repeat', part, min: mark === '+' ? 1 : 0, max, isLazy: take('?') !== undefined };
  }

  function parseAtom(): Node {
    if (take('(')) {
      const index = take('?:') ? undefined : ++captures;
      const part = parseChoice();
      if (!take(')')) throw new Unknown();
      return index === undefined ? part : { kind: 'capture', index, part };
    }
    CHARACTER.lastIndex = position;
    const [character] = CHARACTER.exec(source) ?? [];
    if (character === undefined) throw new Unknown();
    position += character.length;
    return { kind: 'character', is: new RegExp(`^${character}$`, flags) };
  }

  function take(text: string): string | undefined {
    if (!source.startsWith(text, position)) return undefined;
    position += text.length;
    return text;
  }
}

/** How many parts repeat without a bound; infinitely many, when one is inside another. */
export function countUnbounded(node: Node): number {
  switch (node.kind) {
    case 'character':
      return 0;
    case 'sequence':
    case 'choice':
      return node.parts.reduce((sum, part) => sum + countUnbounded(part), 0);
    case 'capture':
      return countUnbounded(node.part);
    case 'repeat':
      if (node.max === 1) return countUnbounded(node.part);
      return countUnbounded(node.part) === 0 ? 1 : Number.POSITIVE_INFINITY;
  }
}
