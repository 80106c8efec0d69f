/** Checks the relative links of the documents in the repository. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { deadLinksIn } from '../../scripts/links';

const ROOT = join(__dirname, '..', '..');
const FOLDERS = ['docs', 'spec', 'parity', 'fixtures', 'examples', 'scripts'];

function documents(): string[] {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  return [...readdirSync(ROOT), ...below].filter(
    (file) => file.endsWith('.md') && !/node_modules|\.generated|dead-links/.test(file),
  );
}

describe('docs, relative links in the repository', () => {
  it('lead to a file, and to a heading or anchor in it', () => {
    const files = documents();

    expect(files).to.include.members(['README.md', join('docs', 'parity.md')]);
    expect(deadLinksIn(ROOT, files)).to.deep.equal([]);
  });

  it('are reported if no file or heading exists, however they are written, but not in code and comments', () => {
    expect(deadLinksIn(ROOT, [join('spec', 'docs', 'dead-links.md')])).to.deep.equal(
      [
        '[no file](none.md)',
        '[no heading](../../README.md#none)',
        '![no image](none.png)',
        '[a title](titled.md "Title")',
        '[`code` and [brackets]](brackets.md)',
        '[a reference][reference]',
        '[a cell](cell.md)',
        'tag.md',
        'tag.png',
      ].map((link) => `spec/docs/dead-links.md: ${link}`),
    );
  });
});
