/** Installs Node.js 24 from the npm registry if this version does not strip types, so only `npm test -- --all` runs this spec. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../parity/temporary-folder';
import { nodeOf } from '../../scripts/bench/node';
import { ROOT, runParity } from '../support/command';

describe('parity: an application in TypeScript without tsx', () => {
  const HEAD = "import express from 'express';\nimport type { Request, Response } from 'express';\n";
  const SERVE =
    "express().get('/', (_req: Request, res: Response): void => { res.send(word); }).listen(3000);\n";
  const hasTypes = Boolean((process.features as { typescript?: unknown }).typescript);
  let folder: string;
  let node: string;

  before(() => {
    node = hasTypes ? process.execPath : nodeOf('24');
    folder = temporaryFolder('typed');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(join(ROOT, 'node_modules', 'express'), join(folder, 'node_modules', 'express'), 'junction');
    writeFileSync(join(folder, 'word.ts'), "export const word: string = 'typed';\n");
    writeFileSync(join(folder, 'app.ts'), `${HEAD}import { word } from './word.ts';\n${SERVE}`);
    writeFileSync(join(folder, 'enum.ts'), `${HEAD}enum Word { typed }\nconst word = Word[0];\n${SERVE}`);
    writeFileSync(join(folder, 'hello.http'), 'GET /\n');
  });

  it('runs with the type stripping of Node.js', async () => {
    const { output, errors } = await runParity(['app.ts', '--requests', 'hello.http', '--show'], {
      cwd: folder,
      node,
    });

    expect(output + errors).to.match(/\n {2}1\.body +typed\n/);
  });

  it('ends in an error with the package to install if Node.js would have to compile it', async () => {
    const { output, errors } = await runParity(['enum.ts', '--requests', 'hello.http'], {
      cwd: folder,
      node,
    });

    expect(output + errors)
      .to.match(/^parity: enum\.ts does not start with express:\n.*enum\.ts:3\n/)
      .and.match(/\nnpm install --save-dev tsx\n$/);
  });
});
