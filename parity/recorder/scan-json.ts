/** Masks the secrets in a JSON text, and keeps all other characters: spaces, repeated members, the form of numbers. */
import type { Secrecy } from './secret-names';

export interface JsonMasking {
  readonly names: { secrecyOf(name: string): Secrecy | undefined };
  /** Replaces the value of a secret. `isStrong` says whether its name certainly is that of a secret. */
  mask(value: string, isStrong: boolean): string;
  /** Masks the secrets inside a string or number that is no secret by its name. */
  scrub(value: string): string;
}

interface Container {
  /** Whether a secret name, here or above, has this object or array as value. */
  readonly isHidden: boolean;
  readonly isStrong: boolean;
  readonly isArray: boolean;
  /** Whether this is an array in an array, as lists of headers have them: `[["x-api-key","…"]]`. */
  readonly isPair: boolean;
  hasComma: boolean;
  /** Whether the member `name`, or the first item of a pair, names a secret: `{"name":"password","value":"…"}`. */
  namesSecret: boolean;
}

const TOP: Container = {
  isHidden: false,
  isStrong: false,
  isArray: false,
  isPair: false,
  hasComma: false,
  namesSecret: false,
};
const NUMBER = /-?\d[\d.eE+-]*/y;

/** Whether a text is a JSON object or array. */
export function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @param text Valid JSON. A secret number becomes 0; `true`, `false` and `null` stay. */
export function maskJson(text: string, { names, mask, scrub }: JsonMasking): string {
  const stack: Container[] = [];
  let inside = TOP;
  let key = '';
  let isHidden = false;
  let isStrong = false;
  let masked = '';
  let copied = 0;
  const replace = (from: number, to: number, value: string): void => {
    masked += text.slice(copied, from) + value;
    copied = to;
  };
  let at = 0;
  while (at < text.length) {
    const char = text[at] as string;
    if (char === '"') {
      const end = closingQuote(text, at, '"') + 1;
      const value = JSON.parse(text.slice(at, end)) as string;
      const colon = skipSpaces(text, end);
      if (text[colon] === ':') {
        key = value;
        const secrecy = names.secrecyOf(key);
        const isValue = inside.namesSecret && key === 'value';
        isHidden = inside.isHidden || secrecy !== undefined || isValue;
        isStrong = inside.isStrong || secrecy === 'strong' || isValue;
        at = colon + 1;
        continue;
      }
      const isName = inside.isPair ? !inside.hasComma : /^(?:name|field|header)$/i.test(key);
      if (isName && names.secrecyOf(value)) inside.namesSecret = true;
      const shown = isHidden ? mask(value, isStrong) : scrub(value);
      if (shown !== value) replace(at, end, JSON.stringify(shown));
      at = end;
      continue;
    }
    if (char === '{' || char === '[') {
      stack.push(inside);
      const isArray = char === '[';
      const isPair = isArray && inside.isArray;
      inside = { isHidden, isStrong, isArray, isPair, hasComma: false, namesSecret: false };
      key = '';
    } else if (char === '}' || char === ']') {
      inside = stack.pop() ?? TOP;
    } else if (char === ',') {
      inside.hasComma = true;
      isHidden = inside.isHidden || (inside.isPair && inside.namesSecret);
      isStrong = isHidden;
      key = '';
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = at;
      const [number = char] = NUMBER.exec(text) ?? [];
      // A hidden number may be found elsewhere, too.
      if (isHidden ? mask(number, isStrong) !== '' : scrub(number) !== number)
        replace(at, at + number.length, '0');
      at += number.length;
      continue;
    }
    at++;
  }
  return masked + text.slice(copied);
}

/** Returns the index of the quote that ends a string; the length of the text if none does. */
export function closingQuote(text: string, start: number, quote: string): number {
  for (let at = text.indexOf(quote, start + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (slashesBefore(text, at, start + 1) % 2 === 0) return at;
  }
  return text.length;
}

/** Counts the backslashes directly before an index, at most down to `from`. */
export function slashesBefore(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && text[start - 1] === '\\') start--;
  return at - start;
}

export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return at;
}
