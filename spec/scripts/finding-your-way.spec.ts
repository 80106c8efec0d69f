import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import clauses from '../clauses.json';

const docs = join(__dirname, '..', '..', 'docs');
const rows = readFileSync(join(docs, 'finding-your-way.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| [FL]-/.test(line))
  .map((line) => {
    const [, id = '', behaviour = '', files = '', code = ''] = line
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    return {
      id,
      behaviour,
      files: [...files.matchAll(/\]\(([^)]+)\)/g)].map(([, file]) => join(docs, file as string)),
      code: (/^`(.+?)`/.exec(code)?.[1] ?? '').replaceAll('\\|', '|'),
    };
  });

describe('docs/finding-your-way.md', () => {
  it('lists the 20 clauses that its seed selects', () => {
    expect(rows.map(({ id }) => id)).to.deep.equal(draw(20261122, 20));
  });

  for (const { behaviour, files, code } of rows) {
    it(`names a line of code, its file, and at most one file that imports that file: ${behaviour}`, () => {
      const texts = files.map((file) => readFileSync(file, 'utf8'));
      expect(files).to.have.length.within(1, 2);
      expect(code).to.not.equal('');
      expect(texts.at(-1)).to.include(code);
      const [first = '', second] = files;
      if (second) expect(texts[0]).to.match(leadsFrom(first, second));
    });
  }
});

/**
 * @returns A pattern that matches an `import` of the second file in the first. If the second file is in another folder,
 *   it matches any file of that folder.
 */
function leadsFrom(first: string, second: string): RegExp {
  const name = basename(second, '.ts');
  const folder = basename(dirname(second));
  return dirname(first) === dirname(second)
    ? new RegExp(`'\\./${name}'`)
    : new RegExp(`'(?:\\.{1,2}/)+${folder}/[\\w-]+'`);
}

/** @returns Random ids of clauses, drawn with the generator mulberry32. */
function draw(seed: number, count: number): string[] {
  let state = seed;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const left = clauses.map(({ id }) => id);
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0] ?? '');
}
