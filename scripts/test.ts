// Runs the test suite in stages, fast stages first. `npm test` installs packages and builds before it runs this script.
//
//   npm test                 the stages that need no packages beyond package-lock.json
//   npm test -- --all        also the stages that install other packages or need the programs in README.md; and every
//                            scenario and recording over every transport, and in a vm context, instead of a sample
//   npm test -- spec parity  only these stages
//
// The last line is the sum of all stages: "12 passed, 0 failed". A stage that prints neither such a line nor the counts
// of mocha counts as one test. A stage that leaves temporary files behind counts as failed once more. Exit code 1
// if a test failed.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../parity/temporary-folder';
import { type Count, runCommand, toNames } from './command';

interface Stage {
  name: string;
  command: string;
  /** The command that `--all` runs instead of `command`. */
  whole?: string;
  /** The stage installs packages from the npm registry, so it only runs with `--all` or by name. */
  needsRegistry?: boolean;
  /** The stage takes minutes, so it only runs with `--all` or by name. */
  isLong?: boolean;
}

const TRANSPORTS = 'npm run --silent parity -- --transport h1,h2,h2c,fetch --server create,wrapped,https';
const REALM = 'npm run --silent parity -- --realm vm';
const SETTLED = 'npm run --silent parity -- --candidate settled';
const RECORDED = 'npm run --silent parity -- --baseline corpus --transport h2,h2c,fetch';
const CIRCUMSTANCES = 'npm run --silent parity -- --circumstance all';
const TYPES = 'npm run --silent check -- types';
const TYPES_BUDGET = 'npm run --silent bench -- types --check';
const TYPE_FAULTS = 'npm run --silent verify -- mutate-types';

/** Two processes, because many specs mostly wait: for a program that they start, or for a timeout. */
const MOCHA = 'mocha --parallel --jobs 2';

/** Specs that run without coverage: they start processes, which are slow with it, or generate no code from strings. */
const UNCOVERED = [
  'spec/parity/**/*.spec.ts',
  'spec/scenarios.spec.ts',
  'spec/logger/no-code-generation.spec.ts',
];

/** Specs that only run with `--all` or by the name of their stage. */
const LONG = [
  // These need a program or a package that `npm ci` does not install.
  'spec/parity/network-panel.spec.ts',
  'spec/parity/page.spec.ts',
  'spec/parity/stripped-types.spec.ts',
  'spec/transports/clients.spec.ts',
  // These take tens of seconds.
  'spec/9-express4/packages.spec.ts',
  'spec/parity/corpus-package.spec.ts',
  'spec/parity/interrupted.spec.ts',
  'spec/parity/time.spec.ts',
  'spec/scripts/bench-gate.spec.ts',
  'spec/transports/upgrade-load.spec.ts',
];

const quoted = (files: readonly string[]): string => files.map((file) => `"${file}"`).join(' ');
const ignored = (files: readonly string[]): string => `--ignore "{${files.join(',')}}"`;

const FIRST: readonly Stage[] = [
  // With TypeScript 7, as the build, which has compiled src/: `npx tsc` would be that of another version.
  { name: 'typecheck', command: 'node node_modules/typescript/bin/tsc -p tsconfig.json --singleThreaded' },
  { name: 'lint', command: 'biome check' },
  { name: 'unused', command: 'knip' },
  { name: 'words', command: 'npm run --silent check -- words' },
  { name: 'casts', command: 'npm run --silent check -- casts' },
  { name: 'request-path', command: 'npm run --silent check -- request-path' },
  { name: 'clauses', command: 'npm run --silent check -- clauses' },
  { name: 'map', command: 'npm run --silent generate -- map --check' },
  { name: 'settings', command: 'npm run --silent generate -- settings --check' },
  { name: 'readme', command: 'npm run --silent generate -- readme --check' },
  { name: 'vex', command: 'npm run --silent generate -- vex --check' },
  { name: 'switching', command: 'npm run --silent generate -- switching --check' },
  { name: 'transports-page', command: 'npm run --silent generate -- transports --check' },
  { name: 'compatibility', command: 'npm run --silent generate -- compatibility --check' },
  { name: 'published', command: 'npm run --silent verify -- published' },
];

/** Stages that run beside each other, because none of them uses all processors. The longest ones start first. */
const BESIDE: readonly Stage[] = [
  { name: 'spec', command: `nyc ${MOCHA} "spec/**/*.spec.ts" ${ignored([...UNCOVERED, ...LONG])}` },
  { name: 'spec-parity', command: `${MOCHA} ${quoted(UNCOVERED)} ${ignored(LONG)}` },
  { name: 'types', command: `${TYPES} --sample`, whole: TYPES },
  { name: 'mutate-types', command: `${TYPE_FAULTS} --sample`, whole: TYPE_FAULTS },
  { name: 'parity', command: 'npm run --silent parity' },
  { name: 'realm', command: `${REALM} --shard 1/12`, whole: REALM },
  { name: 'settled', command: `${SETTLED} --shard 1/12`, whole: SETTLED },
  { name: 'transports', command: `${TRANSPORTS} --shard 1/12`, whole: TRANSPORTS },
  { name: 'circumstances', command: `${CIRCUMSTANCES} --section 2-resources/2.7 --section logger/1-service` },
  { name: 'mutate', command: 'npm run --silent verify -- mutate --sample' },
  { name: 'package', command: 'npm run --silent check -- package' },
  { name: 'types-budget', command: `${TYPES_BUDGET} --newest`, whole: TYPES_BUDGET },
];

const LAST: readonly Stage[] = [
  // Without --all, the stage spec-parity compares HTTP/1.1 with the recordings, and the stage transports compares the other
  // transports with HTTP/1.1.
  { name: 'fixtures-transports', command: RECORDED, isLong: true },
  { name: 'spec-long', command: `mocha ${quoted(LONG)}`, isLong: true },
  {
    name: 'routing',
    command: 'ROUTING_PAIRS=1000000 mocha spec/1-execution/order-exact.spec.ts',
    isLong: true,
  },
  { name: 'nginx', command: 'npm run --silent generate -- nginx --check', isLong: true },
  { name: 'speed', command: 'npm run --silent bench -- js --check' },
  { name: 'package-registry', command: 'npm run --silent check -- package --registry', needsRegistry: true },
  { name: 'runners', command: 'npm run --silent verify -- runners', needsRegistry: true },
  {
    name: 'runtimes',
    command: 'npm run --silent verify -- runtimes --on bun,deno,workerd --parts fetch,smoke --grep /',
    needsRegistry: true,
  },
  { name: 'ecosystem', command: 'npm run --silent verify -- ecosystem', needsRegistry: true },
  { name: 'agents-latest', command: 'npm run --silent verify -- ecosystem --latest', needsRegistry: true },
  { name: 'ecosystem-http2', command: 'npm run --silent verify -- ecosystem --http2', needsRegistry: true },
  { name: 'docs', command: 'npm run --silent docs -- --look', isLong: true },
  { name: 'cluster', command: 'npm run --silent verify -- cluster', isLong: true, needsRegistry: true },
  { name: 'applications', command: 'npm run --silent verify -- applications', needsRegistry: true },
];

const STAGES = [...FIRST, ...BESIDE, ...LAST];

const root = join(__dirname, '..');
const totals = join(root, 'report', 'totals.txt');
/** How many stages run at the same time. */
const LANES = 2;
/** Lets TypeScript 7, a program of Go, collect garbage less often: a third less CPU time, and 800 MB at most. */
const GOGC = '400';
/** Has one folder for temporary files for each lane. */
const temporary = temporaryFolder('test');

runCommand({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false } },
  run: ({ values, positionals }) => runStages(positionals, values.all),
});

/**
 * Runs stages.
 *
 * @param names The stages to run; empty for all, or without `isAll` for those that need no registry and are not long.
 * @returns The sum of their counts.
 */
async function runStages(names: readonly string[], isAll: boolean): Promise<Count> {
  toNames(
    names,
    STAGES.map(({ name }) => name),
  );
  rmSync(totals, { force: true });

  const isChosen = ({ name, needsRegistry, isLong }: Stage): boolean =>
    names.length === 0 ? isAll || !(needsRegistry || isLong) : names.includes(name);
  const counts: Count[] = [];
  const runInTurn = async (stages: Iterable<Stage>, lane = 0): Promise<void> => {
    for (const { name, command, whole } of stages) {
      const folder = join(temporary, String(lane));
      counts.push(await runStage(name, (isAll && whole) || command, folder, lane === 0));
    }
  };
  // All lanes take the next stage from the same iterator.
  const runBeside = async (stages: readonly Stage[]): Promise<void> => {
    const left = stages.filter(isChosen).values();
    await Promise.all(Array.from({ length: LANES }, (_, lane) => runInTurn(left, lane)));
  };
  await runBeside(FIRST);
  await runBeside(BESIDE);
  await runInTurn(LAST.filter(isChosen));

  const sum = counts.reduce(
    (total, { passed, failed }) => ({ passed: total.passed + passed, failed: total.failed + failed }),
    { passed: 0, failed: 0 },
  );
  mkdirSync(join(root, 'report'), { recursive: true });
  writeFileSync(totals, `${sum.passed} passed, ${sum.failed} failed\n`);
  console.log();
  return sum;
}

/**
 * Runs one stage and counts its tests.
 *
 * @param folder The folder for temporary files; created if missing.
 * @param isLive Whether to print the output while the stage runs; if not, the output is printed at the end.
 */
async function runStage(name: string, command: string, folder: string, isLive: boolean): Promise<Count> {
  if (isLive) console.log(`\n── ${name}`);
  const started = performance.now();
  mkdirSync(folder, { recursive: true });
  const { code, output } = await runShell(command, folder, isLive);
  if (!isLive) process.stdout.write(`\n── ${name}\n${output}`);
  const left = leftBehind(folder);
  const count = countOf(output, code === 0);
  if (left.length > 0) {
    console.log(`temporary files left behind: ${left.join(', ')}`);
    count.failed++;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`── ${name}: ${count.passed} passed, ${count.failed} failed (${seconds} s)`);
  return count;
}

/** Removes the files that a stage left behind, which are faults. @returns Their names, except those of the caches of tsx and Node.js. */
function leftBehind(folder: string): string[] {
  const left = readdirSync(folder).filter((name) => !/^(tsx-|node-compile-cache)/.test(name));
  for (const name of left) rmSync(join(folder, name), { recursive: true, force: true });
  return left;
}

/** Runs a command with `folder` as the folder for temporary files. */
function runShell(
  command: string,
  folder: string,
  isLive: boolean,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const env = { GOGC, ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder };
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

/** Reads the counts of a stage. A stage with an exit code above 0 that reports no failure counts as one failure. */
function countOf(output: string, isGood: boolean): { passed: number; failed: number } {
  const summary = output
    .match(/^(\d+) passed, (\d+) failed$/gm)
    ?.at(-1)
    ?.match(/\d+/g);
  const passed = Number(summary?.[0] ?? output.match(/^\s*(\d+) passing/m)?.[1] ?? (isGood ? 1 : 0));
  const failed = Number(summary?.[1] ?? output.match(/^\s*(\d+) failing/m)?.[1] ?? 0);
  return { passed, failed: isGood ? failed : Math.max(failed, 1) };
}
