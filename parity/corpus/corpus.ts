/** `fixtures/exchanges`: the recorded exchanges of Express and morgan, one HAR file for each section. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { implementationOf, manifestOf, REFERENCE } from '../implementations/implementations';
import { NOTHING, type Observer, WorkerPool } from '../implementations/observe';
import { ImplementationLost } from '../implementations/process';
import { ROOT } from '../implementations/project';
import type { Implementation, Observation } from '../implementations/protocol';
import type { Entry } from '../scenario/catalogue';
import { setFileTimes } from '../scenario/file-times';
import { fromHar, type Har, type Recording, toHar } from './har';

export const CORPUS = join(ROOT, 'fixtures', 'exchanges');

/**
 * Whether `fixtures/exchanges` has recordings for the section of a scenario. The demo changes often, so both
 * implementations play it each time instead.
 */
export function isRecorded({ section }: Entry): boolean {
  return !section.startsWith('demo/');
}

/** Reads observations from the recordings, so that Express need not be installed. */
export class Corpus implements Observer {
  readonly name = 'corpus';
  readonly follows = 'reference';
  readonly #sections = new Map<string, Map<string, Observation>>();
  readonly #versions = new Set<string>();
  readonly #folder: string;

  constructor(folder: string = CORPUS) {
    this.#folder = folder;
  }

  get description(): string {
    return [...this.#versions].join(' and ');
  }

  async start(): Promise<void> {
    for (const section of recordedSections(this.#folder)) {
      const har = JSON.parse(readFileSync(fileOf(section, this.#folder), 'utf8')) as Har;
      this.#sections.set(section, fromHar(har));
      this.#versions.add(
        Object.entries(har.log._versions)
          .map((version) => version.join(' '))
          .join(', '),
      );
    }
  }

  async observe({ section, scenario }: Entry): Promise<Observation> {
    const lost = 'not recorded yet: npm run generate -- fixtures --record';
    return this.#sections.get(section)?.get(scenario.name) ?? { ...NOTHING, lost };
  }

  async stop(): Promise<void> {}

  /** Returns the ids of recorded scenarios that no longer exist. */
  orphans(entries: readonly Entry[]): string[] {
    const known = new Set(entries.map(({ id }) => id));
    return [...this.#sections].flatMap(([section, scenarios]) =>
      [...scenarios.keys()].map((name) => `${section}: ${name}`).filter((id) => !known.has(id)),
    );
  }
}

/**
 * Plays scenarios and records them, by default with Express.
 *
 * @returns The text of the HAR file of each section.
 * @throws ImplementationLost if the process of the implementation ends or hangs.
 */
export async function record(
  entries: readonly Entry[],
  implementation: Implementation = REFERENCE,
): Promise<Map<string, string>> {
  await setFileTimes();
  const pool = new WorkerPool(implementation);
  const sections = new Map<string, Array<Recording[number]>>();
  try {
    for (const entry of entries) {
      const observation = await pool.observe(entry);
      if (observation.lost !== undefined) throw new ImplementationLost(`${entry.id}: ${observation.lost}`);
      const section = sections.get(entry.section) ?? [];
      section.push([entry, observation]);
      sections.set(entry.section, section);
    }
  } finally {
    await pool.stop();
  }
  return new Map(
    [...sections].map(([section, recording]) => [
      section,
      `${JSON.stringify(toHar(recording, versionsFor(recording, implementation)), null, 2)}\n`,
    ]),
  );
}

/**
 * Returns the versions of Express and morgan, and the major version of Node.js, for a recording. The first entry is
 * enough: all scenarios of one file have the same Express version.
 */
function versionsFor([first]: Recording, implementation: Implementation): Record<string, string> {
  const { framework, logger } =
    implementationOf(implementation, first?.[0].scenario.series) ?? implementation;
  const named = [framework, logger].map((module) => {
    const { name, version } = manifestOf(module);
    return [name, version] as const;
  });
  return { ...Object.fromEntries(named), node: process.versions.node.replace(/\..*/, '') };
}

/** Writes a recording to a temporary file and renames it, so that no process reads an incomplete file. */
export function writeSection(section: string, text: string, folder: string = CORPUS): void {
  const file = fileOf(section, folder);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
}

/** Reads the HAR file of a section as text; `undefined` if the section was never recorded. */
export function readSection(section: string, folder: string = CORPUS): string | undefined {
  const file = fileOf(section, folder);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

export function removeSection(section: string, folder: string = CORPUS): void {
  rmSync(fileOf(section, folder));
}

export function recordedSections(folder: string = CORPUS): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.har'))
    .map((file) => file.replaceAll('\\', '/').replace(/\.har$/, ''))
    .sort();
}

function fileOf(section: string, folder: string): string {
  return join(folder, `${section}.har`);
}
