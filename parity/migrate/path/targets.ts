/**
 * Generates targets on which two matchers are compared: some that the path matches, some that it nearly matches, and
 * others.
 */
import { randomFrom } from '../../seed';
import { sampler } from './sample';

/** A path that a client can send and that Node.js accepts. */
const TARGET = /^\/[!-"$->@-~\x80-\xff]{0,60}$/;

/** Targets that many kinds of paths match, or none. */
const COMMON = ['/', '/a', '/a/', '/a/b', '/a/b/c', '/.', '/..', '/A', '/%2F', '/%zz', '/index.html'];

/** The text that one edit inserts into a target. */
const INSERTED = ['/', '.', '-', 'a', 'Z', '7', '%20', '%2F', '_', ':', '*', '~', '(', '/x', '/x/'];

/**
 * Generates different targets until `isEnough`, at most 400. Empty segments are used only for paths that have some:
 * with several slashes in a row, Express 5 matches one more or one less than Express 4, whatever the path.
 *
 * @param path The path as written for Express 4.
 * @param sources The regular expressions whose matches are generated.
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

/** Inserts or removes a few characters. */
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
