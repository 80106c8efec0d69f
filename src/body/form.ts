/** Parses forms: bodies of the type `application/x-www-form-urlencoded`. §2.10 */
import qs from 'qs';
import { countParameters, hasBrackets, parseFlat } from '../http/urlencoded';
import type { UrlencodedOptions } from '../interface';

const DEFAULT_PARAMETER_LIMIT = 1000;
const DEFAULT_DEPTH = 32;
/** With `extended: true`, body-parser passes qs at least this `arrayLimit`. */
const EXTENDED_ARRAY_LIMIT = 100;

/**
 * Compiles the options of `urlencoded` to a parser. The parser throws for a text that body-parser refuses.
 *
 * @returns The parser; undefined if `parameterLimit` or `depth` is not a number, because body-parser converts such
 *   values.
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
    if (!charsetSentinel && !hasBrackets(text)) return parseFlat(text);
    return qs.parse(text, {
      allowPrototypes: true,
      arrayLimit: isExtended ? Math.max(EXTENDED_ARRAY_LIMIT, count) : count,
      depth,
      charsetSentinel,
      interpretNumericEntities,
      charset: 'utf-8',
      parameterLimit,
      strictDepth: true,
    });
  };
}
