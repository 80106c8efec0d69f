/** Reads the titles of all specs, and the clause ids in them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface SpecTitle {
  /** The titles of the enclosing `describe`s, then that of the test, as mocha prints them. */
  readonly fullTitle: string;
  /** An absolute path. */
  readonly file: string;
}

/**
 * Reads the titles of all specs from `mocha --dry-run`, because loops create many of them.
 *
 * @throws Error if mocha cannot load the specs.
 */
export function specTitles(root: string): readonly SpecTitle[] {
  const output = join(root, 'report', 'spec-titles.json');
  mkdirSync(dirname(output), { recursive: true });
  const mocha = join(dirname(require.resolve('mocha/package.json')), 'bin', 'mocha.js');
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [mocha, 'spec/**/*.spec.ts', '--dry-run', '--reporter', 'json', '--reporter-option', `output=${output}`],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`mocha --dry-run could not load the specs:\n${stderr || stdout}`);
  return (JSON.parse(readFileSync(output, 'utf8')) as { tests: SpecTitle[] }).tests;
}

/** @returns The clause ids in a title. A range such as `F-4.5-12…15` stands for each id in it. */
export function clausesIn(title: string): string[] {
  const ofExpress4 = title.match(/\bE4-[A-J]\d+/g) ?? [];
  const documented = [...title.matchAll(/\b([FL]-\d+(?:\.\d+)?-)(\d+)(?:(?:…|\.\.\.?)(\d+))?/g)].flatMap(
    ([, section = '', first = '', last = first]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_none, index) => {
        return section + String(Number(first) + index).padStart(first.length, '0');
      }),
  );
  return [...documented, ...ofExpress4];
}
