/** Lists the cases of spec/ecosystem. Listing does not load their packages, which may not be installed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toNames } from '../command';

export interface Case {
  /** Begins with the name of the package: `helmet`, `multer on disk`. */
  readonly name: string;
  /** The name of its file in spec/ecosystem/cases, without `.cjs`. */
  readonly family: string;
  /** The folder with its package.json: spec/ecosystem, or a folder there with the name of the family. */
  readonly base: string;
  /** What the case does, for the table of docs/compatibility.md. */
  readonly shows: string;
  /** Names with exact versions (`helmet@8.3.0`), the tested package first. */
  readonly packages: readonly string[];
  /** The expected statuses with Express, one per request, by version of Express. Undefined: not played with it. */
  readonly statuses: Readonly<Partial<Record<Series, readonly number[]>>>;
  /** The oldest Node.js that the package runs on. Undefined: any supported one. */
  readonly node: number | undefined;
  /** Kills the case after this many seconds. */
  readonly seconds: number;
  /** Why the package fails on Express 5; it must fail on this build in the same way. Undefined if it works. */
  readonly breaks: string | undefined;
  /** Whether `--http2` starts a server of `nozomi/http2` for the case, instead of one of `node:http2`. */
  readonly ownServer: boolean;
}

/** A major version of Express, and the tarball of this build that replaces it. */
export type Series = '4' | '5';
export const ALL_SERIES: readonly Series[] = ['5', '4'];

/** @throws TypeError if the value of the option `--series` is no series. @returns The series to play; default both. */
export function toSeries(option: string | undefined): readonly Series[] {
  return option === undefined ? ALL_SERIES : toNames([option], ALL_SERIES, 'series');
}

interface CaseModule {
  readonly shows: string;
  readonly uses?: readonly string[];
  /** Absent for a case that only runs with Express 4. */
  readonly statuses?: readonly number[];
  /** Absent for a case that only runs with Express 5. */
  readonly statuses4?: readonly number[];
  readonly node?: number;
  readonly seconds?: number;
  readonly breaks?: string;
  readonly ownServer?: boolean;
}

export const home: string = join(__dirname, '..', '..', 'spec', 'ecosystem');

/**
 * Lists cases in the order of their files.
 *
 * @param wanted Names of cases, packages or families; empty for all.
 * @throws Error for a name without a case.
 */
export function listCases(wanted: readonly string[]): Case[] {
  const all = readdirSync(join(home, 'cases'))
    .sort()
    .map((file) => file.replace(/\.cjs$/, ''))
    .flatMap(readFamily);
  const isNamed = ({ name, family }: Case, word: string): boolean =>
    [name, name.split(' ')[0], family].includes(word);
  const unknown = wanted.filter((word) => !all.some((one) => isNamed(one, word)));
  if (unknown.length > 0)
    throw new Error(`spec/ecosystem/cases has no case, package or family called ${unknown.join(', ')}`);
  return wanted.length === 0 ? all : all.filter((one) => wanted.some((word) => isNamed(one, word)));
}

function readFamily(family: string): Case[] {
  const modules: Record<string, CaseModule> = require(join(home, 'cases', `${family}.cjs`));
  const own = join(home, family);
  const base = existsSync(own) ? own : home;
  const { dependencies } = JSON.parse(readFileSync(join(base, 'package.json'), 'utf8'));
  return Object.entries(modules).map(([name, { uses = [], statuses, statuses4, ...one }]) => ({
    name,
    family,
    base,
    shows: one.shows,
    statuses: bySeries(name, statuses, statuses4),
    node: one.node,
    seconds: one.seconds ?? 120,
    breaks: one.breaks,
    ownServer: one.ownServer ?? false,
    packages: [name.replace(/ .*/, ''), ...uses].map((used) => {
      const version = dependencies[used];
      if (!version)
        throw new Error(`case "${name}": add its package ${used} to ${join(base, 'package.json')}`);
      return `${used}@${version}`;
    }),
  }));
}

function bySeries(
  name: string,
  on5: readonly number[] | undefined,
  on4: readonly number[] | undefined,
): Case['statuses'] {
  if (!on5 && !on4) throw new Error(`case "${name}": add the statuses that Express responds with`);
  return { ...(on5 && { 5: on5 }), ...(on4 && { 4: on4 }) };
}
