/** The titles of all specs, with the clauses in them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface SpecTitle {
  readonly fullTitle: string;
  /** The absolute path. */
  readonly file: string;
}

/**
 * The titles as mocha prints them, with those of their `describe`s first. mocha loads the specs, because loops create
 * many titles.
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
  if (status !== 0) throw new Error(`mocha could not load the specs\n${stderr || stdout}`);
  return (JSON.parse(readFileSync(output, 'utf8')) as { tests: SpecTitle[] }).tests;
}

/** The clauses in a title: `F-4.5-12 F-4.5-13`, or `F-4.5-12…15` for a range. */
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
