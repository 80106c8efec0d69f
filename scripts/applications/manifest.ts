/**
 * Reads manifest.yaml: the published applications that are compared, by how they are compared. Their requests and other
 * files are in spec/applications.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import type { Series } from '../ecosystem/cases';

const text = v.string();
const texts = v.array(text);

const APPLICATION = {
  /** The npm package that contains the application. */
  from: text,
  about: text,
  /** The file to start, relative to the folder with the packages. */
  program: text,
  /** Arguments for the application. `{port}` stands for the port to listen on. */
  args: v.exactOptional(texts),
  /** Arguments for `node` that generate the application. The command runs first, in the folder with the packages. */
  prepare: v.exactOptional(texts),
};

/** An application with a lockfile. */
const PLAYED = v.strictObject({
  ...APPLICATION,
  /** The name for the command line and the reports. */
  name: text,
  on: v.array(v.picklist(['5', '4'])),
  /** The folder with `requests.http`; default `name`. Applications can share one. */
  folder: v.exactOptional(text),
  /** Run each time in a new copy of the folder `fresh`, because the application reads or writes files there. */
  isFresh: v.exactOptional(v.literal(true)),
  /** The true warnings of `nozomi-parity doctor` on Express 5, by code, with the reason. */
  mistakes: v.exactOptional(v.record(text, text)),
});

/** An application in a folder of its own, with the Express that it depends on, and requests that Chromium sends. */
const RECORDING = v.strictObject({
  ...APPLICATION,
  /** The name of its folder; default `from`. */
  name: v.exactOptional(text),
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

const SCHEMA = v.strictObject({
  played: v.array(PLAYED),
  recorded: v.array(RECORDING),
  /** The files and folders to migrate, by name of the package. */
  migrated: v.record(text, texts),
});

/** `home` is the folder with the packages and the lockfile. */
export type Played = v.InferOutput<typeof PLAYED> & { readonly home: string };

/** `home` is the folder with `requests.http`, the files of the working directory in `fresh`, and `program`, if it is there. */
export type Recorded = v.InferOutput<typeof RECORDING> & { readonly name: string; readonly home: string };

const SPEC = join(__dirname, '..', '..', 'spec', 'applications');
/** The folders with the packages by series of Express. */
const HOMES: Readonly<Record<Series, string>> = { 5: SPEC, 4: join(SPEC, 'express4') };
const LISTS = v.parse(SCHEMA, parse(readFileSync(join(__dirname, 'manifest.yaml'), 'utf8')));

/** @returns The applications to compare with Express 5.3.0 or 4.22.3. */
export function playedOn(series: Series): readonly Played[] {
  return LISTS.played.filter(({ on }) => on.includes(series)).map((one) => ({ ...one, home: HOMES[series] }));
}

/** Applications to record, and to compare with the Express that they depend on. */
export const RECORDED: readonly Recorded[] = LISTS.recorded.map(({ name, ...one }) => {
  const folder = name ?? one.from;
  return { ...one, name: folder, home: join(SPEC, 'recorded', folder) };
});

/** The folder with the applications of Express 4 to migrate: their packages, requests, and scripts that start them. */
export const MIGRATED_HOME = join(__dirname, '..', 'migrate', 'applications');
export const MIGRATED: Readonly<Record<string, readonly string[]>> = LISTS.migrated;

export function requestsOf(one: Played): string {
  return fileOf(one, 'requests.http');
}

/** @returns The folder to copy for each run; undefined if the application can run in its own folder. */
export function freshOf(one: Played): string | undefined {
  return one.isFresh && fileOf(one, 'fresh');
}

/** Finds a file of an application in its own home, else in that of Express 5, whose requests it may share. */
function fileOf({ name, folder = name, home }: Played, file: string): string {
  const own = join(home, folder, file);
  return existsSync(own) ? own : join(SPEC, folder, file);
}

/** Reads the installed version of an application from the lockfile. */
export function versionOf({ from, home }: Pick<Played, 'from' | 'home'>): string {
  const lock = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'));
  return lock.packages[`node_modules/${from}`].version;
}
