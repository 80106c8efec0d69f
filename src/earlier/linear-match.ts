/**
 * Matches paths in linear time. The regular expressions of Node.js backtrack: `/:a-:b-:c` takes them cubic time on a
 * hostile target. §9.3
 *
 * All threads of the match advance together by one character, in order of preference. If two threads reach the same
 * step, only the first continues. So a character costs at most as many steps as the pattern has (Thompson and Pike,
 * https://swtch.com/~rsc/regexp/regexp2.html).
 */
import { capturesIn, countRepeats, isNullable, type Node, parsePattern } from './pattern-syntax';

/** Like `RegExp.prototype.exec`, it returns the whole match and the captures; null if the text does not match. */
export type Match = (text: string) => ReadonlyArray<string | undefined> | null;

type Step =
  | { readonly kind: 'character'; readonly is: (character: string) => boolean }
  /** The thread continues at each of these steps, in order of preference. */
  | { readonly kind: 'fork'; to: readonly number[] }
  | { readonly kind: 'save'; readonly slot: number }
  /** Clears the captures that the previous round of a repetition saved. */
  | { readonly kind: 'reset'; readonly captures: readonly number[] }
  | { readonly kind: 'assertion'; readonly type: '^' | '$' | '\\b' | '\\B' }
  | { readonly kind: 'look'; readonly steps: readonly Step[]; readonly isNegated: boolean }
  /** Begins or ends an optional round of a repetition. A round must consume a character to end. */
  | { readonly kind: 'begin' | 'end round'; readonly bit: number }
  | { readonly kind: 'end' };

/** The start and end of each capture, the latest first; -1 for a cleared one. */
interface Saved {
  readonly slot: number;
  readonly at: number;
  readonly former: Saved | undefined;
}

/** A thread of the match: its step and the captures that it saved. */
interface Way {
  readonly step: number;
  readonly saved: Saved | undefined;
  /** One bit for each round that has consumed no character yet. */
  readonly empty: number;
}

/** Node.js's own matcher is faster if it needs at most this many steps. */
const TRIES = 10_000;
/** Patterns with more steps are matched by Node.js. */
const MOST_STEPS = 5_000;
const MOST_ROUNDS = 30;

// Paths whose segments are each one parameter or literal text. A segment ends at the next slash, so Node.js's matcher
// cannot backtrack.
const PLAIN = /^(?:\/(?::\w+\??|[\w~.-]*))*$/;

/**
 * @param path The path as the application wrote it.
 * @param regexp The regular expression for this path, without the flags `g`, `y`, `m`, `s`, `u`.
 */
export function compileMatch(path: unknown, regexp: RegExp): Match {
  const native: Match = (text) => regexp.exec(text);
  if (typeof path === 'string' && PLAIN.test(path)) return native;
  const pattern = parsePattern(regexp.source, regexp.flags);
  if (!pattern) return native;
  // A pattern without an anchor can begin at any position, which adds one degree.
  const degree = countRepeats(pattern) + (isAnchored(pattern) ? 0 : 1);
  if (degree <= 1) return native;
  let linear: Match | undefined;
  return (text) => {
    if (text.length ** degree <= TRIES) return native(text);
    linear ??= compileWays(pattern) ?? native;
    return linear(text);
  };
}

function isAnchored(pattern: Node): boolean {
  const first = pattern.kind === 'sequence' ? pattern.parts[0] : undefined;
  return first?.kind === 'assertion' && first.type === '^';
}

function compileWays(pattern: Node): Match | undefined {
  const steps = toSteps(pattern);
  if (!steps) return undefined;
  const captures = capturesIn(pattern).length;
  const isAtStart = isAnchored(pattern);

  return function match(text) {
    const looks = new Map<Step, Uint8Array>();
    let ways: Way[] = [];
    let found: { saved: Saved | undefined; end: number } | undefined;
    for (let at = 0; at <= text.length; at++) {
      const open = ways;
      if (!found && (at === 0 || !isAtStart))
        open.push({ step: 0, saved: { slot: 0, at, former: undefined }, empty: 0 });
      if (open.length === 0) break;
      const { reached, end } = follow(steps, open, text, at, looks);
      if (end) found = { saved: end.saved, end: at };
      const character = text[at];
      ways = [];
      if (character === undefined) break;
      for (const { step, saved } of reached) {
        const waiting = steps[step];
        if (waiting?.kind === 'character' && waiting.is(character))
          ways.push({ step: step + 1, saved, empty: 0 });
      }
    }
    return found ? readCaptures(found.saved, captures, text, found.end) : null;
  };
}

/**
 * Collects the threads that wait for the next character, in order of preference, up to the first thread that reaches
 * the end.
 */
function follow(
  steps: readonly Step[],
  from: readonly Way[],
  text: string,
  at: number,
  looks: Map<Step, Uint8Array>,
): { reached: Way[]; end?: Way } {
  const seen = new Set<number>();
  const reached: Way[] = [];
  const open = from.toReversed();
  for (let way = open.pop(); way; way = open.pop()) {
    const { saved, empty } = way;
    const key = way.step + empty * MOST_STEPS;
    if (seen.has(key)) continue;
    seen.add(key);
    const step = steps[way.step];
    const next = way.step + 1;
    switch (step?.kind) {
      case 'character':
        reached.push(way);
        break;
      case 'fork':
        for (const target of step.to.toReversed()) open.push({ step: target, saved, empty });
        break;
      case 'save':
        open.push({ step: next, saved: { slot: step.slot, at, former: saved }, empty });
        break;
      case 'reset': {
        let all = saved;
        for (const index of step.captures) all = { slot: 2 * index, at: -1, former: all };
        open.push({ step: next, saved: all, empty });
        break;
      }
      case 'assertion':
        if (holds(step.type, text, at)) open.push({ step: next, saved, empty });
        break;
      case 'look':
        if (Boolean(tableOf(step, text, looks)[at]) !== step.isNegated)
          open.push({ step: next, saved, empty });
        break;
      case 'begin':
        open.push({ step: next, saved, empty: empty | step.bit });
        break;
      case 'end round':
        if ((empty & step.bit) === 0) open.push({ step: next, saved, empty });
        break;
      case 'end':
        return { reached, end: way };
    }
  }
  return { reached };
}

function holds(type: '^' | '$' | '\\b' | '\\B', text: string, at: number): boolean {
  if (type === '^') return at === 0;
  if (type === '$') return at === text.length;
  return (isWord(text[at - 1]) !== isWord(text[at])) === (type === '\\b');
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

/**
 * For each position of the text, whether the look-ahead matches there. It is computed once, from the end of the text.
 */
function tableOf(
  look: Extract<Step, { kind: 'look' }>,
  text: string,
  looks: Map<Step, Uint8Array>,
): Uint8Array {
  const known = looks.get(look);
  if (known) return known;
  const { steps } = look;
  const table = new Uint8Array(text.length + 1);
  looks.set(look, table);
  /** For each step, whether the end can be reached from it. */
  let after = new Uint8Array(steps.length);
  for (let at = text.length; at >= 0; at--) {
    const now = new Uint8Array(steps.length);
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (let i = steps.length - 1; i >= 0; i--) {
        if (now[i] || !reaches(i, at, now, after)) continue;
        now[i] = 1;
        isChanged = true;
      }
    }
    table[at] = now[0] ?? 0;
    after = now;
  }
  return table;

  function reaches(i: number, at: number, now: Uint8Array, next: Uint8Array): boolean {
    const step = steps[i];
    switch (step?.kind) {
      case 'end':
        return true;
      case 'character':
        return at < text.length && Boolean(next[i + 1]) && step.is(text.charAt(at));
      case 'fork':
        return step.to.some((target) => now[target]);
      case 'assertion':
        return Boolean(now[i + 1]) && holds(step.type, text, at);
      case 'look':
        return Boolean(now[i + 1]) && Boolean(tableOf(step, text, looks)[at]) !== step.isNegated;
      default:
        // A round that consumes no character does not change whether the look-ahead matches.
        return Boolean(now[i + 1]);
    }
  }
}

function readCaptures(
  saved: Saved | undefined,
  count: number,
  text: string,
  end: number,
): Array<string | undefined> {
  const places: Array<number | undefined> = [];
  for (let each = saved; each; each = each.former) places[each.slot] ??= each.at;
  const values: Array<string | undefined> = [text.slice(places[0], end)];
  for (let index = 1; index <= count; index++) {
    const [from, to] = [places[2 * index], places[2 * index + 1]];
    values.push(from === undefined || from < 0 || to === undefined ? undefined : text.slice(from, to));
  }
  return values;
}

/** Compiles the pattern to steps; undefined if there would be more than `MOST_STEPS`. */
function toSteps(pattern: Node): Step[] | undefined {
  const steps: Step[] = [];
  let rounds = 0;
  write(pattern);
  steps.push({ kind: 'end' });
  return steps.length <= MOST_STEPS && rounds <= MOST_ROUNDS ? steps : undefined;

  function write(node: Node): void {
    if (steps.length > MOST_STEPS) return;
    switch (node.kind) {
      case 'character':
        steps.push({ kind: 'character', is: remembering(node.is) });
        break;
      case 'assertion':
        steps.push(node);
        break;
      case 'look': {
        const inside = toSteps(node.part);
        if (inside) steps.push({ kind: 'look', steps: inside, isNegated: node.isNegated });
        else rounds = Number.POSITIVE_INFINITY;
        break;
      }
      case 'sequence':
        node.parts.forEach(write);
        break;
      case 'choice':
        writeChoice(node.parts);
        break;
      case 'repeat':
        writeRepeat(node);
        break;
      case 'capture':
        steps.push({ kind: 'save', slot: 2 * node.index });
        write(node.part);
        steps.push({ kind: 'save', slot: 2 * node.index + 1 });
    }
  }

  function writeChoice(parts: readonly Node[]): void {
    const entry = fork();
    const exits = parts.map((part) => {
      entry.to = [...entry.to, steps.length];
      write(part);
      return fork();
    });
    for (const exit of exits) exit.to = [steps.length];
  }

  function writeRepeat({ part, min, max, isLazy }: Extract<Node, { kind: 'repeat' }>): void {
    const captures = capturesIn(part);
    const once = (): void => {
      if (captures.length > 0) steps.push({ kind: 'reset', captures });
      write(part);
    };
    for (let i = 0; i < min; i++) once();
    if (max === Number.POSITIVE_INFINITY) {
      const entry = fork();
      const body = writeRound(part, once);
      fork().to = [body - 1];
      entry.to = inOrder(body, steps.length, isLazy);
    } else {
      const entries: Array<[entry: Extract<Step, { kind: 'fork' }>, body: number]> = [];
      for (let i = min; i < max && steps.length <= MOST_STEPS; i++)
        entries.push([fork(), writeRound(part, once)]);
      for (const [entry, body] of entries) entry.to = inOrder(body, steps.length, isLazy);
    }
  }

  /** Compiles one optional round of a repetition. @returns Its first step. */
  function writeRound(part: Node, once: () => void): number {
    const body = steps.length;
    if (!isNullable(part)) {
      once();
      return body;
    }
    const bit = 2 ** rounds++;
    steps.push({ kind: 'begin', bit });
    once();
    steps.push({ kind: 'end round', bit });
    return body;
  }

  function fork(): Extract<Step, { kind: 'fork' }> {
    const step = { kind: 'fork' as const, to: [] };
    steps.push(step);
    return step;
  }
}

function inOrder(body: number, exit: number, isLazy: boolean): number[] {
  return isLazy ? [exit, body] : [body, exit];
}

/** Caches the result of an expression for each ASCII character. */
function remembering(is: RegExp): (character: string) => boolean {
  const known = new Int8Array(128);
  return (character) => {
    const unit = character.charCodeAt(0);
    if (unit >= 128) return is.test(character);
    if (known[unit] === 0) known[unit] = is.test(character) ? 1 : -1;
    return known[unit] === 1;
  };
}
