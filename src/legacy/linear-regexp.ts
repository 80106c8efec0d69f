/**
 * Matches paths of Express 3 and 4 in linear time. Regular expressions of V8 backtrack: with the path `/:a-:b-:c`, a
 * hostile URL takes cubic time. §9.3
 *
 * Each thread of the match is one way to match the pattern. All threads advance together by one character, in order of
 * preference. If two threads reach the same step in the same state, only the first continues. Therefore the number of
 * threads depends on the pattern, not on the text (Thompson and Pike, https://swtch.com/~rsc/regexp/regexp2.html).
 */
import { capturesIn, countRepeats, isNullable, type Node, parsePattern } from './pattern-syntax';

/**
 * Matches a text. Like `RegExp.prototype.exec`, it returns the whole match and the captures, or null without a match.
 */
export type Match = (text: string) => ReadonlyArray<string | undefined> | null;

type Step =
  | { readonly kind: 'character'; readonly is: (character: string) => boolean }
  /** The thread splits into one thread for each of these steps, in order of preference. */
  | { readonly kind: 'fork'; to: readonly number[] }
  | { readonly kind: 'save'; readonly slot: number }
  /** Clears the captures that the last round of a repetition saved. */
  | { readonly kind: 'reset'; readonly captures: readonly number[] }
  | { readonly kind: 'assertion'; readonly type: '^' | '$' | '\\b' | '\\B' }
  | { readonly kind: 'look'; readonly steps: readonly Step[]; readonly isNegated: boolean }
  /** An optional round whose part can match the empty text. It can only end after a character. */
  | { readonly kind: 'begin' | 'end round'; readonly bit: number }
  | { readonly kind: 'end' };

/**
 * A linked list of the positions that a thread saved, the latest first. The capture `n` starts at slot `2n` and ends at
 * slot `2n + 1`. The position -1 clears a capture.
 */
interface Saved {
  readonly slot: number;
  readonly at: number;
  readonly former: Saved | undefined;
}

/** A thread of the match: its next step, and the captures that it saved. */
interface Thread {
  readonly step: number;
  readonly saved: Saved | undefined;
  /** One bit for each round that has not consumed a character yet. */
  readonly empty: number;
}

/** The regular expression of V8 is faster than this matcher if it needs at most this number of steps. */
const TRIES = 10_000;
/** For a pattern that compiles to more steps than this, the regular expression of V8 is used. */
const MAX_STEPS = 5_000;
/** The maximum number of optional rounds that can match the empty text: each needs a bit of an integer. */
const MAX_ROUNDS = 30;

// The path `/`, and paths without parameters and without a slash at the end.
const LITERAL = /^(?:\/|(?:\/[\w~.-]+)+)$/;
// Paths in which each segment is one parameter or literal text. A segment ends at the next slash, so V8 cannot
// backtrack.
const SEGMENTED = /^(?:\/(?::\w+\??|[\w~.-]*))*$/;

/**
 * Returns a function that matches texts. It calls the regular expression of V8 where that is fast enough, and otherwise
 * a matcher that takes linear time. For patterns that the matcher does not support, it always calls the regular
 * expression.
 *
 * @param path The path as the application wrote it.
 * @param regexp The regular expression for this path, without the flags `g`, `y`, `m`, `s`, `u`.
 * @param isOpen Whether the regular expression also matches a path that continues with another segment.
 */
export function compileMatch(path: unknown, regexp: RegExp, isOpen = false): Match {
  const native: Match = (text) => regexp.exec(text);
  if (typeof path === 'string' && LITERAL.test(path)) return compileLiteral(path, isOpen, native);
  if (typeof path === 'string' && SEGMENTED.test(path)) return native;
  const pattern = parsePattern(regexp.source, regexp.flags);
  if (!pattern) return native;
  // V8 tries a pattern without an anchor at every position, which raises the degree by one.
  const degree = countRepeats(pattern) + (isAnchored(pattern) ? 0 : 1);
  if (degree <= 1) return native;
  let linear: Match | undefined;
  return (text) => {
    if (text.length ** degree <= TRIES) return native(text);
    linear ??= compileLinear(pattern) ?? native;
    return linear(text);
  };
}

/**
 * Fast path for a path without parameters: matches a text that is the same, or that continues with another segment. Every
 * other text may match, too.
 */
function compileLiteral(path: string, isOpen: boolean, native: Match): Match {
  const below = `${path}/`;
  return (text) => {
    if (text === path) return [path];
    const next = text[below.length];
    const isBelow = isOpen && next !== undefined && next !== '/' && text.startsWith(below);
    return isBelow ? [path] : native(text);
  };
}

function isAnchored(pattern: Node): boolean {
  const first = pattern.kind === 'sequence' ? pattern.parts[0] : undefined;
  return first?.kind === 'assertion' && first.type === '^';
}

function compileLinear(pattern: Node): Match | undefined {
  const steps = toSteps(pattern);
  if (!steps) return undefined;
  const captures = capturesIn(pattern).length;
  const isAtStart = isAnchored(pattern);

  return function match(text) {
    const looks = new Map<Step, Uint8Array>();
    let threads: Thread[] = [];
    let found: { saved: Saved | undefined; end: number } | undefined;
    for (let at = 0; at <= text.length; at++) {
      const open = threads;
      if (!found && (at === 0 || !isAtStart))
        open.push({ step: 0, saved: { slot: 0, at, former: undefined }, empty: 0 });
      if (open.length === 0) break;
      const { reached, end } = follow(steps, open, text, at, looks);
      if (end) found = { saved: end.saved, end: at };
      const character = text[at];
      threads = [];
      if (character === undefined) break;
      for (const { step, saved } of reached) {
        const waiting = steps[step];
        if (waiting?.kind === 'character' && waiting.is(character))
          threads.push({ step: step + 1, saved, empty: 0 });
      }
    }
    return found ? readCaptures(found.saved, captures, text, found.end) : null;
  };
}

/** Collects the threads that wait for a character, in order of preference, up to the first at the end. */
function follow(
  steps: readonly Step[],
  from: readonly Thread[],
  text: string,
  at: number,
  looks: Map<Step, Uint8Array>,
): { reached: Thread[]; end?: Thread } {
  const seen = new Set<number>();
  const reached: Thread[] = [];
  const open = from.toReversed();
  for (let thread = open.pop(); thread; thread = open.pop()) {
    const { saved, empty } = thread;
    const key = thread.step + empty * MAX_STEPS;
    if (seen.has(key)) continue;
    seen.add(key);
    const step = steps[thread.step];
    const next = thread.step + 1;
    switch (step?.kind) {
      case 'character':
        reached.push(thread);
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
        return { reached, end: thread };
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

/** Returns for each position whether the look-ahead matches there. Computed once per text, from the end. */
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
  /** For each step, whether the rest of the look-ahead matches at the next position. */
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
        // Captures, and the begin or end of a round, do not change whether the look-ahead matches.
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

/** Compiles the pattern to steps; undefined above `MAX_STEPS` steps or `MAX_ROUNDS` empty rounds. */
function toSteps(pattern: Node): Step[] | undefined {
  const steps: Step[] = [];
  let rounds = 0;
  write(pattern);
  steps.push({ kind: 'end' });
  return steps.length <= MAX_STEPS && rounds <= MAX_ROUNDS ? steps : undefined;

  function write(node: Node): void {
    if (steps.length > MAX_STEPS) return;
    switch (node.kind) {
      case 'character':
        steps.push({ kind: 'character', is: memoize(node.is) });
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
      for (let i = min; i < max && steps.length <= MAX_STEPS; i++)
        entries.push([fork(), writeRound(part, once)]);
      for (const [entry, body] of entries) entry.to = inOrder(body, steps.length, isLazy);
    }
  }

  /** Compiles one optional round of a repetition. @returns The index of its first step. */
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

/** Caches the result of a regular expression for each ASCII character. */
function memoize(is: RegExp): (character: string) => boolean {
  const known = new Int8Array(128);
  return (character) => {
    const unit = character.charCodeAt(0);
    if (unit >= 128) return is.test(character);
    if (known[unit] === 0) known[unit] = is.test(character) ? 1 : -1;
    return known[unit] === 1;
  };
}
