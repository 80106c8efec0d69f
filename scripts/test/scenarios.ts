/** Finds the scenarios that `npm test -- NAME` names, without loading all files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, readCatalogue, SCENARIOS, scenarioFiles } from '../../parity/scenario/catalogue';

/** @returns The files below `spec` whose path contains one of the texts, or whose source its end after `: `. */
function filesWith(texts: readonly string[]): string[] {
  return scenarioFiles(SCENARIOS).filter((file) => {
    const source = readFileSync(join(SCENARIOS, file), 'utf8');
    return texts.some((text) => file.includes(text) || source.includes(text.replace(/^.*?: /, '')));
  });
}

/** @param texts Parts of ids of scenarios, or ids of clauses. */
export function chosenBy(texts: readonly string[]): Entry[] {
  const isChosen = ({ id, scenario: { clauses = [] } }: Entry): boolean =>
    texts.some((text) => id.includes(text) || clauses.includes(text));
  const files = new Set(filesWith(texts));
  const found = readCatalogue(SCENARIOS, (file) => files.has(file)).filter(isChosen);
  // A name that is put together in the code is in no file as it is.
  return found.length > 0 ? found : readCatalogue().filter(isChosen);
}
