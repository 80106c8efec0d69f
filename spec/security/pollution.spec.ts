/** An application of which a package, or an attacker, has extended `Object.prototype`. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);

const SOURCES = join(__dirname, '..', '..', 'src');
const PROGRAM = join(__dirname, '..', 'support', 'polluted.ts');

/**
 * The names of members that `name?:` or `name?(` declares as optional in `src`: only these may be inherited by mistake.
 * Not `value`, because then no property can be defined by `get` and `set`.
 */
const NAMES = [
  ...new Set(readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).flatMap(optionalIn)),
].filter((name) => !(name in Object.prototype) && name !== 'value');

function optionalIn(file: string): string[] {
  if (!file.endsWith('.ts')) return [];
  const text = readFileSync(join(SOURCES, file), 'utf8');
  return [...text.matchAll(/\b([a-z_]\w*)\?[:(]/gi)].map(([, name]) => name as string);
}

/** Names of options that this package accepts in addition to those of Express. */
const ADDED: Readonly<Record<string, readonly string[]>> = { 'nozomi/3': ['sameSite'] };

async function responsesOf(framework: string): Promise<Record<string, string[]>> {
  const args = ['--no-deprecation', '--require', 'tsx/cjs', PROGRAM, framework, ['unread', ...NAMES].join()];
  // In production, error pages show no stack.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { stdout } = await run(process.execPath, args, { env, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout);
}

describe('Object.prototype with a further property', () => {
  for (const [build, reference] of [
    ['nozomi', 'express'],
    ['nozomi/4', 'express4'],
    ['nozomi/3', 'express3'],
  ] as const) {
    it(`${build}: no name of an optional member changes a response, unless it does so in Express`, async () => {
      const [ours, theirs] = await Promise.all([responsesOf(build), responsesOf(reference)]);

      expect(NAMES).to.include.members(['default', 'verify', 'mergeParams']);
      const changed = NAMES.filter((name) =>
        ours[name]?.some((response, index) => {
          const allowed = [ours.unread?.[index], theirs[name]?.[index]];
          // With some names, Express fails. Then any response is as good.
          return !allowed.includes(response) && !allowed.some((one) => one?.startsWith('500 '));
        }),
      );
      expect(changed).to.deep.equal(ADDED[build] ?? []);
    });
  }
});
