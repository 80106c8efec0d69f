import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../parity/temporary-folder';
import { brokenReferences } from '../../scripts/check/references';

/** Writes a repository with one source file and one document. @returns Its path. */
function repositoryOf(source: string, document: string): string {
  const root = temporaryFolder('references');
  for (const folder of ['src', 'spec', 'parity', 'scripts', 'examples', 'docs'])
    mkdirSync(join(root, folder));
  writeFileSync(join(root, 'src', 'source.ts'), source);
  writeFileSync(join(root, 'docs', 'page.md'), document);
  return root;
}

describe('npm run check -- clauses, references to the specification', () => {
  it('accepts sections, clauses and sections of other standards', () => {
    const root = repositoryOf(
      '/** Sends a body. §4.5 · RFC 9110 §99.9, §98 (F-4.5-71) */',
      '[§9.3](../spec/framework.md#f-9.3)\n\n```\n§4.5\n```\n',
    );

    expect(brokenReferences(root)).to.deep.equal([]);
  });

  it('reports references to sections, clauses and anchors that do not exist', () => {
    const root = repositoryOf('/** \u00a74.6, F-4.5-999 */', '[here](../spec/logger.md#l-2.9)');

    expect(brokenReferences(root)).to.deep.equal([
      'src/source.ts: spec/framework.md has no section \u00a74.6',
      'src/source.ts: there is no clause or section F-4.5-999',
      'docs/page.md: the link spec/logger.md#l-2.9 has no target',
    ]);
  });

  it('reports a section in a document that is not a link', () => {
    expect(brokenReferences(repositoryOf('', 'As §4.5 says.'))).to.deep.equal([
      'docs/page.md: §4.5 must be a link to spec/framework.md#f-4.5',
    ]);
  });
});
