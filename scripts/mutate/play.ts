/**
 * Replays the recorded scenarios on a copy of the build with one seeded fault, until a scenario differs; or runs a spec
 * on it.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { playCircumstances } from '../../parity/circumstance-matrix';
import type { Corpus } from '../../parity/corpus/corpus';
import { DIVERGENCES } from '../../parity/divergences';
import { buildIn, inRealm, REFERENCE } from '../../parity/implementations/implementations';
import { WorkerPool } from '../../parity/implementations/observe';
import { ImplementationLost } from '../../parity/implementations/process';
import { ROOT } from '../../parity/implementations/project';
import type { Implementation } from '../../parity/implementations/protocol';
import { ABSENT } from '../../parity/judge/compare';
import { judge, type Verdict } from '../../parity/judge/judge';
import type { Entry } from '../../parity/scenario/catalogue';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { changeTool, writeCopy } from './copy';
import type { Fault } from './faults';

/** The first difference from the recording, or the first failure of a spec. */
export interface Catch {
  /** The scenario or the test that caught the fault. */
  readonly scenario: string;
  /** The place that differs, such as `1.status`; `lost` if nothing could be compared; `spec` for a spec. */
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
}

export interface Outcome {
  readonly caught: Catch | undefined;
  /** The number of scenarios that were played. */
  readonly played: number;
  readonly milliseconds: number;
}

/** How many scenarios a fault of a circumstance is played with, without it and under it. */
const NEAREST = 40;

/**
 * Replays scenarios on a copy of the build until one differs from its recording.
 *
 * @param entries The scenarios to play, in this order.
 * @param fault The fault to seed; undefined for the unchanged build.
 * @throws ImplementationLost if the unchanged build does not load.
 */
export async function playCopy(corpus: Corpus, entries: readonly Entry[], fault?: Fault): Promise<Outcome> {
  const started = performance.now();
  const folder = temporaryFolder('mutate');
  await writeCopy(folder, fault);
  const copy = buildIn(join(folder, 'dist'));
  const pool = new WorkerPool(fault?.inRealm ? inRealm(copy) : copy);
  const { circumstance } = fault ?? {};
  const usual = circumstance === undefined ? entries : entries.slice(0, NEAREST);
  let played = 0;
  let caught: Catch | undefined;
  try {
    await pool.start();
    for (const entry of usual) {
      played++;
      const [expected, actual] = [await corpus.observe(entry), await pool.observe(entry)];
      caught = catchOf(judge(entry, expected, actual, DIVERGENCES));
      if (caught) break;
    }
    if (caught && circumstance !== undefined)
      throw new Error(`fault "${fault?.name}": ${caught.scenario} catches it without the circumstance`);
    if (circumstance !== undefined) caught = await catchUnder(circumstance, copy, usual);
  } catch (err) {
    if (!(fault && err instanceof ImplementationLost)) throw err;
    // Any scenario would catch a fault with which the copy does not load.
    caught = { scenario: 'loading', place: 'lost', expected: 'an implementation', actual: err.message };
  } finally {
    await pool.stop();
    removeFolder(folder);
  }
  return { caught, played, milliseconds: Math.round(performance.now() - started) };
}

/** Plays scenarios under a circumstance, beside Express, and returns the first difference. */
async function catchUnder(
  circumstance: string,
  copy: Implementation,
  entries: readonly Entry[],
): Promise<Catch | undefined> {
  const [result] = await playCircumstances({
    circumstances: [circumstance],
    entries,
    implementations: [REFERENCE, copy],
  });
  for (const verdict of result?.report.verdicts ?? []) {
    const caught = catchOf(verdict);
    if (caught) return { ...caught, scenario: `${circumstance}: ${caught.scenario}` };
  }
  return undefined;
}

/**
 * Runs a spec in a copy of the project until a test fails.
 *
 * @param spec The path of its file, such as `spec/transports/graceful.spec.ts`.
 * @param fault The fault to seed in the copy; undefined for none.
 */
export async function runSpec(spec: string, fault?: Fault): Promise<Outcome> {
  const started = performance.now();
  const folder = temporaryFolder('mutate-spec');
  try {
    await writeCopy(folder, fault, true);
    // The name `nozomi` is the package of the nearest package.json, so that a spec in the copy tests its build.
    for (const name of [
      '.mocharc.json',
      'tsconfig.json',
      'spec',
      'fixtures',
      'parity',
      'scripts',
      'examples',
      'docs/decisions',
    ])
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    if (fault) changeTool(folder, fault);
    const caught = await firstFailure(folder, spec);
    return { caught, played: 1, milliseconds: Math.round(performance.now() - started) };
  } finally {
    removeFolder(folder);
  }
}

function firstFailure(folder: string, spec: string): Promise<Catch | undefined> {
  const mocha = join('node_modules', 'mocha', 'bin', 'mocha.js');
  const args = [mocha, '--bail', '--reporter', 'json', '--reporter-option', 'output=report.json', spec];
  return new Promise((resolve, reject) => {
    // The fault is in the build.
    const env = { ...process.env, TESTED: 'build' };
    execFile(process.execPath, args, { cwd: folder, env, maxBuffer: 2 ** 26 }, (error, _stdout, stderr) => {
      const report = join(folder, 'report.json');
      if (!existsSync(report)) return reject(new Error(`${spec} did not run: ${stderr}`, { cause: error }));
      const { failures } = JSON.parse(readFileSync(report, 'utf8')) as MochaReport;
      const [first] = failures;
      if (!first) return resolve(undefined);
      const [actual = ''] = first.err.message.split('\n');
      resolve({ scenario: first.fullTitle, place: 'spec', expected: 'no failure', actual });
    });
  });
}

/** What this module reads from a report of mocha's reporter `json`. */
interface MochaReport {
  readonly failures: ReadonlyArray<{
    readonly fullTitle: string;
    readonly err: { readonly message: string };
  }>;
}

function catchOf({ entry, state, differences, stale, problem = '' }: Verdict): Catch | undefined {
  if (state === 'equal' || state === 'declared') return undefined;
  const [first] = differences;
  if (first) return { scenario: entry.id, ...first };
  const [unseen] = stale;
  if (unseen) return { scenario: entry.id, place: unseen.place, expected: ABSENT, actual: 'no difference' };
  return { scenario: entry.id, place: 'lost', expected: 'an observation', actual: problem };
}

/**
 * Sorts scenarios so that a fault is caught early: those of the clauses that the fault breaks, then those of the same
 * sections, then all others. In each group, scenarios that need their own process are last, because they are slow.
 */
export function inOrderOf({ breaks }: Fault, entries: readonly Entry[]): Entry[] {
  const sections = new Set(breaks.map(sectionOf));
  const distance = ({ scenario: { clauses, alone } }: Entry): number => {
    const far = clauses.some((id) => breaks.includes(id))
      ? 0
      : clauses.some((id) => sections.has(sectionOf(id)))
        ? 1
        : 2;
    return 2 * far + (alone ? 1 : 0);
  };
  return [...entries].sort((a, b) => distance(a) - distance(b));
}

function sectionOf(clause: string): string {
  return clause.replace(/-?\d+$/, '');
}
