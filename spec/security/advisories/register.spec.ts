import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const folder = join(__dirname, '..');
const page = readFileSync(join(__dirname, '../../../docs/security/advisories.md'), 'utf8');
const [tested = '', others = ''] = page.split('## Not ours to test');

describe('advisories: the page that lists them', () => {
  it('names every advisory that a test is named for, and no other as tested', () => {
    const titles = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.spec.ts'))
      .flatMap((file) => idsIn(readFileSync(join(folder, file), 'utf8')));

    expect(sorted(idsIn(tested))).to.deep.equal(sorted(titles));
  });

  it('gives a reason for every other', () => {
    const rows = others.split('\n').filter((line) => idsIn(line).length > 0);

    expect(rows).not.to.be.empty;
    for (const row of rows) expect(row).to.match(/\| [^|]{15,} \|$/);
  });
});

function idsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:CVE-\d{4}-\d+|GHSA(?:-[a-z0-9]{4}){3})/g)].map(([id]) => id);
}

function sorted(ids: readonly string[]): string[] {
  return [...new Set(ids)].sort();
}
