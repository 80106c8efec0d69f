/** Prints observations for `npm run parity -- --show`. */

import { WorkerPool } from '../implementations/observe';
import type { Implementation, Observation } from '../implementations/protocol';
import { toPlaces } from '../judge/compare';
import type { Entry } from '../scenario/catalogue';
import { setFileTimes } from '../scenario/file-times';

/** Prints all places of the observations of scenarios with one implementation. */
export async function showEntries(entries: readonly Entry[], implementation: Implementation): Promise<void> {
  await setFileTimes();
  const pool = new WorkerPool(implementation);
  try {
    for (const entry of entries) showObservations([[entry.id, await pool.observe(entry)]]);
  } finally {
    await pool.stop();
  }
}

/** Prints all places of the observations by id. */
export function showObservations(seen: ReadonlyArray<readonly [id: string, observation: Observation]>): void {
  for (const [id, observation] of seen) {
    process.stdout.write(`${id}\n`);
    for (const [place, value] of toPlaces(observation)) {
      process.stdout.write(`  ${place.padEnd(20)} ${value.replaceAll('\n', `\n${' '.repeat(23)}`)}\n`);
    }
  }
}
