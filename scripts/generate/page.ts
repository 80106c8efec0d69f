/** Runs the commands that generate files, and replaces the generated parts of pages. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandName, runCommand } from '../command';
import { readIfThere } from '../document';

export const root = join(__dirname, '..', '..');

/** By path from the root of the repository. */
type Texts = Readonly<Record<string, string>>;

/**
 * Writes the files of a generator. With `--check`, writes nothing, and fails if a file is out of date.
 *
 * @param compose Returns the texts of the files.
 */
export function runGenerator(compose: () => Texts | Promise<Texts>): void {
  runCommand({
    options: { check: { type: 'boolean', default: false } },
    async run({ values }) {
      const expected = Object.entries(await compose());
      const stale = expected.filter(([path, text]) => readIfThere(join(root, path)) !== text);
      for (const [path, text] of stale) {
        if (!values.check) writeFileSync(join(root, path), text);
        console.log(
          values.check
            ? `${path} is out of date: run npm run generate -- ${commandName()}`
            : `${path} is written`,
        );
      }
      if (stale.length === 0) console.log(`${expected.map(([path]) => path).join(', ')}: up to date`);
      return !values.check || stale.length === 0;
    },
  });
}

/**
 * Replaces generated parts of a page, each between `<!-- name: begin -->` and `<!-- name: end -->` on lines of their own.
 *
 * @param path The path of the page from the root of the repository.
 * @param parts Their texts by name.
 * @returns The whole page.
 * @throws Error if the page has no such part.
 */
export function pageWith(path: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce(
    (page, [name, text]) => {
      const [begin, end] = [`<!-- ${name}: begin -->\n`, `<!-- ${name}: end -->`];
      const [before = '', rest] = page.split(begin, 2);
      const after = rest?.slice(rest.indexOf(end));
      if (!after?.startsWith(end)) throw new Error(`${path}: expected ${begin.trim()} and ${end}`);
      return before + begin + text + after;
    },
    readFileSync(join(root, path), 'utf8'),
  );
}
