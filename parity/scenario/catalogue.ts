/** Finds the scenario files and loads them. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { ROOT } from '../implementations/implementations';
import type { Scenario } from './scenario';

const SCENARIOS = join(ROOT, 'parity', 'scenarios');

const SOURCE = /\.[cm]?[jt]s$/;

/** A scenario with its id and section. */
export interface Entry {
  /** The id: `4-response/4.5-send: sends a string`. */
  readonly id: string;
  /** The folder and file below `scenarios`, without extension: `4-response/4.5-send`. */
  readonly section: string;
  readonly file: string;
  readonly scenario: Scenario;
}

/** All scenarios, in the order of folders, files and definitions. */
export function readCatalogue(folder: string = SCENARIOS): Entry[] {
  if (!existsSync(folder)) {
    throw new TypeError(`no scenarios: there is no folder ${relative(ROOT, folder)}; see --help`);
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => SOURCE.test(file) && !file.endsWith('.d.ts'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return files.flatMap((file) => entriesOf(join(folder, file), file.replace(SOURCE, '')));
}

/** @throws TypeError if the file has no such scenario. */
export function findScenario(file: string, name: string): Scenario {
  const found = entriesOf(file, basename(file)).find(({ scenario }) => scenario.name === name);
  if (!found) throw new TypeError(`${basename(file)} has no scenario ${JSON.stringify(name)}`);
  return found.scenario;
}

function entriesOf(file: string, section: string): Entry[] {
  const loaded = require(file) as { default?: unknown };
  // The file has `export default`, or `module.exports`.
  const list = loaded.default ?? loaded;
  if (!Array.isArray(list) || list.some((one) => (one as Scenario | null)?.kind !== 'scenario')) {
    throw new TypeError(
      `${section}: the default export must be a list of scenario() results, got ${String(list)}`,
    );
  }
  const names = new Set<string>();
  return (list as Scenario[]).map((scenario) => {
    if (names.has(scenario.name)) {
      throw new TypeError(
        `${section}: each scenario must have a unique name, got ${JSON.stringify(scenario.name)} twice`,
      );
    }
    names.add(scenario.name);
    return { id: `${section}: ${scenario.name}`, section, file, scenario };
  });
}
