/**
 * Finds values again that were secret in one place: a token in `Authorization` is secret in a page, too. It knows only their
 * hashes, so that no secret stays in memory.
 */

/** A form of a value, as it may occur in a text. */
interface Form {
  /** How many characters come before its longest word. */
  readonly before: number;
  readonly length: number;
  readonly hash: string;
  /** What takes its place. */
  readonly replacement: string;
}

const WORD = /[\p{L}\p{N}]+/gu;
const WORD_CHARACTER = /[\p{L}\p{N}]/u;
/** The most forms that are known, and those with the same longest word. */
const MAX_FORMS = 20_000;
const MAX_FORMS_PER_WORD = 16;
/** A time or a date, which has digits but is no secret. */
const TIME = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$|^\w{3}, \d\d \w{3} \d{4} /;
/** A media type, the path of a page, or a URL. */
const NAME = /^(?:https?:\/\/|\/|[a-z]+\/[a-z.+-]+(?:;|$))/i;

/**
 * Whether a value is unlikely to occur anywhere else with another meaning.
 *
 * @param isStrong Whether its name is that of a secret, and not a word such as `key`.
 */
export function isDistinct(value: string, isStrong: boolean): boolean {
  if (value.length < 6 || TIME.test(value) || NAME.test(value)) return false;
  const [hasLetter, hasDigit] = [/\p{L}/u.test(value), /\d/.test(value)];
  const isOneWord = !/\s/.test(value);
  if (hasLetter && hasDigit && isOneWord) return value.length >= (isStrong ? 6 : 10);
  if (!hasLetter) return isStrong && value.replace(/\D/g, '').length >= 9;
  if (isOneWord && value.length >= 16 && /\p{Lu}/u.test(value) && /\p{Ll}/u.test(value)) return true;
  return isStrong && value.length >= 12;
}

export class KnownSecrets {
  readonly #hash: (text: string) => string;
  readonly #forms = new Map<number, Form[]>();
  readonly #hashes = new Set<string>();
  /** The hashes of longest words that were added since `takeNews`. */
  #news = new Set<number>();
  /** How many values were not added, because there was no room. */
  dropped = 0;

  /** @param hash Hashes a text with a salt. */
  constructor(hash: (text: string) => string) {
    this.#hash = hash;
  }

  get size(): number {
    return this.#hashes.size;
  }

  /** Adds a value with its replacement, also as it is in URLs, JSON, pages and Base64. */
  add(value: string, replacement: string): void {
    const isKnown = [...formsOf(value)].every((form) => this.#add(form, replacement));
    if (!isKnown) this.dropped++;
  }

  /** Returns the hashes of the longest words of values that were added since the last call. */
  takeNews(): ReadonlySet<number> {
    const news = this.#news;
    this.#news = new Set();
    return news;
  }

  /** Replaces the values in a text. Reads each word once. */
  replace(text: string): string {
    if (this.#hashes.size === 0) return text;
    let replaced = '';
    let copied = 0;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const forms = this.#forms.get(hashOfWord(word));
      if (!forms || index < copied) continue;
      const found = forms.find((form) => this.#isAt(text, index - form.before, copied, form));
      if (!found) continue;
      const start = index - found.before;
      replaced += text.slice(copied, start) + found.replacement;
      copied = start + found.length;
    }
    return replaced + text.slice(copied);
  }

  #isAt(text: string, start: number, from: number, { length, hash }: Form): boolean {
    const end = start + length;
    if (start < from || end > text.length || isInWord(text, start) || isInWord(text, end)) return false;
    return this.#hash(text.slice(start, end)) === hash;
  }

  /** @returns Whether the form is known now. */
  #add(form: string, replacement: string): boolean {
    const [word] = (form.match(WORD) ?? []).sort((a, b) => b.length - a.length);
    if (word === undefined) return true;
    const hash = this.#hash(form);
    if (this.#hashes.has(hash)) return true;
    const key = hashOfWord(word);
    const forms = this.#forms.get(key) ?? [];
    if (forms.length >= MAX_FORMS_PER_WORD || this.#hashes.size >= MAX_FORMS) return false;
    this.#hashes.add(hash);
    forms.push({ before: form.indexOf(word), length: form.length, hash, replacement });
    // A longer value may begin with a shorter one.
    forms.sort((a, b) => b.length - a.length);
    this.#forms.set(key, forms);
    this.#news.add(key);
    return true;
  }
}

/** Whether a position is between two characters of one word. */
function isInWord(text: string, at: number): boolean {
  return (
    at > 0 &&
    at < text.length &&
    WORD_CHARACTER.test(text[at - 1] ?? '') &&
    WORD_CHARACTER.test(text[at] ?? '')
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": '#39',
};

/** What pages and XML escape; some leave quotes or `>`. */
const ESCAPED = [/[&<>"']/g, /[&<>"]/g, /[&<>]/g, /[&<"]/g, /[&<]/g];

/** Returns a value as it is written in texts, URLs, JSON, pages and Base64. */
function formsOf(value: string): Set<string> {
  // A lone surrogate, which `encodeURIComponent` refuses, becomes U+FFFD.
  const bytes = Buffer.from(value);
  const encoded = encodeURIComponent(bytes.toString());
  return new Set([
    value,
    encoded,
    encoded.replaceAll('%20', '+'),
    JSON.stringify(value).slice(1, -1),
    ...ESCAPED.flatMap((characters) => [
      value.replace(characters, (char) => `&${ENTITIES[char]};`),
      value.replace(characters, (char) => `&#${char.charCodeAt(0)};`),
    ]),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ]);
}

/** FNV-1a */
function hashOfWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Remembers which words a file has, in a fixed amount of memory: it may say yes for a word that the file does not have. */
export class WordFilter {
  readonly #bits: Uint8Array;

  /** @param bytes A power of two. */
  constructor(bytes: number) {
    this.#bits = new Uint8Array(bytes);
  }

  add(text: string): void {
    for (const [word] of text.matchAll(WORD)) {
      const hash = hashOfWord(word);
      for (const bit of this.#positions(hash))
        this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  /** @param hash The hash of a word. */
  mayHave(hash: number): boolean {
    return this.#positions(hash).every((bit) => ((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0);
  }

  #positions(hash: number): [number, number] {
    const last = this.#bits.length * 8 - 1;
    return [hash & last, (Math.imul(hash, 0x9e3779b1) >>> 0) & last];
  }
}
