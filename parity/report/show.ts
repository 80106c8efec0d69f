/** `npm run parity -- --show`: the looking glass of those who write scenarios. */

import type { Implementation } from '../implementations/implementations';
import { WorkerPool } from '../implementations/observe';
import { toPlaces } from '../judge/compare';
import type { Entry } from '../scenario/catalogue';
import { setFileTimes } from '../scenario/file-times';

/** Prints every place of what scenarios show in one implementation. */
export async function showEntries(entries: readonly Entry[], implementation: Implementation): Promise<void> {
  await setFileTimes();
  const pool = new WorkerPool(implementation);
  try {
    for (const entry of entries) {
      process.stdout.write(`${entry.id}\n`);
      for (const [place, value] of toPlaces(await pool.observe(entry))) {
        process.stdout.write(`  ${place.padEnd(20)} ${value.replaceAll('\n', `\n${' '.repeat(23)}`)}\n`);
      }
    }
  } finally {
    await pool.stop();
  }
}
