// Runs the test suite. `npm test` installs packages before it runs this script, which builds if a step needs the build.
//
//   npm test                 every scenario over HTTP/1.1, every rule, and a part of the other tests
//   npm test -- --ci         more of them; takes four minutes on two fast cores
//   npm test -- --all        everything; installs other packages, and needs the programs in README.md
//   npm test -- words 4.5-json F-4.5-12   only these stages, steps and clauses, and specs and scenarios with such a name;
//                            scripts/test/stages.ts lists the stages and steps
//   npm test -- --changed    only what the changes since the last commit can reach
//   npm test -- --list       prints the stages and steps of the run
//   npm test -- --record-times   writes the CPU time of each step to scripts/test/times.json, for the time that is left
//
// Prints at the end the wall-clock time and the CPU time of each step. The last line is the sum of all steps: "12 passed,
// 0 failed". A step that prints neither such a line nor the counts of mocha counts as one test. A step that leaves
// temporary files behind counts as failed once more. Exit code 1 if a test failed.
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '../parity/temporary-folder';
import { type Count, runCommand } from './command';
import { formatLine } from './table';
import { BUILD_STEP, withBuild } from './test/build-step';
import { type Chosen, chooseSteps } from './test/choose';
import { Progress, recordTimes } from './test/progress';
import { root, runShell } from './test/shell';
import type { Run } from './test/stages';

interface Result extends Count {
  readonly name: string;
  /** Seconds. */
  readonly elapsed: number;
  /** CPU seconds. */
  readonly used: number;
}

const totals = join(root, 'report', 'totals.txt');
/** How many steps run at the same time. */
const LANES = 2;

runCommand({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
    ci: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    'record-times': { type: 'boolean', default: false },
  },
  async run({ values, positionals }) {
    const run = values.all ? 'all' : values.ci ? 'ci' : 'quick';
    const steps = values.changed ? await loadChanged().chooseChanged() : chooseSteps(run, positionals);
    if (!values.list) return runSteps(run, withBuild(steps), values['record-times']);
    for (const { stage, name, command } of steps) console.log(formatLine([stage, name, command], [-12, -20]));
    return true;
  },
});

/** Loads esbuild only for `--changed`. */
function loadChanged(): typeof import('./test/changed') {
  return require('./test/changed');
}

/** Runs steps, and prints their times. @returns The sum of their counts. */
async function runSteps(run: Run, steps: readonly Chosen[], isRecording: boolean): Promise<Count> {
  rmSync(totals, { force: true });
  const started = performance.now();
  const progress = new Progress(run, steps, LANES);
  const results: Result[] = [];
  const runOne = async (step: Chosen, folder: string, isLive: boolean): Promise<Result> => {
    const result = await runStep(step, folder, isLive, progress);
    results.push(result);
    return result;
  };
  const beside = steps.filter((step) => !step.isAlone && step !== BUILD_STEP);
  const withoutBuild = beside.filter(({ needsNoBuild }) => needsNoBuild);
  const ofBuild = beside.filter(({ needsNoBuild }) => !needsNoBuild);
  const folders = laneFolders();
  // One lane builds, while another runs what needs no build. Each then takes what is left.
  const building = steps.includes(BUILD_STEP) ? runOne(BUILD_STEP, folders[0] ?? '', true) : undefined;
  const runLane = async (folder: string, lane: number): Promise<void> => {
    const runAll = async (queue: Chosen[]): Promise<void> => {
      for (let step = queue.shift(); step; step = queue.shift()) await runOne(step, folder, lane === 0);
    };
    if (lane > 0 || !building) await runAll(withoutBuild);
    if ((await building)?.failed) return;
    await runAll(ofBuild);
    await runAll(withoutBuild);
  };
  await Promise.all(folders.map(runLane));
  const isBuilt = !(await building)?.failed;
  for (const step of steps)
    if (step.isAlone && (isBuilt || step.needsNoBuild)) await runOne(step, folders[0] ?? '', true);

  if (isRecording) recordTimes(run, results);
  if (results.length > 1) printTimes(results, (performance.now() - started) / 1000);
  const [passed, failed] = [sumOf(results, 'passed'), sumOf(results, 'failed')];
  mkdirSync(join(root, 'report'), { recursive: true });
  writeFileSync(totals, `${passed} passed, ${failed} failed\n`);
  console.log();
  return { passed, failed };
}

/** @returns A folder for temporary files for each lane, with the same cache of tsx. */
function laneFolders(): string[] {
  const temporary = temporaryFolder('test');
  return Array.from({ length: LANES }, (_, lane) => {
    const folder = join(temporary, String(lane));
    mkdirSync(folder);
    if (process.platform === 'win32') return folder;
    const cache = `tsx-${userInfo().uid}`;
    symlinkSync(join(tmpdir(), cache), join(folder, cache));
    return folder;
  });
}

/**
 * Runs one step and counts its tests.
 *
 * @param folder The folder for temporary files.
 * @param isLive Whether to print the output while the step runs; if not, the output is printed at the end.
 */
async function runStep(step: Chosen, folder: string, isLive: boolean, progress: Progress): Promise<Result> {
  const { name, command, env } = step;
  console.log(`\n── ${name}: ${progress.start()}`);
  const { code, output, elapsed, used } = await runShell(command, { temporary: folder, isLive, env });
  if (!isLive) process.stdout.write(`\n── ${name}\n${output}`);
  const count = countOf(output, code === 0);
  // So that the sum is the same if the build is current.
  if (step === BUILD_STEP) count.passed = 0;
  const left = leftBehind(folder);
  if (left.length > 0) {
    console.log(`temporary files left behind: ${left.join(', ')}`);
    count.failed++;
  }
  console.log(`── ${name}: ${count.passed} passed, ${count.failed} failed (${elapsed.toFixed(1)} s)`);
  progress.end(step);
  return { name, ...count, elapsed, used };
}

/** Removes the files that a step left behind, which are faults. @returns Their names, except those of the caches of tsx and Node.js. */
function leftBehind(folder: string): string[] {
  const left = readdirSync(folder).filter((name) => !/^(tsx-|node-compile-cache)/.test(name));
  for (const name of left) rmSync(join(folder, name), { recursive: true, force: true });
  return left;
}

/** Reads the counts of a step. A step with an exit code above 0 that reports no failure counts as one failure. */
function countOf(output: string, isGood: boolean): { passed: number; failed: number } {
  const summary = output
    .match(/^(\d+) passed, (\d+) failed$/gm)
    ?.at(-1)
    ?.match(/\d+/g);
  const passed = Number(summary?.[0] ?? output.match(/^\s*(\d+) passing/m)?.[1] ?? (isGood ? 1 : 0));
  const failed = Number(summary?.[1] ?? output.match(/^\s*(\d+) failing/m)?.[1] ?? 0);
  return { passed, failed: isGood ? failed : Math.max(failed, 1) };
}

function printTimes(results: readonly Result[], elapsed: number): void {
  const widths = [-22, 8, 8, 8, 8];
  const row = ({ name, passed, failed, elapsed: wall, used }: Result): string =>
    formatLine([name, `${passed}`, `${failed}`, wall.toFixed(1), used.toFixed(1)], widths);
  console.log(`\n${formatLine(['step', 'passed', 'failed', 'wall s', 'CPU s'], widths)}`);
  for (const result of results) console.log(row(result));
  // bootstrap.mjs measures what it runs before this script.
  const [wall = 0, cpu = 0] = (process.env.NOZOMI_PREPARED ?? '').split(' ').map(Number);
  console.log(row({ name: 'installing', passed: 0, failed: 0, elapsed: wall, used: cpu }));
  const { user, system } = process.cpuUsage();
  const sum = {
    name: 'all',
    passed: sumOf(results, 'passed'),
    failed: sumOf(results, 'failed'),
    elapsed: elapsed + wall,
    used: sumOf(results, 'used') + cpu + (user + system) / 1e6,
  };
  console.log(row(sum));
}

function sumOf(results: readonly Result[], key: 'passed' | 'failed' | 'used'): number {
  return results.reduce((sum, { [key]: value }) => sum + value, 0);
}
