/** Reads the cases of spec/ecosystem from their files. A case requires its packages only when it is played. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../spec/ecosystem/package.json';

export interface Case {
  /** The name, which begins with the name of the package. */
  readonly name: string;
  /** The name of its file, without `.cjs`. */
  readonly family: string;
  readonly shows: string;
  /** The packages with exact versions, the tested one first. */
  readonly packages: readonly string[];
  /** The statuses of Express, request by request. */
  readonly statuses: readonly number[];
  /** The reason why the package fails on Express 5. It must fail in the same way on this build. */
  readonly breaks: string | undefined;
  /** Whether a server of `nozomi/http2` serves the case over HTTP/2, instead of one of `node:http2`. */
  readonly ownServer: boolean;
}

interface CaseModule {
  readonly shows: string;
  readonly uses?: readonly string[];
  readonly statuses: readonly number[];
  readonly breaks?: string;
  readonly ownServer?: boolean;
}

export const home: string = join(__dirname, '..', '..', 'spec', 'ecosystem');

/** All cases, or those with these names, packages or families. */
export function listCases(wanted: readonly string[]): Case[] {
  const all = readdirSync(join(home, 'cases'))
    .sort()
    .map((file) => file.replace(/\.cjs$/, ''))
    .flatMap(readFamily);
  const isNamed = ({ name, family }: Case, word: string): boolean =>
    [name, name.split(' ')[0], family].includes(word);
  const unknown = wanted.filter((word) => !all.some((one) => isNamed(one, word)));
  if (unknown.length > 0) throw new Error(`expected names of cases or families, got ${unknown.join(', ')}`);
  return wanted.length === 0 ? all : all.filter((one) => wanted.some((word) => isNamed(one, word)));
}

function readFamily(family: string): Case[] {
  const modules: Record<string, CaseModule> = require(join(home, 'cases', `${family}.cjs`));
  return Object.entries(modules).map(([name, { shows, uses = [], statuses, breaks, ownServer = false }]) => ({
    name,
    family,
    shows,
    statuses,
    breaks,
    ownServer,
    packages: [name.replace(/ .*/, ''), ...uses].map((used) => `${used}@${versionOf(used, name)}`),
  }));
}

function versionOf(used: string, name: string): string {
  const version = (manifest.dependencies as Record<string, string>)[used];
  if (!version) throw new Error(`case "${name}": expected ${used} in spec/ecosystem/package.json, got none`);
  return version;
}
