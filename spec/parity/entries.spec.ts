import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../parity/temporary-folder';
import { nodeOf } from '../../scripts/bench/node';
import { APPLICATIONS, ROOT, runParity } from '../support/command';

describe('parity: entry files of applications', () => {
  for (const [what, args, body] of [
    ['TypeScript', ['typed.ts'], 'hello types'],
    ['a cluster, as one worker', ['clustered.js'], 'worker 1'],
    ['a cluster whose workers run another file', ['clustered-elsewhere.js'], 'the database is there'],
    ['an application that listens after another server', ['beside.js'], 'the application'],
    ['an application that exports itself and listens late', ['late.js'], 'the database is there'],
    ['an application whose server.close ignores its callback', ['own-close.js'], 'closes itself'],
    ['HTTPS', ['secure.js'], '{"protocol":"https","secure":true,"version":"1.1"}'],
    [
      'HTTP/2 with HTTP/1.1 beside it',
      ['secure.js', '--', 'http2'],
      '{"protocol":"https","secure":true,"version":"1.1"}',
    ],
  ] as const) {
    it(`plays requests to ${what}`, async () => {
      const [file, ...behind] = args;
      const given = [file, '--requests', 'hello.http'];
      const shown = await run(APPLICATIONS, ...given, '--show', '--only', 'GET /', ...behind);

      expect(shown.output).to.match(new RegExp(`\\n {2}1\\.body +${escapeRegExp(body)}\\n`));
    });
  }

  it('compares the responses of an application that listens with TLS', async () => {
    const { output } = await run(APPLICATIONS, 'secure.js', '--requests', 'hello.http');

    expect(output).to.match(/\n2 passed, 0 failed\n$/);
  });

  it('prints an error of one line for a server without HTTP/1.1', async () => {
    const { output } = await run(APPLICATIONS, 'secure.js', '--requests', 'hello.http', '--', 'only-http2');

    expect(output).to.match(
      /^parity: secure.js does not start with express:\nTypeError: the server accepts only HTTP\/2, /,
    );
    expect(output)
      .to.include('allowHTTP1: true')
      .and.not.match(/\n +at /);
  });

  it('compares an application without morgan', async () => {
    const folder = temporaryFolder('no-morgan');
    cpSync(join(APPLICATIONS, 'whoami.js'), join(folder, 'whoami.js'));
    cpSync(join(APPLICATIONS, 'hello.http'), join(folder, 'hello.http'));
    cpSync(join(ROOT, 'node_modules', 'express'), join(folder, 'node_modules', 'express'), {
      recursive: true,
    });
    symlinkSync(
      join(ROOT, 'node_modules'),
      join(folder, 'node_modules', 'express', 'node_modules'),
      'junction',
    );
    const { output } = await run(folder, 'whoami.js', '--requests', 'hello.http');

    expect(output).to.match(/express +\["express",true\]\n +nozomi +\["nozomi",true\]/);
  });
});

describe('parity: an application in TypeScript without tsx', () => {
  const HEAD = "import express from 'express';\nimport type { Request, Response } from 'express';\n";
  const SERVE =
    "express().get('/', (_req: Request, res: Response): void => { res.send(word); }).listen(3000);\n";
  const hasTypes = Boolean((process.features as { typescript?: unknown }).typescript);
  let folder: string;
  let node: string;

  before(() => {
    // The first run installs Node.js 24 if this version of Node.js does not strip types.
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
    const { output } = await runWith(node, folder, 'app.ts', '--requests', 'hello.http', '--show');

    expect(output).to.match(/\n {2}1\.body +typed\n/);
  });

  it('ends in an error with the package to install if Node.js would have to compile it', async () => {
    const { output } = await runWith(node, folder, 'enum.ts', '--requests', 'hello.http');

    expect(output)
      .to.match(/^parity: enum\.ts does not start with express:\n.*enum\.ts:3\n/)
      .and.match(/\nnpm install --save-dev tsx\n$/);
  });

  if (!process.allowedNodeEnvironmentFlags.has('--experimental-strip-types') && !hasTypes)
    it('ends in an error of one line in a version of Node.js that does not strip types', async () => {
      const { output } = await run(folder, 'app.ts', '--requests', 'hello.http');

      expect(output).to.match(
        /^parity: .*app\.ts: Node\.js \S+ does not run TypeScript by itself: npm install --save-dev tsx\n$/,
      );
    });
});

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function run(cwd: string, ...args: string[]): Promise<{ output: string }> {
  return runWith(process.execPath, cwd, ...args);
}

async function runWith(node: string, cwd: string, ...args: string[]): Promise<{ output: string }> {
  const { output, errors } = await runParity(args, { cwd, node });
  return { output: output + errors };
}
