/**
 * Forms: the text of `application/x-www-form-urlencoded`. §2.10
 */
import type { OptionsUrlencoded } from 'body-parser';
import qs from 'qs';

/** Those of body-parser that @types/body-parser does not know too. */
interface FormOptions extends OptionsUrlencoded {
  charsetSentinel?: boolean;
  depth?: number;
  interpretNumericEntities?: boolean;
}

const DEFAULT_PARAMETER_LIMIT = 1000;
const DEFAULT_DEPTH = 32;
/** Elements an array of an extended form may have, where the parameters are fewer. */
const EXTENDED_ARRAY_LIMIT = 100;

/**
 * @returns A function that throws for a text body-parser refuses. Nothing, where body-parser converts an
 *   option that is not of its type.
 */
export function compileFormParser(
  options: FormOptions | undefined,
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
    const flat = charsetSentinel ? undefined : parseFlat(text);
    if (flat) return flat;
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

/** The number of parameters; once past `limit` no further. */
function countParameters(text: string, limit: number): number {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0 && count <= limit; at = text.indexOf('&', at + 1)) count++;
  return count;
}

/**
 * A form without brackets, all names different: what qs makes of it, in one pass. Two thirds of its time
 * on a form of 1 kB.
 *
 * @returns Nothing for any other form.
 */
function parseFlat(text: string): Record<string, unknown> | undefined {
  if (BRACKET.test(text)) return undefined;
  const form: Record<string, unknown> = {};
  let equals = -1;
  for (let start = 0, end = 0; start <= text.length; start = end + 1) {
    end = indexOrEnd(text, '&', start);
    // One found past `end` serves a later parameter: the pass stays linear.
    if (equals < start) equals = indexOrEnd(text, '=', start);
    const isBare = equals >= end;
    const name = decode(text.slice(start, isBare ? end : equals));
    // `__proto__` would set the prototype; qs drops it, and the nameless too.
    if (name === '__proto__' || Object.hasOwn(form, name)) return undefined;
    if (name !== '') form[name] = isBare ? '' : decode(text.slice(equals + 1, end));
  }
  return form;
}

function indexOrEnd(text: string, mark: string, start: number): number {
  const index = text.indexOf(mark, start);
  return index < 0 ? text.length : index;
}

const BRACKET = /[[\]]|%5[bd]/i;

/** What is not a valid escape stays as it is. */
function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
