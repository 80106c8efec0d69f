import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const folder = join(__dirname, '..', '..');
const page = readFileSync(join(__dirname, '../../../docs/security/advisories.md'), 'utf8');
const [tested = '', others = ''] = page.split('## Advisories without a test');

/** The entry points that files test. Other files test `5`. */
const ENTRY_POINTS: ReadonlyArray<readonly [file: RegExp, name: string]> = [
  [/express3/, '3'],
  [/^logger/, 'logger'],
  [/fetch\.spec/, 'fetch'],
];

/** For each advisory that a spec file names, the entry points that these files test. */
const named = new Map<string, Set<string>>();
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  // spec/scripts names ids only as examples.
  if (!file.endsWith('.spec.ts') || file.startsWith('scripts')) continue;
  const [, entryPoint = '5'] = ENTRY_POINTS.find(([one]) => one.test(file)) ?? [];
  for (const id of idsIn(readFileSync(join(folder, file), 'utf8')))
    named.set(id, (named.get(id) ?? new Set()).add(entryPoint));
}

describe('docs, the page about advisories', () => {
  it('lists exactly the advisories that specs name', () => {
    expect(sorted(idsIn(tested))).to.deep.equal(sorted([...named.keys()]));
  });

  it('lists for each advisory the entry points that specs test', () => {
    const rows = tested.split('\n').filter((line) => line.startsWith('| ') && idsIn(line).length > 0);

    expect(rows).to.have.lengthOf.at.least(30);
    for (const row of rows) {
      const [, , told = ''] = row.split(' | ');
      for (const id of idsIn(row))
        expect(sorted(told.split(', ')), id).to.deep.equal(sorted([...(named.get(id) ?? [])]));
    }
  });

  it('gives a reason for each advisory without a spec', () => {
    const rows = others.split('\n').filter((line) => idsIn(line).length > 0);

    expect(rows).to.have.lengthOf.at.least(3);
    for (const row of rows) expect(row).to.match(/\| [^|]{15,} \|$/);
    for (const id of idsIn(others)) expect([...named.keys()], 'tested after all').to.not.include(id);
  });
});

function idsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:CVE-\d{4}-\d+|GHSA(?:-[a-z0-9]{4}){3})/g)].map(([id]) => id);
}

function sorted(ids: readonly string[]): string[] {
  return [...new Set(ids)].sort();
}
