/** Parses forms: bodies of the type `application/x-www-form-urlencoded`. §2.10 */
import qs from 'qs';
import type { UrlencodedOptions } from '../interface';

const DEFAULT_PARAMETER_LIMIT = 1000;
const DEFAULT_DEPTH = 32;
/** The lowest limit on the elements of an array in an extended form. */
const EXTENDED_ARRAY_LIMIT = 100;

/**
 * @returns A function that throws for a text that body-parser refuses; `undefined` for options that body-parser would
 *   convert first.
 */
export function compileFormParser(
  options: UrlencodedOptions | undefined,
): ((text: string) => Record<string, unknown>) | undefined {
  const isExtended = Boolean(options?.extended);
  const given = options?.parameterLimit === undefined ? DEFAULT_PARAMETER_LIMIT : options.parameterLimit;
  const depth = isExtended ? (options?.depth === undefined ? DEFAULT_DEPTH : options.depth) : 0;
  if (typeof given !== 'number' || typeof depth !== 'number') return undefined;

  const parameterLimit = Number.isFinite(given) ? given | 0 : given;
  const { charsetSentinel, interpretNumericEntities } = options ?? {};

  return (text) => {
    if (text.length === 0) return {};
    const count = countParameters(text, parameterLimit);
    if (count > parameterLimit) throw new RangeError('too many parameters');
    if (!charsetSentinel && !BRACKET.test(text)) return parseFlat(text);
    return qs.parse(text, {
      allowPrototypes: true,
      arrayLimit: isExtended ? Math.max(EXTENDED_ARRAY_LIMIT, count) : count,
      depth,
      charsetSentinel,
      interpretNumericEntities,
      charset: 'utf-8',
      parameterLimit,
      strictDepth: true,
    } as qs.IParseOptions & { decoder?: never });
  };
}

/** Counts the parameters of a form; stops when the count exceeds `limit`. */
function countParameters(text: string, limit: number): number {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0 && count <= limit; at = text.indexOf('&', at + 1)) count++;
  return count;
}

/**
 * Parses a form without brackets in one pass, with the same result as qs. It is linear for a repeated name; qs is
 * not.
 */
function parseFlat(text: string): Record<string, string | string[]> {
  const form: Record<string, string | string[]> = {};
  let equals = -1;
  for (let start = 0, end = 0; start <= text.length; start = end + 1) {
    end = indexOrEnd(text, '&', start);
    // The `=` may lie beyond `end` and belong to a later parameter. It is kept, so that each character is searched
    // once.
    if (equals < start) equals = indexOrEnd(text, '=', start);
    const isBare = equals >= end;
    const name = decode(text.slice(start, isBare ? end : equals));
    // qs ignores an empty name and `__proto__`, which would set the prototype.
    if (name === '' || name === '__proto__') continue;
    const value = isBare ? '' : decode(text.slice(equals + 1, end));
    const before = Object.hasOwn(form, name) ? form[name] : undefined;
    if (before === undefined) form[name] = value;
    else if (typeof before === 'string') form[name] = [before, value];
    else before.push(value);
  }
  return form;
}

/** Brackets, also escaped: qs decodes them before it looks for brackets. */
const BRACKET = /[[\]]|%5[bd]/i;

function indexOrEnd(text: string, mark: string, start: number): number {
  const index = text.indexOf(mark, start);
  return index < 0 ? text.length : index;
}

/** Decodes escapes; leaves an invalid one as it is. */
function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
