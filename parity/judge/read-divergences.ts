/** Reads the divergences that a project declares for its scenarios or its application. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Divergence } from '../divergences/divergence';
import { isInstalled, ROOT } from '../implementations/project';

const NAMES = ['divergences.cjs', 'divergences.js', 'divergences.json'];

/**
 * Loads a list of divergences.
 *
 * @param given A file that exports the list; default: `parity/divergences.cjs`, `.js` or `.json` of the project.
 * @returns The list. Without a file: an empty list, or undefined in the repository of this package, which has a list of
 *   its own.
 * @throws TypeError if `given` does not exist, or the list or an entry is invalid. The message names the file.
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
  const { id, why, differs, clauses = [], scenarios = {}, match } = (given ?? {}) as Partial<Divergence>;
  for (const [member, value] of Object.entries({ id, why, differs })) {
    if (typeof value !== 'string' || value.trim() === '')
      throw new TypeError(`${where}: ${member} must be a text, got ${JSON.stringify(value)}`);
  }
  const places = Object.values(scenarios);
  if (match !== undefined && match.header === undefined && match.json === undefined)
    throw new TypeError(`${where}: match needs the name of a header, or a path of json`);
  if ((places.length === 0 && !match) || !places.every((list) => Array.isArray(list) && list.length > 0))
    throw new TypeError(
      `${where}: scenarios must map ids to lists of places, such as { "first: goes back": ["1.headers.location"] }`,
    );
  return { ...(given as Divergence), clauses, scenarios };
}
