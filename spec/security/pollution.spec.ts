/** An application of which a package, or an attacker, has extended `Object.prototype`. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import nozomi from 'nozomi';
import { strict } from 'nozomi/extras';

const run = promisify(execFile);

const SOURCES = join(__dirname, '..', '..', 'src');
const PROGRAM = join(__dirname, '..', 'support', 'polluted.ts');

/** The fields of property descriptors, which only Node.js and V8 read. */
const OF_DESCRIPTORS = ['get', 'set', 'value', 'writable', 'enumerable', 'configurable'];

/**
 * What the package could inherit by mistake: the names of members that `name?:` or `name?(` declares as optional in
 * `src`, the names of settings, and the fields of property descriptors.
 */
const NAMES = [
  ...new Set([
    ...readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).flatMap(optionalIn),
    ...Object.keys(strict(nozomi()).settings),
    ...OF_DESCRIPTORS,
  ]),
].filter((name) => !(name in Object.prototype));

function optionalIn(file: string): string[] {
  if (!file.endsWith('.ts')) return [];
  const text = readFileSync(join(SOURCES, file), 'utf8');
  return [...text.matchAll(/(\b[a-z_]\w*|'[\w -]+')\?[:(]/gi)].map(([, name = '']) =>
    name.replaceAll("'", ''),
  );
}

/**
 * What changes a response of `nozomi/3` alone: it has the options of cookies, `req.baseUrl` and `res.sendFile` of
 * Express 5, and the packages cookie and http-errors in current versions, which check the domain and read the status.
 */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  'nozomi/3': ['baseUrl', 'domain', 'headers', 'sameSite', 'status'],
};

/** How many names to add at a time. With `--all`, each is added alone, too, in case one name hides what another does. */
const AT_A_TIME = process.env.POLLUTED === 'alone' ? 1 : 8;
/** Names that have changed a response of another series. They are added alone at once. */
const known = new Set<string>();

/** @returns The names in groups, with commas and semicolons. */
function groupsOf(names: readonly string[], most: number): string {
  const [alone, rest] = [true, false].map((isKnown) => names.filter((name) => known.has(name) === isKnown));
  const groups = alone?.map((name) => [name]) ?? [];
  for (let left = rest ?? []; left.length > 0; left = left.slice(most)) groups.push(left.slice(0, most));
  return groups.map((group) => group.join()).join(';');
}

interface Responses {
  /** The names that were added. */
  readonly added: readonly string[];
  /** Without a name that the framework reads. */
  readonly usual: readonly string[];
  /** With a name that changes a response. */
  readonly responses: Readonly<Record<string, readonly string[]>>;
}

async function responsesOf(framework: string, names: readonly string[], most: number): Promise<Responses> {
  const args = ['--no-deprecation', '--require', 'tsx/cjs', PROGRAM, framework, groupsOf(names, most)];
  // In production, error pages show no stack.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { stdout } = await run(process.execPath, args, { env, maxBuffer: 2 ** 28 });
  return JSON.parse(stdout);
}

function isFailure(response = ''): boolean {
  return /^HTTP\/1.1 500 |^uncaught |closed$/.test(response);
}

describe('Object.prototype with a further property', () => {
  for (const [build, reference] of [
    ['nozomi', 'express'],
    ['nozomi/4', 'express4'],
    ['nozomi/3', 'express3'],
  ] as const) {
    it(`${build}: no optional member or setting changes a response, unless it does so in Express`, async () => {
      const { added, usual, responses } = await responsesOf(build, NAMES, AT_A_TIME);

      expect(NAMES).to.include.members(['default', 'verify', 'mergeParams', 'strict paths fn', 'get']);
      expect(added).to.have.members(NAMES);
      expect(usual.filter(isFailure)).to.deep.equal([]);
      const names = Object.keys(responses);
      for (const name of names) known.add(name);
      const theirs = names.length === 0 ? undefined : await responsesOf(reference, names, 1);
      const changed = names.filter((name) =>
        responses[name]?.some((response, index) => {
          const expected = (theirs?.responses[name] ?? theirs?.usual)?.[index];
          // With some names, Express fails. Then any response is as good.
          return response !== expected && response !== usual[index] && !isFailure(expected);
        }),
      );
      expect(changed.sort()).to.deep.equal(ADDED[build] ?? []);
    });
  }
});
