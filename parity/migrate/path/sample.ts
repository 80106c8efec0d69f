/**
 * Generates texts for a regular expression. Assertions such as `(?=…)` are ignored, so a text does not always match;
 * the caller must check it.
 */

type Random = () => number;
/** Generates a text for one part of the expression. */
type Node = (random: Random) => string;

/** Characters of all kinds that a request target may contain, with letters in both cases. */
const CHARACTERS = [..."abcxyzABZ0159-._~!$&'()*+,;=:@%7C/"];
const WORD = [...'abcxyzABZ0159_'];
const DIGITS = [...'0123456789'];
/** The maximum number of repetitions for `*`, `+` and `{n,}`, unless `n` is larger. */
const MAX_REPETITIONS = 3;

/**
 * Parses a regular expression.
 *
 * @param source The source of a regular expression.
 * @returns A function that generates one text.
 */
export function sampler(source: string): Node {
  const reader = new Reader(source);
  return reader.alternatives();
}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  alternatives(): Node {
    const branches = [this.#sequence()];
    while (this.#take('|')) branches.push(this.#sequence());
    return (random) => pick(branches, random)(random);
  }

  #sequence(): Node {
    const nodes: Node[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#next())) nodes.push(this.#quantified());
    return (random) => nodes.map((node) => node(random)).join('');
  }

  #quantified(): Node {
    const node = this.#atom();
    const [text, least = '', comma = '', most = ''] =
      /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    if (text === undefined) return node;
    this.#at += text.length;
    const low = text[0] === '+' ? 1 : Number(least);
    const high =
      text[0] === '?'
        ? 1
        : text[0] === '{' && !comma
          ? low
          : most
            ? Number(most)
            : Math.max(low, MAX_REPETITIONS);
    return (random) =>
      Array.from({ length: low + Math.floor(random() * (high - low + 1)) }, () => node(random)).join('');
  }

  #atom(): Node {
    if (this.#take('(')) return this.#group();
    if (this.#take('[')) return this.#class();
    const character = this.#next();
    this.#at++;
    if (character === '\\') return oneOf(this.#escaped());
    if (character === '^' || character === '$') return () => '';
    return character === '.' ? oneOf(CHARACTERS) : () => character;
  }

  #group(): Node {
    const [kind] = /^\?(?:[:=!]|<[=!]|<[^>]*>)/.exec(this.#source.slice(this.#at)) ?? [''];
    this.#at += kind.length;
    const node = this.alternatives();
    this.#take(')');
    return /^\?<?[=!]$/.test(kind) ? () => '' : node;
  }

  #class(): Node {
    const isNegated = this.#take('^');
    const members = new Set<string>();
    while (this.#at < this.#source.length && this.#next() !== ']') {
      const first = this.#member();
      if (first.length === 1 && this.#next() === '-' && this.#source[this.#at + 1] !== ']') {
        this.#at++;
        for (const one of between(first[0], this.#member()[0])) members.add(one);
      } else for (const one of first) members.add(one);
    }
    this.#take(']');
    return oneOf(isNegated ? CHARACTERS.filter((one) => !members.has(one)) : [...members]);
  }

  #member(): readonly string[] {
    const character = this.#next();
    this.#at++;
    return character === '\\' ? this.#escaped() : [character];
  }

  /** Reads an escape such as `\d` after its backslash, and returns the characters that it matches. */
  #escaped(): readonly string[] {
    const character = this.#next();
    this.#at++;
    if (character === 'd') return DIGITS;
    if (character === 'w') return WORD;
    if (character === 'D') return CHARACTERS.filter((one) => !DIGITS.includes(one));
    if (character === 'W') return CHARACTERS.filter((one) => !WORD.includes(one));
    if (character === 'S') return CHARACTERS;
    if (character === 'b' || character === 'B') return [''];
    const [hex] = /^(?:x[\da-f]{2}|u[\da-f]{4})/i.exec(this.#source.slice(this.#at - 1)) ?? [];
    if (hex === undefined) return [character];
    this.#at += hex.length - 1;
    return [String.fromCharCode(Number.parseInt(hex.slice(1), 16))];
  }

  #next(): string {
    return this.#source[this.#at] ?? '';
  }

  #take(character: string): boolean {
    const isThere = this.#next() === character;
    if (isThere) this.#at++;
    return isThere;
  }
}

function between(first = '', last = ''): string[] {
  const from = first.charCodeAt(0);
  const length = Math.max(0, Math.min(128, last.charCodeAt(0) - from + 1));
  return Array.from({ length }, (_, index) => String.fromCharCode(from + index));
}

function oneOf(texts: readonly string[]): Node {
  return (random) => (texts.length > 0 ? pick(texts, random) : '');
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)] as T;
}
