// Records published applications with `nozomi-parity record` while Chromium opens their pages. Then plays the recordings to
// the applications with their own version of Express and with Nozomi, and compares the responses. Run this script
// before a release. It installs some 2000 packages in a temporary folder.
//
//   npm run verify -- recorded                        all applications
//   npm run verify -- recorded ungit peer          only the named applications
//   npm run verify -- recorded --folder <folder>   installs, records and reports in this folder, and keeps the files
//   npm run verify -- recorded --write             also adds the results to docs/compatibility.md if all are equal
//
// Chromium must be on the PATH, or its path in the variable CHROMIUM. Exit code: 0 if all are equal, 1 if one differs,
// 2 if the script could not run.
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { npmInstall } from '../../parity/harness/packages';
import { end, freePort, run, untilListening } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { findChromium } from '../../spec/support/chromium';
import { runCommand } from '../command';
import { writePage } from '../ecosystem/page';
import { keepResults, type Result } from '../ecosystem/results';
import { formatLine } from '../table';
import { APPLICATIONS, nameOf, type RecordedApplication } from './list';
import { visit } from './visit';

const COMMAND = join(__dirname, '..', '..', 'dist', 'parity', 'command', 'bin.js');
/** Milliseconds within which an application must listen. */
const START = 60_000;
/** Milliseconds to wait for a response. Some applications never end a response. */
const PATIENCE = '3000';
/** Seeds random ids and tokens, which must be equal in both runs. */
const SEED = '7';

runCommand({
  name: 'recorded',
  file: __filename,
  options: { folder: { type: 'string' }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
  async run({ values, positionals }) {
    const chosen = choose(positionals);
    const executablePath = findChromium();
    if (!executablePath) throw new Error('Chromium was not found: install it, or set CHROMIUM to its path');
    const folder = values.folder ? resolve(values.folder) : temporaryFolder('recorded');
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const outcomes: [string, Result][] = [];
    let failed = 0;
    try {
      for (const one of chosen) {
        const { isEqual, result } = await compare(one, join(folder, nameOf(one)), browser);
        if (isEqual) outcomes.push([nameOf(one), result]);
        else failed++;
      }
    } finally {
      await browser.close();
    }
    if (values.write && failed === 0) {
      keepResults('recorded', Object.fromEntries(outcomes), APPLICATIONS.map(nameOf));
      writePage();
    }
    console.log(`${outcomes.length} passed, ${failed} failed`);
    return failed === 0;
  },
});

function choose(names: readonly string[]): readonly RecordedApplication[] {
  const unknown = names.filter((name) => !APPLICATIONS.some((one) => one.name === name));
  if (unknown.length > 0)
    throw new TypeError(
      `no application is called ${unknown.join(', ')}; the names are ${APPLICATIONS.map(({ name }) => name).join(', ')}`,
    );
  return APPLICATIONS.filter(({ name }) => names.length === 0 || names.includes(name));
}

async function compare(
  one: RecordedApplication,
  folder: string,
  browser: Browser,
): Promise<{ isEqual: boolean; result: Result }> {
  install(one, folder);
  const home = join(folder, 'home');
  for (const [file, text] of Object.entries({
    'package.json': '{ "dependencies": {}, "devDependencies": {} }',
    ...one.files,
  })) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
  }
  const har = join(folder, 'traffic.har');
  const pages = await record(one, { folder, home, har }, browser);
  const { entries } = JSON.parse(readFileSync(har, 'utf8')).log;
  const express = expressOf(one, folder);
  let result = compareRecording(one, { folder, home, har }, []);
  let note = '';
  // Nozomi behaves like the latest Express 4 or 5, so an older version may differ. Compare again with the latest one.
  const reference = referenceOf(express);
  if (result.status === 1 && express !== reference.version) {
    console.log(result.stdout);
    note = `equal to ${reference.version}, which differs from ${express}`;
    const { baseline, candidate } = reference;
    result = compareRecording(one, { folder, home, har }, ['--baseline', baseline, '--candidate', candidate]);
  }
  const isEqual = result.status === 0;
  console.log(
    formatLine(
      [
        ...[isEqual ? '✓' : '✗', `${one.name} ${one.version}`, `express ${express}`],
        ...[`${pages} pages`, `${entries.length} requests  `, note],
      ],
      [-2, -52, -16, 9, 16],
    ),
  );
  if (!isEqual) console.log(`${result.stdout}${result.stderr}`);
  const played = `${entries.length} requests${pages > 0 ? `, ${pages} pages` : ''}`;
  const packages = [`${one.name}@${one.version}`];
  return { isEqual, result: { packages, express, played, outcome: note || 'same' } };
}

function compareRecording(
  one: RecordedApplication,
  { folder, home, har }: Places,
  implementations: readonly string[],
): SpawnSyncReturns<string> {
  return spawnSync(
    process.execPath,
    [
      ...[COMMAND, join(folder, one.program), '--har', har, '--fresh', home],
      ...['--patience', PATIENCE, '--seed', SEED, ...implementations],
      ...['--reporter', 'terminal', '--reporter', `html=${join(folder, 'parity.html')}`],
      ...['--', ...argumentsOf(one, 3000)],
    ],
    { cwd: folder, encoding: 'utf8', env: environmentOf(one, home), maxBuffer: 1e9 },
  );
}

/** @returns For a version of Express, the latest version of the same series, and the arguments that compare with it. */
function referenceOf(express: string): { version: string; baseline: string; candidate: string } {
  const isOld = express.startsWith('4.');
  const folder = dirname(require.resolve(isOld ? 'express4/package.json' : 'express/package.json'));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return {
    version,
    baseline: `${folder}+${dirname(require.resolve('morgan/package.json'))}`,
    candidate: isOld ? 'express4-build' : 'build',
  };
}

/** @returns The version of Express that the application loads. */
function expressOf({ program }: RecordedApplication, folder: string): string {
  const paths = [dirname(join(folder, program))];
  return JSON.parse(readFileSync(require.resolve('express/package.json', { paths }), 'utf8')).version;
}

function install(
  { name, version, beside = [], compile = [], prepare, program, source }: RecordedApplication,
  folder: string,
): void {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'node_modules', '.package-lock.json'))) {
    npmInstall(folder, ['--ignore-scripts', `${name}@${version}`, ...beside]);
    if (compile.length > 0) run('npm', ['rebuild', ...compile], folder);
  }
  if (source) writeFileSync(join(folder, program), source);
  if (prepare) run(process.execPath, prepare, folder);
}

interface Places {
  readonly folder: string;
  readonly home: string;
  readonly har: string;
}

/**
 * Runs `nozomi-parity record` while `visit` opens pages and sends requests.
 *
 * @returns The number of pages that Chromium opened.
 */
async function record(
  one: RecordedApplication,
  { folder, home, har }: Places,
  browser: Browser,
): Promise<number> {
  const cwd = join(folder, 'recording');
  rmSync(cwd, { recursive: true, force: true });
  cpSync(home, cwd, { recursive: true });
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [COMMAND, 'record', join(folder, one.program), '-o', har, '--', ...argumentsOf(one, port)],
    { cwd, env: { ...environmentOf(one, cwd), PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  try {
    await untilListening(port, child, START);
    return await visit(one, `http://127.0.0.1:${port}`, browser);
  } catch (error) {
    throw new Error(`${one.name}: ${(error as Error).message}\n${output}`);
  } finally {
    await end(child, 'SIGINT');
  }
}

function argumentsOf({ args = [] }: RecordedApplication, port: number): string[] {
  return args.map((one) => one.replaceAll('{port}', String(port)));
}

/** Creates an environment with another home folder, because applications store settings in the user's. */
function environmentOf({ env = {} }: RecordedApplication, home: string): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, LANG } = process.env;
  return { PATH, ...(TMPDIR && { TMPDIR }), ...(LANG && { LANG }), HOME: home, ...env };
}
