/** Finds the scenario files and loads them. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { isInstalled, ROOT } from '../implementations/project';
import type { Scenario } from './scenario';

/** The folder of the scenarios: of the project that uses the package, or of this one. */
export const SCENARIOS: string = isInstalled() ? join(ROOT, 'parity', 'scenarios') : join(ROOT, 'spec');

const SOURCE = /\.[cm]?[jt]s$/;
/** The end of the name of a file in a folder that also contains other files. */
const NAMED = /\.scenarios\.[cm]?[jt]s$/;

/** A scenario with its id and section. */
export interface Entry {
  /** The section and the name of the scenario: `4-endpoints/4.5-send: sends a string`. */
  readonly id: string;
  /** The path of the file below the folder of the scenarios, without its ending: `4-endpoints/4.5-send`. */
  readonly section: string;
  readonly file: string;
  readonly scenario: Scenario;
}

/**
 * Loads all scenarios in a folder, sorted by file and then in the order of their definition.
 *
 * @param folder If it has files with names like `4.5-send.scenarios.ts`, only these are loaded; if not, all its files.
 *   Default: `parity/scenarios` of the project.
 * @param isWanted Whether to load a file; default: all.
 * @throws TypeError if the folder does not exist, a file exports something other than scenarios, or two scenarios of a
 *   file have the same name.
 */
export function readCatalogue(
  folder: string = SCENARIOS,
  isWanted: (file: string) => boolean = () => true,
): Entry[] {
  if (!existsSync(folder)) {
    throw new TypeError(`no scenarios: there is no folder ${relative(ROOT, folder)}; see --help`);
  }
  return scenarioFiles(folder)
    .filter(isWanted)
    .flatMap((file) => entriesOf(join(folder, file), file.replace(NAMED, '').replace(SOURCE, '')));
}

/** Returns the files with scenarios in a folder, as paths below it. */
export function scenarioFiles(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => SOURCE.test(file) && !file.endsWith('.d.ts'))
    .map((file) => file.replaceAll('\\', '/'))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const named = files.filter((file) => NAMED.test(file));
  return named.length > 0 ? named : files;
}

/**
 * Loads one scenario by its name.
 *
 * @throws TypeError if the file has no scenario with that name, or does not export a list of scenarios.
 */
export function findScenario(file: string, name: string): Scenario {
  const found = entriesOf(file, basename(file)).find(({ scenario }) => scenario.name === name);
  if (!found) throw new TypeError(`${basename(file)} has no scenario ${JSON.stringify(name)}`);
  return found.scenario;
}

function entriesOf(file: string, section: string): Entry[] {
  const loaded = require(file) as { default?: unknown };
  // An ES module has `export default`, a CommonJS module `module.exports`.
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
