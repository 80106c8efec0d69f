/** Compares a recording of a published application with its own Express and with this build in place of Express. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { npmInstall } from '../../parity/harness/packages';
import { freePort, run } from '../../parity/harness/processes';
import { versionOf } from '../bench/node';
import { nodeFor } from '../ecosystem/play';
import type { Recorded } from '../published/manifest';
import type { Result } from '../published/results';
import { ALLOWED, argumentsOf, type Ended, record, reportTo, runParity, SEED, show } from './compare';
import { visit } from './visit';

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
  const places = { folder, home: join(folder, 'home'), har: join(folder, 'traffic.har') };
  layOut(one, places);
  const pages = await recordPages(one, places, browser);
  const { entries } = JSON.parse(readFileSync(places.har, 'utf8')).log;
  const express = expressOf(one, folder);
  let result = await compareRecording(one, places, []);
  let outcome = 'same';
  // Nozomi behaves like the latest Express 4 or 5, so an older version may differ. Compare again with the latest one.
  const reference = referenceOf(express);
  if (result.status === 1 && express !== reference.version) {
    console.log(result.stdout);
    outcome = `equal to ${reference.version}, which differs from ${express}`;
    const { baseline, candidate } = reference;
    result = await compareRecording(one, places, ['--baseline', baseline, '--candidate', candidate]);
  }
  const played = `${entries.length} requests${pages > 0 ? `, ${pages} pages` : ''}`;
  const packages = [`${one.from}@${one.version}`];
  const cells = [`${one.from} ${one.version}`, `express ${express}`, played, outcome];
  const isEqual = show(result.status === 0, cells, result);
  return isEqual ? { packages, express, played, outcome, node: versionOf(nodeFor(one.node)) } : undefined;
}

/** Copies the files of the working directory. */
function layOut(one: Recorded, { home }: Places): void {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "dependencies": {}, "devDependencies": {} }');
  const fresh = join(one.home, 'fresh');
  if (existsSync(fresh)) cpSync(fresh, home, { recursive: true });
}

function compareRecording(
  one: Recorded,
  { folder, home, har }: Places,
  implementations: readonly string[],
): Promise<Ended> {
  return runParity(
    folder,
    // biome-ignore format: a table
    [
      join(folder, one.program), '--har', har, '--fresh', home, '--patience', PATIENCE, ...SEED,
      ...ALLOWED, ...implementations, ...reportTo(join(folder, 'parity.html')), '--', ...argumentsOf(one),
    ],
    { env: environmentOf(one, home), node: nodeFor(one.node) },
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

function install(one: Recorded, folder: string): void {
  const { from, version, beside = [], overrides, compile = [], prepare, program, home } = one;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'node_modules', '.package-lock.json'))) {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, overrides }));
    npmInstall(folder, ['--ignore-scripts', `${from}@${version}`, ...beside]);
    if (compile.length > 0) run('npm', ['rebuild', ...compile], folder);
  }
  const start = join(home, program);
  if (existsSync(start)) cpSync(start, join(folder, program));
  if (prepare) run(process.execPath, prepare, folder);
}

interface Places {
  readonly folder: string;
  readonly home: string;
  readonly har: string;
}

/** Records an application in Chromium. @returns The number of pages that Chromium opened. */
async function recordPages(one: Recorded, { folder, home, har }: Places, browser: Browser): Promise<number> {
  const cwd = join(folder, 'recording');
  rmSync(cwd, { recursive: true, force: true });
  cpSync(home, cwd, { recursive: true });
  const port = await freePort();
  const args = [join(folder, one.program), '-o', har, '--', ...argumentsOf(one, port)];
  const { seen } = await record(
    cwd,
    args,
    port,
    { env: environmentOf(one, cwd), node: nodeFor(one.node) },
    (origin) => visit(one, origin, browser),
  );
  return seen;
}

/** Creates an environment with another home folder, because applications store settings in the user's. */
function environmentOf({ env = {} }: Recorded, home: string): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, LANG } = process.env;
  return { PATH, ...(TMPDIR && { TMPDIR }), ...(LANG && { LANG }), HOME: home, ...env };
}
