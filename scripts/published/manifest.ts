/** Reads manifest.yaml: the published applications and test runners that we run, by what is run. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import { ALL_SERIES, type Series } from '../ecosystem/cases';

const text = v.string();
const texts = v.array(text);

/** How an application starts. What is run can have its own members, which replace those of the application. */
const START = {
  /** The file to start, relative to the folder with the packages. */
  program: v.exactOptional(text),
  /** Arguments for the application. `{port}` stands for the port to listen on. */
  args: v.exactOptional(texts),
  /** Arguments for `node` that generate the application. The command runs first, in the folder with the packages. */
  prepare: v.exactOptional(texts),
};

/** Played with Express and with this build, with the packages of a lockfile and the requests of its folder. */
const PLAYED = v.strictObject({
  ...START,
  on: v.array(v.picklist(ALL_SERIES)),
  /** The folder with `requests.http`; default the name. Applications can share one. */
  folder: v.exactOptional(text),
  /** The true warnings of `nozomi-parity doctor` on Express 5, by code, with the reason. */
  mistakes: v.exactOptional(v.record(text, text)),
});

/** Recorded in a folder of its own, with the Express that it depends on, and requests that Chromium sends. */
const RECORDING = v.strictObject({
  ...START,
  version: text,
  env: v.exactOptional(v.record(text, text)),
  /** Packages with native code, to compile after the installation, which runs no scripts. */
  compile: v.exactOptional(texts),
  /** Other packages to install, as arguments of `npm install`. */
  beside: v.exactOptional(texts),
  /** Versions by name of the package, for dependencies that npm cannot install as they are declared. */
  overrides: v.exactOptional(v.record(text, text)),
  /** The oldest Node.js that runs it; default that of this process. */
  node: v.exactOptional(v.number()),
  /**
   * The pages to open in Chromium, each with up to five pages that it links to, before the requests. Absent: it has no
   * pages, and Node.js sends the requests with `fetch`.
   */
  pages: v.exactOptional(texts),
});

const APPLICATION = v.strictObject({
  ...START,
  about: text,
  /** The npm package that contains the application; default its name. */
  from: v.exactOptional(text),
  played: v.exactOptional(PLAYED),
  recorded: v.exactOptional(RECORDING),
  /** The files and folders that `nozomi-parity migrate` converts, before the application is played again. */
  migrated: v.exactOptional(texts),
  /** The version whose paths `nozomi-parity migrate` converts, without running the application. */
  converted: v.exactOptional(text),
});

const RUNNER = v.strictObject({
  about: text,
  /** The package to install; absent for the test runner of Node.js. */
  package: v.exactOptional(text),
  /** The package to install instead for Node.js before 22.12. */
  older: v.exactOptional(text),
  /** The arguments of Node.js, or of `binary`, separated by spaces. */
  args: text,
  /** The path of a binary that replaces Node.js, below node_modules. */
  binary: v.exactOptional(text),
  /** Express and entry points of this package; default: all of the three major versions. */
  frameworks: v.exactOptional(texts),
});

const SCHEMA = v.strictObject({
  applications: v.record(text, APPLICATION),
  runners: v.record(text, RUNNER),
  latest: texts,
});

type Application = v.InferOutput<typeof APPLICATION>;
type Start = Pick<Application, 'program' | 'args'>;
interface Started {
  readonly name: string;
  readonly from: string;
  readonly about: string;
  /** The folder with the packages and the lockfile; of a recording that with `requests.http`, `fresh` and perhaps `program`. */
  readonly home: string;
  readonly program: string;
  readonly args: string[];
}
export type Played = v.InferOutput<typeof PLAYED> & Started;
export type Recorded = v.InferOutput<typeof RECORDING> & Started;
export type Runner = v.InferOutput<typeof RUNNER>;

const SPEC = join(__dirname, '..', '..', 'spec', 'applications');
/** The folders with the packages by series of Express. */
const HOMES: Readonly<Record<Series, string>> = { 5: SPEC, 4: join(SPEC, 'express4') };
const MANIFEST = v.parse(SCHEMA, parse(readFileSync(join(__dirname, 'manifest.yaml'), 'utf8')));
const all = Object.entries(MANIFEST.applications);

function startOf(name: string, one: Application, own: Start, home: string): Started {
  const { from = name, about } = one;
  const { program, args = [] } = { ...one, ...own };
  if (program === undefined) throw new TypeError(`manifest.yaml: "${name}" has no program`);
  return { name, from, about, home, program, args };
}

/** @returns The applications to compare with Express 5.3.0 or 4.22.3. */
export function playedOn(series: Series): readonly Played[] {
  return all.flatMap(([name, one]) => {
    const { played } = one;
    return played?.on.includes(series) ? { ...played, ...startOf(name, one, played, HOMES[series]) } : [];
  });
}

/** Applications to record, and to compare with the Express that they depend on. */
export const RECORDED: readonly Recorded[] = all.flatMap(([name, one]) => {
  const { recorded } = one;
  return recorded ? { ...recorded, ...startOf(name, one, recorded, join(SPEC, 'recorded', name)) } : [];
});

/** The folder with the applications of Express 4 to migrate: their packages, requests, and scripts that start them. */
export const MIGRATED_HOME: string = join(SPEC, 'migrated');
/** The files and folders to migrate, by name of the package. */
export const MIGRATED: ReadonlyMap<string, readonly string[]> = new Map(
  all.flatMap(([name, { migrated }]) => (migrated ? [[name, migrated]] : [])),
);

/** The packages whose paths are converted, as `kue@0.11.6`. */
export const CONVERTED: readonly string[] = all.flatMap(([name, { converted }]) =>
  converted ? [`${name}@${converted}`] : [],
);

export const RUNNERS: Readonly<Record<string, Runner>> = MANIFEST.runners;

/** The families of cases whose packages are also run in their newest versions. */
export const LATEST: readonly string[] = MANIFEST.latest;

export function requestsOf(one: Played): string {
  return fileOf(one, 'requests.http');
}

/** @returns The folder to copy for each run; undefined if the application can run in its own folder. */
export function freshOf(one: Played): string | undefined {
  const fresh = fileOf(one, 'fresh');
  return existsSync(fresh) ? fresh : undefined;
}

/** Finds a file of an application in its own home, else in that of Express 5, whose requests it may share. */
function fileOf({ name, folder = name, home }: Played, file: string): string {
  const own = join(home, folder, file);
  return existsSync(own) ? own : join(SPEC, folder, file);
}

/** Reads the installed version of a package from the lockfile. */
export function versionOf(from: string, home: string): string {
  const lock = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'));
  return lock.packages[`node_modules/${from}`].version;
}
