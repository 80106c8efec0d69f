/** Reads the divergences that a project declares beside its scenarios. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isInstalled, ROOT } from '../implementations/implementations';
import type { Divergence } from './divergence';

const NAMES = ['divergences.cjs', 'divergences.js', 'divergences.json'];

/**
 * @param given A file that exports a list; default: `parity/divergences.js` of the project, if it exists.
 * @returns undefined if the list of this package applies.
 * @throws TypeError that names the missing member of an entry.
 */
export function readDivergences(given?: string): Divergence[] | undefined {
  const beside = NAMES.map((name) => join(ROOT, 'parity', name)).find((file) => existsSync(file));
  const file = given === undefined ? beside : resolve(given);
  if (file === undefined) return isInstalled() ? [] : undefined;
  if (!existsSync(file)) throw new TypeError(`--divergences: no such file: ${given}`);
  const loaded = require(file) as { default?: unknown };
  const list = loaded.default ?? loaded;
  if (!Array.isArray(list))
    throw new TypeError(`${file}: expected a list of divergences, got ${typeof list}`);
  return list.map((one, index) => toDivergence(one, `${file}: divergence ${index + 1}`));
}

function toDivergence(given: unknown, where: string): Divergence {
  const { id, why, differs, clauses = [], scenarios } = (given ?? {}) as Partial<Divergence>;
  for (const [member, value] of Object.entries({ id, why, differs })) {
    if (typeof value !== 'string' || value.trim() === '')
      throw new TypeError(`${where}: ${member} must be a sentence, got ${JSON.stringify(value)}`);
  }
  const places = Object.values(scenarios ?? {});
  if (places.length === 0 || !places.every((list) => Array.isArray(list) && list.length > 0))
    throw new TypeError(
      `${where}: scenarios must map ids to lists of places, such as { "first: goes back": ["1.headers.location"] }`,
    );
  return { ...(given as Divergence), clauses };
}
