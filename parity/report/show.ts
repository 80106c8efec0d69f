/** Prints observations, for the option `--show` of `nozomi-parity`. */

import { WorkerPool } from '../implementations/observe';
import type { Implementation, Observation } from '../implementations/protocol';
import { toPlaces } from '../judge/compare';
import type { Entry } from '../scenario/catalogue';
import { setFileTimes } from '../scenario/file-times';
import { printable } from './printable';

/** Plays scenarios with one implementation, and prints the observations by place. */
export async function showEntries(entries: readonly Entry[], implementation: Implementation): Promise<void> {
  await setFileTimes();
  const pool = new WorkerPool(implementation);
  try {
    for (const entry of entries) showObservations([[entry.id, await pool.observe(entry)]]);
  } finally {
    await pool.stop();
  }
}

/** Prints observations: the id, then a line for each place with its value. */
export function showObservations(seen: ReadonlyArray<readonly [id: string, observation: Observation]>): void {
  for (const [id, observation] of seen) {
    process.stdout.write(printable(`${id}\n`));
    const exchanges = observation.exchanges.map(({ sent, ...one }) =>
      sent ? { ...one, request: sent } : one,
    );
    for (const [place, value] of toPlaces({ ...observation, exchanges })) {
      process.stdout.write(
        printable(`  ${place.padEnd(20)} ${value.replaceAll('\n', `\n${' '.repeat(23)}`)}\n`),
      );
    }
  }
}
