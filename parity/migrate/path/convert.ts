/**
 * Converts paths of Express 4 to Express 5. A new path, which may be a regular expression, is returned only if the
 * routers of both versions match the same generated targets.
 */
import { candidatesFor } from './candidates';
import { compileWith, type Found, type Framework, type Match, regExpWith, type Use } from './matcher';
import { drawTargets } from './targets';

/** Where a path is used. */
export interface Place {
  /** True for a route, false for `use`. */
  readonly end: boolean;
  /** The possible values of the router's option `caseSensitive`; both if it is not known. */
  readonly sensitive: readonly boolean[];
  /** The possible values of the router's option `strict`; both if it is not known. */
  readonly strict: readonly boolean[];
  /** Whether a handler may read parameters by number. If not, numbered parameters may differ. */
  readonly readsNumbers: boolean;
}

/** The number of compared targets, and how many of them the path matches. */
export interface Proof {
  readonly targets: number;
  readonly matched: number;
}

export type Conversion =
  | ({ readonly kind: 'same' } & Proof)
  | ({ readonly kind: 'string'; readonly path: string } & Proof)
  | ({ readonly kind: 'regexp'; readonly path: RegExp } & Proof)
  | { readonly kind: 'refused'; readonly why: string };

export interface Frameworks {
  readonly express4: Framework;
  readonly express5: Framework;
}

/** A comparison ends after this many targets that match and this many that do not, or when `drawTargets` ends. */
const ENOUGH = 50;

/** The seeds for targets. String paths are compared with all seeds, because Express 5 has another matcher for them. */
const SEEDS = [1, 2, 3, 4];

/**
 * Finds a path that matches in Express 5 like `path` in Express 4.
 *
 * @returns The path for Express 5, or the reason why there is none.
 * @throws TypeError if `place` has no value for a router option.
 */
export function convertPath(path: string, place: Place, frameworks: Frameworks): Conversion {
  const uses = usesOf(place);
  const [use] = uses;
  if (!use) throw new TypeError('a place must have at least one value of each router option');
  let old: ReturnType<typeof regExpWith>;
  try {
    old = regExpWith(frameworks.express4, path, use);
  } catch (error) {
    return { kind: 'refused', why: `Express 4 itself refuses it: ${(error as Error).message}` };
  }
  if (seemsSlow(old.regexp.source)) return { kind: 'refused', why: SLOW };
  for (const candidate of isBeyondProof(path) ? [] : [path, ...candidatesFor(path)]) {
    const proof = proveOften(path, candidate, place, frameworks);
    if (!proof) continue;
    return candidate === path ? { kind: 'same', ...proof } : { kind: 'string', path: candidate, ...proof };
  }
  if (uses.length > 1)
    return {
      kind: 'refused',
      why: 'only a regular expression can express it, and the options of the router (strict, caseSensitive) are not known',
    };
  const regexp = toRegExp(old);
  if (regexp === undefined)
    return { kind: 'refused', why: 'a regular expression cannot name its parameters' };
  const proof = prove(path, regexp, use, frameworks, { isLoose: false });
  if (proof) return { kind: 'regexp', path: regexp, ...proof };
  return { kind: 'refused', why: 'Express 5 matches it differently, as a path and as a regular expression' };
}

/**
 * Whether `candidate` matches generated targets in Express 5 like `path` in Express 4. False for a path that generated
 * targets cannot prove.
 */
export function isConverted(path: string, candidate: string, place: Place, frameworks: Frameworks): boolean {
  return !isBeyondProof(path) && proveOften(path, candidate, place, frameworks) !== undefined;
}

function proveOften(
  path: string,
  candidate: string,
  place: Place,
  frameworks: Frameworks,
): Proof | undefined {
  const isLoose = !place.readsNumbers;
  return smallest(
    usesOf(place).flatMap((use) =>
      SEEDS.map((seed) => () => prove(path, candidate, use, frameworks, { isLoose, seed })),
    ),
  );
}

function usesOf({ end, sensitive, strict }: Place): Use[] {
  return sensitive.flatMap((one) => strict.map((other): Use => ({ end, sensitive: one, strict: other })));
}

/**
 * Whether generated targets cannot prove a conversion. Express 4 and 5 divide some text by different rules, which agree
 * on most targets. This affects two parameters in one segment or with one name, optional text in a segment with a
 * parameter, and a backslash in a path with parameters. Here `*` counts as a parameter.
 */
function isBeyondProof(path: string): boolean {
  const names = path.match(/:\w+/g) ?? [];
  if (new Set(names).size < names.length || (path.includes('\\') && /[:*]/.test(path))) return true;
  return path.split('/').some((segment) => {
    const parameters = segment.match(/:\w+|\*/g) ?? [];
    return parameters.length > 1 || (parameters.length > 0 && /\?/.test(segment.replace(/:\w+\?/, '')));
  });
}

const SLOW = 'a client can make matching it take exponential time (a repetition within a repetition)';

/** Whether a regular expression repeats a group that ends with a repetition: `(a+)+`. It may take exponential time. */
function seemsSlow(source: string): boolean {
  return /[*+}]\)+(?:[*+]|\{\d+,)/.test(source);
}

/**
 * Compares how Express 4 and 5 match targets that are generated for both paths.
 *
 * @param options `isLoose` ignores numbered parameters and parameters that only the new path has. `seed` selects the
 *   targets; default 1.
 * @returns Undefined if a target matches differently, or if a version refuses its path.
 */
export function prove(
  path: string,
  candidate: string | RegExp,
  use: Use,
  { express4, express5 }: Frameworks,
  { isLoose = false, seed = 1 }: { isLoose?: boolean; seed?: number } = {},
): Proof | undefined {
  let before: Match;
  let after: Match;
  let source: string;
  try {
    before = compileWith(express4, path, use);
    after = compileWith(express5, candidate, use);
    ({ source } = regExpWith(express4, path, use).regexp);
  } catch {
    return undefined;
  }
  const sources = candidate instanceof RegExp ? [source] : [source, looksOf(candidate)];
  let [matched, others, isEqual] = [0, 0, true];
  drawTargets(path, sources, seed, (target) => {
    const found = before(target);
    isEqual = isSame(found, after(target), isLoose);
    if (found) matched++;
    else others++;
    return !isEqual || (matched >= ENOUGH && others >= ENOUGH);
  });
  return isEqual ? { targets: matched + others, matched } : undefined;
}

/**
 * Makes an approximate regular expression for a path of Express 5. It generates targets that the new path may match,
 * but the old path does not.
 */
function looksOf(path: string): string {
  return path.replace(/\\.|[:*](?:"[^"]*"|[\w$]+)|[{}]|[^\w/\-{}\\:*]/g, (text) => {
    if (text[0] === '\\' || text.length === 1) {
      if (text === '{') return '(?:';
      if (text === '}') return ')?';
      return `\\${text.at(-1)}`;
    }
    return text[0] === ':' ? '[^/]+' : '.+';
  });
}

function isSame(before: ReturnType<Match>, after: ReturnType<Match>, isLoose: boolean): boolean {
  if (!before || !after || before === 'malformed' || after === 'malformed') return before === after;
  return before.path === after.path && hasSameParams(before, after, isLoose);
}

function hasSameParams({ params: before }: Found, { params: after }: Found, isLoose: boolean): boolean {
  const names = Object.keys(before).filter((name) => !isLoose || !/^\d+$/.test(name));
  if (!isLoose && Object.keys(after).length !== names.length) return false;
  return names.every((name) => before[name] === after[name]);
}

/** Adds the parameter names to the regular expression of Express 4 as named groups; undefined if a name repeats. */
function toRegExp({ regexp, keys }: ReturnType<typeof regExpWith>): RegExp | undefined {
  const names = keys.map(({ name }) => name).filter((name) => typeof name === 'string');
  if (new Set(names).size < names.length) return undefined;
  let [group, isInClass] = [0, false];
  const source = regexp.source.replace(/\\.|\[|\]|\((\?)?/g, (text, special) => {
    // Express 5 counts every "(" in the source as a group.
    if (text === '\\(') return '\\x28';
    if (text === '[') isInClass = true;
    else if (text === ']') isInClass = false;
    else if (text === '(' && isInClass) return '\\x28';
    else if (text === '(' && !special) {
      const name = keys[group++]?.name;
      if (typeof name === 'string' && /^[A-Za-z_$][\w$]*$/.test(name)) return `(?<${name}>`;
    }
    return text;
  });
  try {
    return new RegExp(source, regexp.flags);
  } catch {
    return undefined;
  }
}

/** Runs all proofs and returns the one with the fewest targets; undefined if any of them fails. */
function smallest(proofs: ReadonlyArray<() => Proof | undefined>): Proof | undefined {
  let least: Proof | undefined;
  for (const next of proofs) {
    const proof = next();
    if (!proof) return undefined;
    if (!least || proof.targets < least.targets) least = proof;
  }
  return least;
}
