/**
 * Compares the shape of values that differ in each run, such as ids, tokens, signatures and times: their length, their
 * characters, and whether they vary at all. Their text cannot be compared.
 *
 * A difference counts only if every run of the candidate shows it, and the judge then repeats the runs. So random values
 * that share a shape by accident, such as numbers with equally many digits, cause no difference.
 */
import { unescape as decodePercent } from 'node:querystring';

/** Splits a text into tokens and the characters between them. `.` separates the parts of signed tokens. */
const TOKEN = /[\w+/~-]+={0,2}|[^\w+/~-]/g;
const NUMBER = /^\d+$/;
/** From the narrowest to the widest. Without base62: five tokens in base64 may happen to be in it, too. */
const ALPHABETS = [NUMBER, /^[\da-f]+$/, /^[\dA-F]+$/, /^[\da-f-]+$/, /^[\da-z]+$/];
/** Tokens below these lengths are words, counts or durations. */
const [MIN_TOKEN_LENGTH, MIN_NUMBER_LENGTH, MIN_ALPHABET_LENGTH] = [8, 10, 16];
/** From this length on, a number that always has the same number of digits may be a random code. */
const MIN_CODE_LENGTH = 4;
/** A code that is a digit shorter is ten times smaller on average; durations of equal work are not four times shorter. */
const MIN_RATIO = 4;
/** The minimum length of a common beginning, such as `s:` and the digits of a time in a signed cookie. */
const BEGINNING = 4;

/**
 * Whether the values of the candidate have another shape than those of the baseline.
 *
 * @param a The values of one place in each run of the baseline.
 * @param b Those of the candidate.
 */
export function differInShape(a: readonly string[], b: readonly string[]): boolean {
  const [ours, theirs] = [a.map(tokensOf), b.map(tokensOf)];
  const [first = []] = ours;
  const [actual = []] = theirs;
  const isVarying = (runs: readonly string[][], { length }: readonly string[]): boolean =>
    runs.some((tokens) => tokens.length !== length);
  if (isVarying(ours, first) || isVarying(theirs, actual)) return false;
  if (first.length !== actual.length) return true;
  return first.some((token, index) => {
    const at = (tokens: readonly string[]): string => tokens[index] ?? '';
    // The fraction of a number has as many digits as it needs.
    const isFraction = first[index - 1] === '.' && NUMBER.test(first[index - 2] ?? '') && NUMBER.test(token);
    return !isFraction && isOtherShape(ours.map(at), theirs.map(at));
  });
}

function tokensOf(text: string): string[] {
  return decodePercent(text).match(TOKEN) ?? [];
}

function isOtherShape(a: readonly string[], b: readonly string[]): boolean {
  const paths = [...a, ...b].map((value) => value.split('/'));
  if (arePaths(paths)) {
    const at = (index: number): string[] => paths.map((path) => path[index] ?? '');
    return (paths[0] ?? []).some((_segment, index) =>
      isOtherShape(at(index).slice(0, a.length), at(index).slice(a.length)),
    );
  }
  const [first = ''] = a;
  const shortest = Math.min(...a.map(({ length }) => length));
  if (new Set(a).size === 1) return false;
  if (isOtherCode(a, b)) return true;
  if (shortest < (NUMBER.test(first) ? MIN_NUMBER_LENGTH : MIN_TOKEN_LENGTH)) return false;
  const isFixed = a.every(({ length }) => length === first.length);
  if (isFixed && b.every(({ length }) => length !== first.length)) return true;
  const begins = beginningOf(a);
  if (begins.length >= BEGINNING && b.every((value) => !value.startsWith(begins.slice(0, BEGINNING))))
    return true;
  const alphabet = ALPHABETS.find((one) => a.every((value) => one.test(value)));
  if (shortest >= MIN_ALPHABET_LENGTH && alphabet && b.every((value) => !alphabet.test(value))) return true;
  const isConstant = b.length > 1 && new Set(b).size === 1;
  // A clock may stand still in the runs of the candidate, but then a run of the baseline between them has the same time.
  return isConstant && new Set(a).size === a.length && !a.includes(b[0] as string);
}

/** Whether all are paths with a common word, so that each segment has a shape of its own. */
function arePaths(values: readonly string[][]): boolean {
  const [first = []] = values;
  return (
    first.length > 1 &&
    values.every(({ length }) => length === first.length) &&
    first.some((segment, index) => /[a-z]/i.test(segment) && values.every((path) => path[index] === segment))
  );
}

/** Whether both sides are random numbers, each side with the same number of digits in all runs, but not the other's. */
function isOtherCode(a: readonly string[], b: readonly string[]): boolean {
  if (![...a, ...b].every((value) => NUMBER.test(value))) return false;
  const [ours, theirs] = [a, b].map((values) => new Set(values.map(({ length }) => length))) as [
    Set<number>,
    Set<number>,
  ];
  const [[expected = 0], [actual = 0]] = [[...ours], [...theirs]];
  if (ours.size > 1 || theirs.size > 1 || expected === actual || expected < MIN_CODE_LENGTH) return false;
  return Math.abs(meanLogarithm(a) - meanLogarithm(b)) >= Math.log(MIN_RATIO);
}

function meanLogarithm(values: readonly string[]): number {
  return values.reduce((sum, value) => sum + Math.log(Math.max(1, Number(value))), 0) / values.length;
}

/** Returns the characters with which all values begin. */
function beginningOf([first = '', ...others]: readonly string[]): string {
  let length = 0;
  while (length < first.length && others.every((value) => value[length] === first[length])) length++;
  return first.slice(0, length);
}
