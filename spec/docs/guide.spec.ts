/** The pages of the guide: their share of code, and the tabs that the site makes of commands that install packages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { GROUPS, withManagers } from '../../scripts/docs/stage';
import { codeBlocks, ROOT } from '../support/code-blocks';

/** The least share of lines of a page that are code, without empty lines and generated parts. */
const LEAST = 0.4;
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
    it(`${file} is code for at least ${LEAST * 100} %`, () => {
      expect(shareOfCode(file)).to.be.at.least(LEAST);
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
});
