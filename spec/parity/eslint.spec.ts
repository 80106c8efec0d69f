/** Installs ESLint and nozomi-parity, and lints applications as `eslint.config.js` of docs/routes-and-doctor.md says. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { npmInstall } from '../../parity/harness/packages';
import { temporaryFolder } from '../../parity/temporary-folder';
import { makeTarball } from '../../scripts/package/tarball';
import { makeTools } from '../../scripts/package/tools';
import { ROOT } from '../support/command';

const MISTAKES = `const express = require('express');
const fs = require('node:fs');
const app = express();
app.get('/twice', (req, res) => {
  if (req.query.a) res.send('a');
  res.send('b');
});
app.get('/late', (req, res) => {
  res.send('a');
  res.set('X', '1');
});
app.get('/promise', (req, res) => { res.json(fetch('/')); });
app.get('/host', (req, res) => { res.redirect('www.example.com'); });
app.get('/status', (req, res) => { res.json(404, {}); });
app.get('/undefined', (req, res) => { res.status(undefined).end(); });
app.get('/next', (req, res) => { next(); });
app.get('/callback', (req, res) => {
  fs.readFile('a', (err) => {
    if (err) throw err;
    res.end();
  });
});
async function silent(req, res) {
  try {
    res.json(await load());
  } catch {}
}
app.get('/catch', silent);
app.get('/swapped', (res, req) => { res.send('a'); });
async function load() {}
`;

/** As above, but each handler is right, or the file is of another framework. */
const SOUND = `import express, { type Request, type Response } from 'express';
const app = express();
app.get('/twice', (req: Request, res: Response) => {
  if (req.query.a) return void res.send('a');
  res.send('b');
});
app.use(async (req, res, next) => { next(); });
app.use((err: Error, _req: Request, res: Response, _next: unknown) => { res.status(500).send(err.message); });
export default app;
`;
const OTHER =
  "const app = require('koa-router')();\napp.get('/', (req, res) => { res.send(1); res.send(2); });\n";

describe('nozomi-parity/eslint', () => {
  let folder: string;

  before(() => {
    folder = temporaryFolder('eslint');
    const [tools, nozomi] = [makeTools(folder), makeTarball('5', folder)];
    const files: Readonly<Record<string, string>> = {
      'package.json': '{"private":true}',
      'eslint.config.mjs': configIn(readFileSync(join(ROOT, 'docs', 'routes-and-doctor.md'), 'utf8')),
      'mistakes.cjs': MISTAKES,
      'sound.ts': SOUND,
      'other.cjs': OTHER,
      'broken.cjs': "const express = require('express'",
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    npmInstall(folder, ['eslint', 'typescript-eslint', 'typescript@5', 'express@5', tools, nozomi]);
  });

  it('reports each mistake on its line, with the name of its rule', () => {
    expect(lint('mistakes.cjs')).to.deep.equal([
      '6 nozomi/second-response',
      '10 nozomi/header-after-response',
      '12 nozomi/promise-sent',
      '13 nozomi/redirect-without-scheme',
      '14 nozomi/status-as-body',
      '15 nozomi/status-undefined',
      '16 nozomi/next-undeclared',
      '19 nozomi/throw-in-callback',
      '26 nozomi/catch-without-response',
      '29 nozomi/parameters-swapped',
    ]);
  });

  it('reports nothing in sound handlers in TypeScript, in files of other frameworks, and in the examples', () => {
    expect(lint('sound.ts')).to.deep.equal([]);
    expect(lint('other.cjs')).to.deep.equal([]);
    // GET /late of the bookshop shows what an application survives with Nozomi.
    const found = ['bookshop/app', 'hermetic/app', 'websocket/server', 'cluster/server'].flatMap((name) => {
      writeFileSync(join(folder, 'example.cjs'), readFileSync(join(ROOT, 'examples', `${name}.js`)));
      return lint('example.cjs').map((one) => `${name}:${one}`);
    });
    expect(found).to.deep.equal(['bookshop/app:138 nozomi/throw-in-callback']);
  });

  it('knows the version of Express that a file loads', () => {
    const installed = join(folder, 'four', 'node_modules', 'express');
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, 'package.json'), '{"version":"4.22.3"}');
    const text = "const app = require('express')();\napp.get('/', (req, res) => { res.send(404); });\n";
    for (const name of ['four/app.cjs', 'five.cjs']) writeFileSync(join(folder, name), text);

    expect(lint('four/app.cjs')).to.deep.equal([]);
    expect(lint('five.cjs')).to.deep.equal(['2 nozomi/status-as-body']);
  });

  it('leaves a file that cannot be parsed to ESLint', () => {
    expect(lint('broken.cjs')).to.deep.equal(['1 null']);
  });

  it('has types', () => {
    writeFileSync(
      join(folder, 'types.mts'),
      "import nozomi from 'nozomi-parity/eslint';\nexport const names: string[] = Object.keys(nozomi.rules);\n",
    );
    const tsc = join(folder, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', 'types.mts'];
    execFileSync(process.execPath, [tsc, ...options], { cwd: folder, stdio: 'pipe' });
  });

  function lint(file: string): string[] {
    const eslint = join(folder, 'node_modules', 'eslint', 'bin', 'eslint.js');
    const { stdout, stderr } = spawnSync(process.execPath, [eslint, '--format', 'json', file], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).to.equal('');
    const [{ messages }] = JSON.parse(stdout) as [
      { messages: Array<{ line: number; ruleId: string | null }> },
    ];
    return messages.map(({ line, ruleId }) => `${line} ${ruleId}`);
  }
});

/**
 * The code block of a page that is a configuration of ESLint. It has no language, because the packages that it imports are
 * not installed where the other blocks of the guide run.
 */
function configIn(page: string): string {
  return /```\n(\/\/ eslint\.config\.mjs\n[\s\S]*?)```/.exec(page)?.[1] ?? '';
}
