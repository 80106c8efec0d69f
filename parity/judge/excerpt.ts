/** Shortens two long values to the text around their first difference. */

/** Two values of at most this many characters are shown whole. */
const WHOLE = 800;
const BEFORE = 160;
const BEHIND = 320;

/**
 * Shortens two values to the text around their first difference, and appends the position of that text.
 *
 * @param whole If neither value has more characters, both are returned unchanged; default 800.
 */
export function excerpt(
  expected: string,
  actual: string,
  whole: number = WHOLE,
): [expected: string, actual: string] {
  if (expected.length <= whole && actual.length <= whole) return [expected, actual];
  const most = Math.min(expected.length, actual.length);
  let at = 0;
  while (at < most && expected[at] === actual[at]) at++;
  const from = Math.max(0, at - BEFORE);
  return [cut(expected, from, at), cut(actual, from, at)];
}

function cut(text: string, from: number, at: number): string {
  if (text.length <= BEHIND && from === 0) return text;
  const to = Math.min(text.length, at + BEHIND);
  const [before, behind] = [from > 0 ? '… ' : '', to < text.length ? ' …' : ''];
  return `${before}${text.slice(from, to)}${behind} (characters ${from + 1} to ${to} of ${text.length})`;
}
