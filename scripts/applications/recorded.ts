/** Compares a recording of a published application with its own Express and with this build in place of Express. */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { npmInstall } from '../../parity/harness/packages';
import { end, freePort, run, untilListening } from '../../parity/harness/processes';
import type { Result } from '../ecosystem/results';
import { formatLine } from '../table';
import { COMMAND, SEED } from './compare';
import type { Recorded } from './manifest';
import { visit } from './visit';

/** Milliseconds within which an application must listen. */
const START = 60_000;
/** Milliseconds to wait for a response. Some applications never end a response. */
const PATIENCE = '3000';

/**
 * Records an application, then compares it with the Express that it depends on.
 *
 * @param folder Installs, records and reports in this folder.
 * @returns The result; undefined if a response differs.
 */
export async function compareRecorded(
  one: Recorded,
  folder: string,
  browser: Browser,
): Promise<Result | undefined> {
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
        ...[isEqual ? '✓' : '✗', `${one.from} ${one.version}`, `express ${express}`],
        ...[`${pages} pages`, `${entries.length} requests  `, note],
      ],
      [-2, -52, -16, 9, 16],
    ),
  );
  if (!isEqual) console.log(`${result.stdout}${result.stderr}`);
  const played = `${entries.length} requests${pages > 0 ? `, ${pages} pages` : ''}`;
  const packages = [`${one.from}@${one.version}`];
  return isEqual ? { packages, express, played, outcome: note || 'same' } : undefined;
}

function compareRecording(
  one: Recorded,
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
function expressOf({ program }: Recorded, folder: string): string {
  const paths = [dirname(join(folder, program))];
  return JSON.parse(readFileSync(require.resolve('express/package.json', { paths }), 'utf8')).version;
}

function install(
  { from, version, beside = [], compile = [], prepare, program, source }: Recorded,
  folder: string,
): void {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'node_modules', '.package-lock.json'))) {
    npmInstall(folder, ['--ignore-scripts', `${from}@${version}`, ...beside]);
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
async function record(one: Recorded, { folder, home, har }: Places, browser: Browser): Promise<number> {
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

function argumentsOf({ args = [] }: Recorded, port: number): string[] {
  return args.map((one) => one.replaceAll('{port}', String(port)));
}

/** Creates an environment with another home folder, because applications store settings in the user's. */
function environmentOf({ env = {} }: Recorded, home: string): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, LANG } = process.env;
  return { PATH, ...(TMPDIR && { TMPDIR }), ...(LANG && { LANG }), HOME: home, ...env };
}
