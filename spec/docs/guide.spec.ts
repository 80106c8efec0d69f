/** The pages of the guide: their share of code, and the tabs that the site makes of commands that install packages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { GROUPS, withManagers } from '../../scripts/docs/stage';
import { codeBlocks, ROOT } from '../support/code-blocks';

/** The least share of lines of a page that are code, without empty lines and generated parts. */
const MIN_SHARE_OF_CODE = 0.4;
/** A list of messages. */
const WITHOUT_CODE: readonly string[] = ['docs/errors.md'];

function shareOfCode(file: string): number {
  const generated = /<!-- (\w+): begin -->[\s\S]*?<!-- \1: end -->/g;
  const text = readFileSync(join(ROOT, file), 'utf8')
    .replace(generated, '')
    .replace(/^ *```.*$/gm, '');
  const isText = (line: string) => line.trim() !== '';
  const code = codeBlocks(file).flatMap((block) => block.code.split('\n').filter(isText));
  return code.length / text.split('\n').filter(isText).length;
}

describe('docs, pages of the guide', () => {
  for (const file of GROUPS.Guide.filter((page) => !WITHOUT_CODE.includes(page)))
    it(`${file} is code for at least ${MIN_SHARE_OF_CODE * 100} %`, () => {
      expect(shareOfCode(file)).to.be.at.least(MIN_SHARE_OF_CODE);
    });

  it('show commands that install packages for each package manager', () => {
    const shown = withManagers('```sh\nnpm install -D a b\n```\n');

    expect(shown.match(/^(?:npm|pnpm|yarn|bun) .*$/gm)).to.deep.equal([
      'npm install -D a b',
      'pnpm add -D a b',
      'yarn add -D a b',
      'bun add -D a b',
    ]);
  });

  it('leave other commands as they are', () => {
    const others = '```sh\nnpm run docs\n```\n\n```sh\nnpm install ../nozomi-5.3.0.tgz\n```\n';

    expect(withManagers(others)).to.equal(others);
  });

  it('are what the queries of the search name, and members of docs/api', () => {
    const kinds = parse(readFileSync(join(ROOT, 'scripts/docs/queries.yaml'), 'utf8')) as Record<
      string,
      object
    >;
    const pages = Object.values(kinds).flatMap((queries) => Object.keys(queries));
    const headings = readdirSync(join(ROOT, 'docs', 'api'))
      .map((file) => readFileSync(join(ROOT, 'docs', 'api', file), 'utf8'))
      .join('\n');
    const missing = pages.filter((page) =>
      page.endsWith('.md') ? !existsSync(join(ROOT, page)) : !headings.includes(`\n## ${page}`),
    );

    expect(Object.keys(kinds)).to.deep.equal(['members', 'tasks', 'words of tasks', 'packages', 'errors']);
    expect(pages).to.have.length.above(56);
    expect(missing).to.deep.equal([]);
  });
});
