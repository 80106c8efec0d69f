/** The pages that `npm run docs` makes of the specification, and its check for dead links. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { evidencePages, express4Pages, recordingPages } from '../../scripts/docs/evidence';
import { toMembers } from '../../scripts/docs/reference';
import { deadLinksIn, pagesBelow, unlinkMissing } from '../../scripts/links';
import clauses from '../clauses.json';
import express4 from '../express4.json';

describe('docs, pages of the specification', () => {
  const pages = [...evidencePages([]), ...express4Pages([])];
  const text = pages.map((page) => page.text).join('\n');

  it('have a heading for each clause of the framework, the logger and Express 4', () => {
    const ids = [...text.matchAll(/^## ((?:[FL]|E4)-\S+)$/gm)].map(([, id]) => id ?? '');

    expect(ids.sort()).to.deep.equal([...clauses, ...express4.clauses].map(({ id }) => id).sort());
  });

  it('show a recorded exchange for each clause with a scenario', () => {
    const blocks = text.split(/^## /m).filter((block) => /^- \*\*Scenarios:\*\* \[/m.test(block));
    const without = blocks.filter((block) => !block.includes('<details><summary>'));

    expect(blocks).to.have.length.above(1000);
    expect(without.map((block) => block.split('\n')[0])).to.deep.equal([]);
  });

  it('state for each divergence what Express and Nozomi do', () => {
    const redirect = pages.find(({ path }) => path === 'evidence/F-4.5.md')?.text ?? '';
    const back = redirect.slice(redirect.indexOf('## F-4.5-46'), redirect.indexOf('## F-4.5-47'));

    expect(back).to.include('**Express:** does not conform');
    expect(back).to.match(/\*\*Nozomi:\*\* `back` in res\.location/);
  });

  it('link only to scenarios that the pages of recordings have', () => {
    const anchors = new Set(
      recordingPages().flatMap((page) =>
        [...page.text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => `${page.path}#${id}`),
      ),
    );
    const links = [...text.matchAll(/\]\(\.\.\/(recordings\/[^)]+)\)/g)].map(([, to]) => to ?? '');

    expect(links).to.have.length.above(900);
    expect(links.filter((link) => !anchors.has(link))).to.deep.equal([]);
  });
});

describe('docs, check of the links of the site', () => {
  it('leads links of guide pages to a section of docs/api to the page of the member', () => {
    const text =
      'See [all](api/res.md#rescookiename-value-options), [it](../docs/api/app.md#none), [res](api/res.md).';

    expect(toMembers(text)).to.equal(
      'See [all](api/res.cookie.md), [it](../docs/api/app.md#none), [res](api/res.md).',
    );
  });

  it('reports links of pages to a heading that the other page does not have, and makes text of them', () => {
    const folder = temporaryFolder('links');
    writeFileSync(
      join(folder, 'a.md'),
      '[one](b.md#here) [two](b.md#none) [three](none.md) [four](src/x.ts)',
    );
    writeFileSync(join(folder, 'b.md'), '# Here');
    const lost = unlinkMissing(folder);
    const text = readFileSync(join(folder, 'a.md'), 'utf8');
    removeFolder(folder);

    expect(lost).to.deep.equal(['a.md: [two](b.md#none)']);
    expect(text).to.equal('[one](b.md#here) two three four (`src/x.ts`)');
  });

  it('reports links without a file or anchor, and links to the Markdown source of a page', () => {
    const folder = temporaryFolder('links');
    mkdirSync(join(folder, 'documents'));
    writeFileSync(join(folder, 'notes.md'), '');
    writeFileSync(join(folder, 'index.html'), '<h1 id="top">a</h1><a href="documents/page.html#here">b</a>');
    writeFileSync(
      join(folder, 'documents', 'page.html'),
      '<p id="here"><a href="../index.html#top"></a><a href="#none"></a><a href="other.html"></a>' +
        'More: types (<code>interfaces/a.html</code>), [types](b.md), <code>[code](c.md)</code>' +
        '<a href="../notes.md"></a><a href="https://example.com/none"></a><img alt="" src="none.svg"></p>',
    );
    const pages = pagesBelow(folder, '.html');
    const dead = deadLinksIn(folder, pages);
    removeFolder(folder);

    expect([...dead]).to.deep.equal([
      'documents/page.html: #none',
      'documents/page.html: other.html',
      'documents/page.html: ../notes.md',
      'documents/page.html: none.svg',
      'documents/page.html: interfaces/a.html',
      'documents/page.html: [types](b.md)',
    ]);
    expect([pages.length, dead.links]).to.deep.equal([2, 9]);
  });
});
