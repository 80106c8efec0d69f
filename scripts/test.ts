// The whole proof, in the order that fails soonest. Run by `npm test`, which installs and builds first.
//
//   npm test                 everything
//   npm test -- spec parity  only these stages
//
// A stage that counts says so in its own last lines ("12 passing" or "12 passed, 0 failed"); any other stage
// counts as one. The last line is the sum of all. Exit code 1 when anything failed.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Stage {
  name: string;
  command: string;
}

interface Count {
  passed: number;
  failed: number;
}

const STAGES: readonly Stage[] = [
  { name: 'typecheck', command: 'npm run --silent typecheck' },
  { name: 'types', command: 'npm run --silent types' },
  { name: 'lint', command: 'npm run --silent lint' },
  { name: 'clauses', command: 'npm run --silent clauses' },
  { name: 'map', command: 'npm run --silent map -- --check' },
  { name: 'settings', command: 'npm run --silent settings -- --check' },
  { name: 'switching', command: 'npm run --silent switching -- --check' },
  { name: 'package', command: 'npm run --silent package' },
  { name: 'spec', command: 'npm run --silent coverage' },
  { name: 'parity', command: 'npm run --silent parity' },
  { name: 'fixtures', command: 'npm run --silent fixtures' },
];

const root = join(__dirname, '..');
const totals = join(root, 'report', 'totals.txt');

run(process.argv.slice(2)).then(
  (failed) => process.exit(failed === 0 ? 0 : 1),
  (err) => {
    console.error(`test: ${err.message}`);
    process.exit(2);
  },
);

async function run(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !STAGES.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    const known = STAGES.map((stage) => stage.name).join(', ');
    throw new Error(`wanted stages out of ${known}, got ${unknown.join(', ')}`);
  }
  rmSync(totals, { force: true });

  const sum: Count = { passed: 0, failed: 0 };
  for (const stage of STAGES.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const { passed, failed } = await runStage(stage);
    sum.passed += passed;
    sum.failed += failed;
  }

  const line = `${sum.passed} passed, ${sum.failed} failed`;
  mkdirSync(join(root, 'report'), { recursive: true });
  writeFileSync(totals, `${line}\n`);
  console.log(`\n${line}`);
  return sum.failed;
}

async function runStage({ name, command }: Stage): Promise<Count> {
  console.log(`\n── ${name}`);
  const started = performance.now();
  const { code, output } = await runCommand(command);
  const count = countOf(output, code === 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`── ${name}: ${count.passed} passed, ${count.failed} failed (${seconds} s)`);
  return count;
}

/** Run a command, showing what it prints while keeping it. */
function runCommand(command: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { cwd: root, shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk;
      process.stderr.write(chunk);
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** What a stage counted. One that failed without counting a failure (it broke, or coverage fell) counts one. */
function countOf(output: string, isGood: boolean): Count {
  const summary = output
    .match(/^(\d+) passed, (\d+) failed$/gm)
    ?.at(-1)
    ?.match(/\d+/g);
  const passed = Number(summary?.[0] ?? output.match(/^\s*(\d+) passing/m)?.[1] ?? (isGood ? 1 : 0));
  const failed = Number(summary?.[1] ?? output.match(/^\s*(\d+) failing/m)?.[1] ?? 0);
  return { passed, failed: isGood ? failed : Math.max(failed, 1) };
}
