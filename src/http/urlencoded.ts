/**
 * Parses forms and query strings (`application/x-www-form-urlencoded`) without nested names. §2.10, §2.2 `query parser`
 */

/** The default limit of qs for the elements of an array. */
const ARRAY_LIMIT = 20;

/**
 * Fast path: parses a query string with at most twenty parameters and without brackets.
 *
 * @returns The same result as qs; undefined if qs must parse the value.
 */
export function parseSimpleQuery(query: unknown): Record<string, string | string[]> | undefined {
  if (typeof query !== 'string' || hasBrackets(query) || countParameters(query, ARRAY_LIMIT) > ARRAY_LIMIT)
    return undefined;
  return parseFlat(query);
}

/** Counts the parameters; stops when the count exceeds `limit`. */
export function countParameters(text: string, limit: number): number {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0 && count <= limit; at = text.indexOf('&', at + 1)) count++;
  return count;
}

/** Parses a text without brackets as qs does, but in linear time even if a name is repeated. */
export function parseFlat(text: string): Record<string, string | string[]> {
  const parameters: Record<string, string | string[]> = {};
  let equals = -1;
  for (let start = 0, end = 0; start <= text.length; start = end + 1) {
    end = indexOrEnd(text, '&', start);
    // The `=` may be after `end`, in a later parameter. Its position is kept for that parameter, so that each character
    // is searched once.
    if (equals < start) equals = indexOrEnd(text, '=', start);
    const isBare = equals >= end;
    const name = decode(text.slice(start, isBare ? end : equals));
    // qs ignores an empty name and `__proto__`, which would set the prototype.
    if (name === '' || name === '__proto__') continue;
    const value = isBare ? '' : decode(text.slice(equals + 1, end));
    const before = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (before === undefined) parameters[name] = value;
    else if (typeof before === 'string') parameters[name] = [before, value];
    else before.push(value);
  }
  return parameters;
}

/** Whether a text contains brackets. Escaped brackets count, because qs decodes them before it looks for brackets. */
export function hasBrackets(text: string): boolean {
  return BRACKET.test(text);
}

const BRACKET = /[[\]]|%5[bd]/i;

function indexOrEnd(text: string, mark: string, start: number): number {
  const index = text.indexOf(mark, start);
  return index < 0 ? text.length : index;
}

/** Decodes `+` and percent escapes. If an escape is invalid, all escapes stay as they are. */
function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
