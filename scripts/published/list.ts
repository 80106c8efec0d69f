/** Lists everything published that the commands run: what is in manifest.yaml, and the cases of spec/ecosystem. */
import { join, relative } from 'node:path';
import { NOT_PLAYED } from '../../parity/divergences/packages';
import { ALL_SERIES, type Case, home, listCases } from '../ecosystem/cases';
import {
  CONVERTED,
  LATEST,
  MIGRATED,
  MIGRATED_HOME,
  playedOn,
  RECORDED,
  RUNNERS,
  requestsOf,
  versionOf,
} from './manifest';
import type { Run } from './results';

/** The runs without results in docs/compatibility.md. */
const NOT_KEPT = ['ecosystem --latest', 'applications --migrated', 'migrate-packages'] as const;

/** Something that a command runs. */
export interface Listed {
  /** The arguments of `npm run check`. */
  readonly run: Run | (typeof NOT_KEPT)[number];
  /** The name of the case, application or test runner. */
  readonly name: string;
  /** Names with versions, that of the tested package first. */
  readonly packages: readonly string[];
  /** The file that starts it, with its arguments, or the module with the case. */
  readonly starts: string;
  /** The file with its requests, if no other file sends them. */
  readonly requests?: string;
}

/** @returns Everything, in the order of the commands. */
export function listPublished(): Listed[] {
  const cases = listCases([]);
  const on5 = cases.filter(({ statuses }) => statuses[5]);
  return [
    ...ALL_SERIES.flatMap((series) =>
      ofCases(
        `ecosystem --series ${series}`,
        cases.filter(({ statuses }) => statuses[series]),
      ),
    ),
    ...ofCases(
      'ecosystem --http2',
      on5.filter(({ name }) => !Object.hasOwn(NOT_PLAYED, name)),
    ),
    ...ofCases(
      'ecosystem --latest',
      cases.filter(({ family }) => LATEST.includes(family)),
    ),
    ...ALL_SERIES.flatMap((series) =>
      playedOn(series).map((one): Listed => {
        const packages = [`${one.from}@${versionOf(one.from, one.home)}`];
        return { run: `applications --series ${series}`, packages, ...startOf(one, requestsOf(one)) };
      }),
    ),
    ...RECORDED.map((one): Listed => {
      const packages = [`${one.from}@${one.version}`];
      return { run: 'applications --recorded', packages, ...startOf(one, join(one.home, 'requests.http')) };
    }),
    ...[...MIGRATED.keys()].map((name): Listed => {
      const packages = [`${name}@${versionOf(name, MIGRATED_HOME)}`];
      const start = { name, program: pathOf(join(MIGRATED_HOME, name, 'start.js')), args: [] };
      const requests = join(MIGRATED_HOME, name, 'requests.http');
      return { run: 'applications --migrated', packages, ...startOf(start, requests) };
    }),
    ...CONVERTED.map((one): Listed => {
      const name = one.slice(0, one.lastIndexOf('@'));
      return { run: 'migrate-packages', name, packages: [one], starts: 'only its paths are converted' };
    }),
    ...Object.values(RUNNERS).map(({ about, package: tool = 'node', args }): Listed => {
      return { run: 'runners', name: about, packages: [tool], starts: args };
    }),
  ];
}

function ofCases(run: Listed['run'], cases: readonly Case[]): Listed[] {
  return cases.map(({ name, packages, family }) => {
    return { run, name, packages, starts: pathOf(join(home, 'cases', `${family}.cjs`)) };
  });
}

export function isKept(run: Listed['run']): run is Run {
  return !NOT_KEPT.some((one) => one === run);
}

interface Start {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

function startOf(
  { name, program, args }: Start,
  requests: string,
): Pick<Listed, 'name' | 'starts' | 'requests'> {
  return { name, starts: [program, ...args].join(' '), requests: pathOf(requests) };
}

function pathOf(file: string): string {
  return relative(join(__dirname, '..', '..'), file).replaceAll('\\', '/');
}
