/** `npm run parity -- --show`: the looking glass of those who write scenarios. */

import type { WorldSpec } from '../implementations/implementations';
import { Crew } from '../implementations/observe';
import { toPlaces } from '../judge/compare';
import type { Entry } from '../scenario/catalogue';
import { setFileTimes } from '../scenario/file-times';

/** Prints every place of what scenarios show in one world. */
export async function showEntries(entries: readonly Entry[], world: WorldSpec): Promise<void> {
  await setFileTimes();
  const crew = new Crew(world);
  try {
    for (const entry of entries) {
      process.stdout.write(`${entry.id}\n`);
      for (const [place, value] of toPlaces(await crew.observe(entry))) {
        process.stdout.write(`  ${place.padEnd(20)} ${value.replaceAll('\n', `\n${' '.repeat(23)}`)}\n`);
      }
    }
  } finally {
    await crew.stop();
  }
}
