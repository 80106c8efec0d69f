/** Compares a published application with Express and with this build, with the requests in its folder. */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRequests } from '../../parity/application/traffic';
import { install } from '../../parity/harness/packages';
import { run } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import type { Series } from '../ecosystem/cases';
import { freshOf, type Played, requestsOf, versionOf } from '../published/manifest';
import type { Result } from '../published/results';
import { ALLOWED, argumentsOf, REPORTS, reportTo, runParity, SEED, show } from './compare';

/**
 * Compares an application, and reads the warnings of `nozomi-parity doctor` about it.
 *
 * @param isDoctor Only reads the warnings.
 * @returns The result; undefined if a response differs, or if doctor prints a warning.
 */
export async function comparePlayed(
  one: Played,
  series: Series,
  isDoctor = false,
): Promise<Result | undefined> {
  const { home, prepare } = one;
  install(home, 'applications');
  mkdirSync(REPORTS, { recursive: true });
  if (prepare) run(process.execPath, prepare, home);
  // An application for Express 4 uses what doctor warns of.
  const isGood = (isDoctor || (await isEqual(one))) && (series === '4' || (await examine(one)));
  return isGood ? resultOf(one) : undefined;
}

async function isEqual(one: Played): Promise<boolean> {
  const { name, home, program } = one;
  const fresh = freshOf(one);
  // biome-ignore format: a table
  const played = await runParity(home, [
    program, '--requests', requestsOf(one), ...SEED, ...ALLOWED, ...(fresh ? ['--fresh', fresh] : []),
    ...reportTo(join(REPORTS, `${name}.html`)), '--', ...argumentsOf(one),
  ]);
  const summary = /^\d+ requests .*$/m.exec(played.stdout)?.[0] ?? 'did not run';
  return show(played.status === 0, cellsOf(one, summary), played);
}

/** @returns Whether `nozomi-parity doctor` prints no other warning than `mistakes`. Doctor can be wrong: a developer has to check each warning. */
async function examine(one: Played): Promise<boolean> {
  const { home, program, mistakes = {} } = one;
  const ignored = Object.keys(mistakes).flatMap((code) => ['--ignore', code]);
  const fresh = freshOf(one);
  const cwd = fresh ? temporaryFolder('applications') : home;
  if (fresh) cpSync(fresh, cwd, { recursive: true });
  const examined = await runParity(cwd, [
    'doctor',
    join(home, program),
    ...ignored,
    '--',
    ...argumentsOf(one),
  ]);
  const summary = /^\d+ warnings?, \d+ notes?$/m.exec(examined.stdout)?.[0] ?? 'did not run';
  return show(examined.status === 0, cellsOf(one, summary), examined);
}

function cellsOf(one: Played, summary: string): string[] {
  return [`${one.name}: ${one.from} ${versionOf(one.from, one.home)}`, `express ${expressOf(one)}`, summary];
}

function expressOf({ home }: Played): string {
  return versionOf('express', home);
}

function resultOf(one: Played): Result {
  const { requests } = readRequests(requestsOf(one));
  return {
    packages: [`${one.from}@${versionOf(one.from, one.home)}`],
    express: expressOf(one),
    played: `${requests.length} requests`,
    outcome: 'same',
  };
}
