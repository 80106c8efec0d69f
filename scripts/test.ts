// Runs the whole test suite; stages that find failures soonest come first. `npm test` installs and builds before it
// runs this script.
//
//   npm test                 everything that needs no more than the lockfile
//   npm test -- --all        also what installs further packages: the package in other package managers, the ecosystem;
//                            and every scenario and recording over every transport; also what needs Chromium, nginx and Redis
//   npm test -- spec parity  only these stages
//
// A stage that counts prints its numbers last ("12 passing" or "12 passed, 0 failed"); any other stage counts as one.
// Temporary files that a stage leaves behind are reported and removed. The last line is the sum of all. Exit code 1
// if anything failed.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../parity/temporary-folder';
import { runCommand } from './command';

interface Stage {
  name: string;
  command: string;
  /** Replaces it with --all. */
  whole?: string;
  /** Installs packages of its own: takes as long as the registry does. */
  needsRegistry?: boolean;
  /** Minutes: runs with --all only. */
  isLong?: boolean;
}

interface Count {
  passed: number;
  failed: number;
}

const TRANSPORTS = 'npm run --silent parity -- --transport h1,h2,h2c,fetch --server create,wrapped,https';
const RECORDED = 'npm run --silent fixtures -- --transport h2,h2c,fetch';

const FIRST: readonly Stage[] = [
  { name: 'typecheck', command: 'npm run --silent typecheck' },
  { name: 'lint', command: 'npm run --silent lint' },
  { name: 'unused', command: 'npm run --silent unused' },
  { name: 'words', command: 'npm run --silent words' },
  { name: 'casts', command: 'npm run --silent casts' },
  { name: 'request-path', command: 'npm run --silent request-path' },
  { name: 'clauses', command: 'npm run --silent clauses' },
  { name: 'map', command: 'npm run --silent map -- --check' },
  { name: 'settings', command: 'npm run --silent settings -- --check' },
  { name: 'readme', command: 'npm run --silent readme -- --check' },
  { name: 'switching', command: 'npm run --silent switching -- --check' },
  { name: 'transports-page', command: 'npm run --silent transports -- --check' },
  { name: 'ecosystem-list', command: 'node --import tsx scripts/ecosystem/run.ts --check' },
  { name: 'types-budget', command: 'npm run --silent bench:types -- --check' },
  { name: 'package', command: 'npm run --silent package' },
];

const SPEC: Stage = { name: 'spec', command: 'npm run --silent coverage' };

/** While the specs run, which leave a processor idle. */
const BESIDE: readonly Stage[] = [
  { name: 'spec-parity', command: 'npx mocha "spec/parity/**/*.spec.ts"' },
  { name: 'parity', command: 'npm run --silent parity' },
  { name: 'fixtures', command: 'npm run --silent fixtures' },
  { name: 'transports', command: `${TRANSPORTS} --sample 8`, whole: TRANSPORTS },
  { name: 'fixtures-transports', command: `${RECORDED} --sample 12`, whole: RECORDED },
  { name: 'mutate', command: 'npm run --silent mutate -- --sample' },
  { name: 'types', command: 'npm run --silent types' },
  { name: 'mutate-types', command: 'npm run --silent mutate:types' },
];

const LAST: readonly Stage[] = [
  { name: 'speed', command: 'npm run --silent bench -- js --check' },
  { name: 'package-registry', command: 'npm run --silent package -- --registry', needsRegistry: true },
  { name: 'ecosystem', command: 'npm run --silent ecosystem', needsRegistry: true },
  { name: 'ecosystem-http2', command: 'npm run --silent ecosystem -- --http2', needsRegistry: true },
  { name: 'docs', command: 'npm run --silent docs -- --look', isLong: true },
  { name: 'cluster', command: 'npm run --silent cluster', isLong: true, needsRegistry: true },
  { name: 'ecosystem4', command: 'npm run --silent ecosystem4', needsRegistry: true },
];

const STAGES = [...FIRST, SPEC, ...BESIDE, ...LAST];

const root = join(__dirname, '..');
const totals = join(root, 'report', 'totals.txt');
/** The specs get a folder of their own; the other stages share one and the caches in it. */
const temporary = temporaryFolder('test');

runCommand({
  name: 'test',
  file: __filename,
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false } },
  run: ({ values, positionals }) => runStages(positionals, values.all),
});

/** @returns Whether all passed. */
async function runStages(names: readonly string[], isAll: boolean): Promise<boolean> {
  const unknown = names.filter((name) => !STAGES.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    const known = STAGES.map((stage) => stage.name).join(', ');
    throw new TypeError(`expected some of the stages ${known}, got ${unknown.join(', ')}`);
  }
  rmSync(totals, { force: true });

  const isChosen = ({ name, needsRegistry, isLong }: Stage): boolean =>
    names.length === 0 ? isAll || !(needsRegistry || isLong) : names.includes(name);
  const counts: Count[] = [];
  const runInTurn = async (stages: readonly Stage[], isLive = true): Promise<void> => {
    for (const { name, command, whole } of stages.filter(isChosen))
      counts.push(await runStage(name, (isAll && whole) || command, isLive));
  };
  await runInTurn(FIRST);
  await Promise.all([runInTurn([SPEC]), runInTurn(BESIDE, !isChosen(SPEC))]);
  await runInTurn(LAST);

  const sum = counts.reduce(
    (total, { passed, failed }) => ({ passed: total.passed + passed, failed: total.failed + failed }),
    { passed: 0, failed: 0 },
  );
  const line = `${sum.passed} passed, ${sum.failed} failed`;
  mkdirSync(join(root, 'report'), { recursive: true });
  writeFileSync(totals, `${line}\n`);
  console.log(`\n${line}`);
  return sum.failed === 0;
}

/** @param isLive Whether the output is printed as it comes; otherwise at the end. */
async function runStage(name: string, command: string, isLive: boolean): Promise<Count> {
  if (isLive) console.log(`\n── ${name}`);
  const started = performance.now();
  const folder = join(temporary, name === SPEC.name ? 'spec' : 'stages');
  mkdirSync(folder, { recursive: true });
  const { code, output } = await runShell(command, folder, isLive);
  if (!isLive) process.stdout.write(`\n── ${name}\n${output}`);
  const left = leftBehind(folder);
  if (left.length > 0) console.log(`temporary files left behind: ${left.join(', ')}`);
  const count = countOf(output, code === 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`── ${name}: ${count.passed} passed, ${count.failed} failed (${seconds} s)`);
  return count;
}

/** Files that a stage did not remove, except the caches of tsx and Node.js. */
function leftBehind(folder: string): string[] {
  const left = readdirSync(folder).filter((name) => !/^(tsx-|node-compile-cache)/.test(name));
  for (const name of left) rmSync(join(folder, name), { recursive: true, force: true });
  return left;
}

/** Runs a command whose temporary files belong into `folder`. */
function runShell(
  command: string,
  folder: string,
  isLive: boolean,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder };
    const child = spawn(command, { cwd: root, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const stop = () => child.kill();
    process.once('exit', stop);
    let output = '';
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        output += chunk;
        if (isLive) to.write(chunk);
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('exit', stop);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** The counts of a stage. One that failed without counting a failure (it crashed, or coverage fell) counts one. */
function countOf(output: string, isGood: boolean): Count {
  const summary = output
    .match(/^(\d+) passed, (\d+) failed$/gm)
    ?.at(-1)
    ?.match(/\d+/g);
  const passed = Number(summary?.[0] ?? output.match(/^\s*(\d+) passing/m)?.[1] ?? (isGood ? 1 : 0));
  const failed = Number(summary?.[1] ?? output.match(/^\s*(\d+) failing/m)?.[1] ?? 0);
  return { passed, failed: isGood ? failed : Math.max(failed, 1) };
}
