/**
 * Matching in linear time what the runtime's regular expressions match by trying: a path such as `/:a-:b-:c` takes
 * them time with the third power of the length of a hostile request. §9.3
 *
 * All ways through the pattern advance together, one character at a time, the preferred ones first; two that reach
 * the same place are one from there on. So each character costs at most the length of the pattern.
 */
import { countUnbounded, type Node, parsePattern } from './pattern-syntax';

/** As of `RegExp.prototype.exec`: the whole and the captures; null for no match. */
export type Match = (text: string) => ReadonlyArray<string | undefined> | null;

type Step =
  | { readonly kind: 'character'; readonly is: RegExp }
  /** Go on at each of these steps, the first preferred. */
  | { readonly kind: 'fork'; to: readonly number[] }
  | { readonly kind: 'save'; readonly slot: number }
  | { readonly kind: 'end' };

/** Where the captures begin and end, latest first. */
interface Saved {
  readonly slot: number;
  readonly at: number;
  readonly former: Saved | undefined;
}

/** A way through the pattern: the step it has reached, and what it saved. */
interface Way {
  readonly step: number;
  readonly saved: Saved | undefined;
}

/** Steps that the runtime may try at most: less than the time of one way through the pattern here. */
const TRIES = 10_000;

// A segment is a name or plain text: it ends at the next slash, whatever is tried.
const PLAIN = /^(?:\/(?::\w+\??|[\w~-]*))*$/;

/**
 * @param path As the program wrote it.
 * @param regexp What it was compiled to, from the start of a path to its end.
 */
export function compileMatch(path: unknown, regexp: RegExp): Match {
  const native: Match = (text) => regexp.exec(text);
  if (typeof path === 'string' && PLAIN.test(path)) return native;
  const pattern = parsePattern(regexp.source.slice(1, -1), regexp.flags);
  if (!pattern) return native;
  const degree = countUnbounded(pattern);
  if (degree <= 1) return native;
  const linear = compileWays(pattern);
  return (text) => (text.length ** degree <= TRIES ? native(text) : linear(text));
}

/** A match of its own. */
function compileWays(pattern: Node): Match {
  const steps = toSteps(pattern);
  const captures = steps.filter(({ kind }) => kind === 'save').length / 2;

  return function match(text) {
    let ways = follow(steps, [{ step: 0, saved: undefined }], 0);
    for (let at = 0; at < text.length && ways.length > 0; at++) {
      const character = text[at] as string;
      const passed = ways.filter(({ step }) => passes(steps[step] as Step, character));
      ways = follow(
        steps,
        passed.map(({ step, saved }) => ({ step: step + 1, saved })),
        at + 1,
      );
    }
    const found = ways.find(({ step }) => steps[step]?.kind === 'end');
    return found ? [text, ...readCaptures(found.saved, captures, text)] : null;
  };
}

function passes(step: Step, character: string): boolean {
  return step.kind === 'character' && step.is.test(character);
}

/** The ways on to their next characters, or to the end, in order of preference; each step once. */
function follow(steps: readonly Step[], from: readonly Way[], at: number): Way[] {
  const seen = new Set<number>();
  const ways: Way[] = [];
  const open = from.toReversed();
  for (let way = open.pop(); way; way = open.pop()) {
    if (seen.has(way.step)) continue;
    seen.add(way.step);
    const step = steps[way.step] as Step;
    if (step.kind === 'fork') {
      const { saved } = way;
      open.push(...step.to.map((target) => ({ step: target, saved })).toReversed());
    } else if (step.kind === 'save') {
      open.push({ step: way.step + 1, saved: { slot: step.slot, at, former: way.saved } });
    } else {
      ways.push(way);
    }
  }
  return ways;
}

function readCaptures(saved: Saved | undefined, count: number, text: string): Array<string | undefined> {
  const places: Array<number | undefined> = [];
  for (let each = saved; each; each = each.former) places[each.slot] ??= each.at;
  return Array.from({ length: count }, (_none, index) => {
    const [start, end] = [places[2 * index], places[2 * index + 1]];
    return start === undefined || end === undefined ? undefined : text.slice(start, end);
  });
}

/** The pattern as steps in a row, for one that passes all of it. */
function toSteps(pattern: Node): Step[] {
  const steps: Step[] = [];
  write(pattern);
  steps.push({ kind: 'end' });
  return steps;

  function write(node: Node): void {
    switch (node.kind) {
      case 'character':
        steps.push(node);
        break;
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
        steps.push({ kind: 'save', slot: 2 * (node.index - 1) });
        write(node.part);
        steps.push({ kind: 'save', slot: 2 * (node.index - 1) + 1 });
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
    const entry = min === 0 ? fork() : undefined;
    const body = steps.length;
    write(part);
    const again = max > 1 ? fork() : undefined;
    const preferred = isLazy ? [steps.length, body] : [body, steps.length];
    for (const each of [entry, again]) if (each) each.to = preferred;
  }

  function fork(): Extract<Step, { kind: 'fork' }> {
    const step = { kind: 'fork' as const, to: [] };
    steps.push(step);
    return step;
  }
}
