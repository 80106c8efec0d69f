/**
 * Generates request targets for the comparison of two matchers. The path matches some of them, nearly matches others,
 * and does not match the rest.
 */
import { randomFrom } from '../../seed';
import { sampler } from './sample';

/** A target that Node.js accepts, without a query, of at most 61 characters. */
const TARGET = /^\/[!-"$->@-~\x80-\xff]{0,60}$/;

/** Common and unusual targets, which every path is compared on. */
const COMMON = ['/', '/a', '/a/', '/a/b', '/a/b/c', '/.', '/..', '/A', '/%2F', '/%zz', '/index.html'];

/** The texts that an edit may insert into a target. */
const INSERTED = ['/', '.', '-', 'a', 'Z', '7', '%20', '%2F', '_', ':', '*', '~', '(', '/x', '/x/'];

/**
 * Generates distinct targets in up to 400 rounds, until `isEnough` returns true. Targets with `//` are used only if the
 * path contains `//`, because Express 5 matches one slash more or less in such targets than Express 4.
 *
 * @param path The path as written for Express 4.
 * @param sources The sources of regular expressions, for which matching texts are generated.
 * @param isEnough Called with each target.
 */
export function drawTargets(
  path: string,
  sources: readonly string[],
  seed: number,
  isEnough: (target: string) => boolean,
): void {
  const random = randomFrom(seed);
  const samplers = sources.map(sampler);
  const seen = new Set<string>();
  const mayBeEmpty = path.includes('//');
  const offer = (target: string): boolean => {
    if (!TARGET.test(target) || seen.has(target) || (target.includes('//') && !mayBeEmpty)) return false;
    seen.add(target);
    return isEnough(target);
  };
  if (COMMON.some(offer)) return;
  for (let draw = 0; draw < 400; draw++) {
    const drawn = samplers[draw % samplers.length]?.(random) ?? '';
    const target = drawn.startsWith('/') ? drawn : `/${drawn}`;
    const common = COMMON[draw % COMMON.length] ?? '/';
    const near = [withCase(target, random), edit(target, random), edit(common, random)];
    if (offer(target) || near.some(offer)) return;
  }
}

function withCase(target: string, random: () => number): string {
  return target.replace(/[a-z]/gi, (letter) =>
    random() < 0.5 ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** Inserts or removes characters, at least once. */
function edit(target: string, random: () => number): string {
  const edited = editOnce(target, random);
  return random() < 0.4 ? edit(edited, random) : edited;
}

function editOnce(target: string, random: () => number): string {
  const at = 1 + Math.floor(random() * target.length);
  const kind = random();
  if (kind < 0.25) return target + inserted(random);
  if (kind < 0.5) return target.slice(0, at) + target.slice(at + 1);
  if (kind < 0.6) return target.slice(0, at);
  return target.slice(0, at) + inserted(random) + target.slice(at);
}

function inserted(random: () => number): string {
  return INSERTED[Math.floor(random() * INSERTED.length)] ?? '';
}
