import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { RUNNING_CODES } from '../../parity/inspect/findings/codes';
import { COMMAND, ROOT, runParity } from '../support/command';
import { filesOf } from '../support/files';
import { serving } from '../support/serve';
import { until } from '../support/until';

/** An application with a mistake in each route that a request shows, and `/sound` without one. */
const PROGRAM = `const express = require('express');
const app = express();
app.get('/twice', (req, res) => {
  const answer = res.json.bind(res);
  answer(1);
  answer(2);
});
app.get('/late', (req, res) => {
  const answer = res.json.bind(res);
  answer(1);
  res.set('X', '1');
});
app.get('/promise', (req, res) => {
  const value = new Map([['a', Promise.resolve(1)]]).get('a');
  res.json(value);
});
app.get('/status', (req, res) => {
  const { status } = req.query;
  res.status(status).end();
});
app.get('/number', (req, res) => {
  const status = Number('404');
  res.send(status);
});
app.get('/host', (req, res) => {
  const host = ['www', 'example', 'com'].join('.');
  res.redirect(host);
});
app.get('/unset', (req, res) => {
  const name = 'id';
  const of = (request) => request.session[name];
  res.json(of(req));
});
app.get('/blocks', (req, res) => {
  const end = performance.now() + 80;
  while (performance.now() < end);
  res.end();
});
app.get('/rejects', async () => {
  await null;
  throw new Error('rejected');
});
app.get('/waits', (req, res, next) => {
  if (req.query.go) next();
});
app.get('/sound', (req, res, next) => { setTimeout(next, 60); }, async (req, res) => {
  res.status(201).set('X', '1').cookie('a', 'b');
  res.json(await Promise.resolve({ status: 404 }));
  res.end();
});
app.get('/refused', () => { throw Object.assign(new Error('refused'), { status: 403 }); });
app.get('/callback', (req, res, next) => {
  setImmediate(() => {
    JSON.parse(req.query.text);
  });
});
app.listen(0, function () {
  console.log('port ' + this.address().port);
});
`;

describe('nozomi-parity dev', () => {
  const running: Running[] = [];
  afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())));

  it('prints each mistake once, where a request shows it, and errors with the lines around them', async () => {
    const dev = start({ 'app.js': PROGRAM }, 'app.js', '--once');
    await dev.untilRead();
    for (const path of 'twice late promise status number host unset blocks rejects sound refused'.split(' '))
      for (let time = 0; time < 2; time++) await dev.get(`/${path}`);
    void dev.get('/waits').catch(() => undefined);
    await until(() => dev.errors.includes('no response after'));

    expect(dev.places()).to.deep.equal([
      'warning NOZOMI_SECOND_RESPONSE app.js:6',
      'warning NOZOMI_HEADER_AFTER_RESPONSE app.js:11',
      'warning NOZOMI_PROMISE_SENT app.js:15',
      'warning NOZOMI_STATUS_UNDEFINED app.js:19',
      'error TypeError: Invalid status code: undefined. Status code must be an integer. app.js:19',
      'warning NOZOMI_STATUS_AS_BODY app.js:23',
      'warning NOZOMI_REDIRECT_WITHOUT_SCHEME app.js:27',
      "error TypeError: Cannot read properties of undefined (reading 'id') app.js:31",
      'warning NOZOMI_HANDLER_BLOCKS app.js:34',
      'error Error: rejected app.js:41',
      'note NOZOMI_REQUEST_HANGS app.js:43',
    ]);
    expect(dev.errors).to.contain('GET /twice: res.json() responds again: res.json() has responded in ');
    expect(dev.errors).to.contain(
      [
        "  29 | app.get('/unset', (req, res) => {",
        "  30 |   const name = 'id';",
        '> 31 |   const of = (request) => request.session[name];',
        '     |                                          ^',
        '  32 |   res.json(of(req));',
        '  33 | });',
        '  GET /unset',
        '  req.session is undefined: express-session or cookie-session sets it',
      ].join('\n'),
    );
  });

  it('prints the error that ends the application, which ends with its exit code', async () => {
    const dev = start({ 'app.js': PROGRAM }, 'app.js', '--once');
    await dev.untilRead();
    const ended = once(dev.child, 'close');
    await dev.get('/callback?text=a').catch(() => undefined);

    expect(await ended).to.deep.equal([1, null]);
    expect(dev.places()).to.deep.equal([
      'error SyntaxError: Unexpected token \'a\', "a" is not valid JSON app.js:54',
    ]);
  });

  it('names the other server on a port', async () => {
    const port = await serving(createServer(), async (free) => free);
    const text = `const app = require('express')();
app.listen(${port}, () => {
  app.listen(${port});
});
`;
    const dev = start({ 'app.js': text }, 'app.js', '--once');
    await once(dev.child, 'close');

    expect(dev.errors).to.match(
      /error {2}listen EADDRINUSE: .*\n {2}the server in app\.js:2 listens there\n/,
    );
  });

  it('restarts an application in TypeScript after a change', async () => {
    const text = (word: string): string => `import express, { type Response } from 'express';
const app = express();
app.get('/:id', (_req, res: Response) => { res.send('${word}'); });
app.get('/me', (_req, res: Response) => { res.send('me'); });
app.listen(0, function (this: { address(): { port: number } }) { console.log('port ' + this.address().port); } as never);
`;
    const dev = start(
      { 'app.mts': text('before'), 'package.json': '{"dependencies":{"express":"5"}}' },
      'app.mts',
    );
    await dev.untilRead();
    expect(await dev.get('/me')).to.equal('before');
    expect(dev.errors).to.match(
      /warning {2}NOZOMI_ROUTE_SHADOWED {2}app\.mts:4\n.*\n.*\n {2}fix: move line 4 before line 3\n/,
    );
    writeFileSync(join(dev.folder, 'app.mts'), text('after'));
    await until(() => dev.output.match(/port/g)?.length === 2);

    expect(await dev.get('/me')).to.equal('after');
  });

  it('runs an application of Express 4 with nozomi/4', async () => {
    const text = PROGRAM.replace("'express'", "'express4'");
    const dev = start(
      { 'app.js': text, 'package.json': '{"dependencies":{"express4":"4"}}' },
      'app.js',
      '--once',
    );
    await dev.untilRead();
    for (const path of ['twice', 'number', 'unset', 'sound']) await dev.get(`/${path}`);

    // Express 4 takes a number for a status.
    expect(dev.places()).to.deep.equal([
      'warning NOZOMI_SECOND_RESPONSE app.js:6',
      "error TypeError: Cannot read properties of undefined (reading 'id') app.js:31",
    ]);
  });

  it('names a missing file', async () => {
    expect(await runParity(['dev', 'none.js'])).to.include({
      code: 2,
      errors: 'dev: no such file: none.js\n',
    });
  });

  it('has the codes of docs/routes-and-doctor.md', () => {
    const page = readFileSync(join(ROOT, 'docs', 'routes-and-doctor.md'), 'utf8');
    for (const { code, finds, why, proof } of Object.values(RUNNING_CODES))
      expect(page).to.contain(`| \`${code}\` | ${finds} | ${why} | ${proof} |`);
  });

  interface Running {
    readonly child: ChildProcess;
    readonly folder: string;
    readonly output: string;
    readonly errors: string;
    /** Waits until the checks of `nozomi-parity doctor` have been printed. */
    untilRead(): Promise<void>;
    get(path: string): Promise<string>;
    /** What was printed after these checks: each heading of a mistake, with single spaces. */
    places(): string[];
    stop(): Promise<void>;
  }

  function start(files: Readonly<Record<string, string>>, file: string, ...args: string[]): Running {
    const folder = filesOf({ 'package.json': '{"dependencies":{"express":"5"}}', ...files });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const child = spawn(process.execPath, [COMMAND, 'dev', file, ...args], { cwd: folder });
    const texts = { output: '', errors: '' };
    child.stdout.on('data', (chunk) => {
      texts.output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      texts.errors += chunk;
    });
    const one: Running = {
      child,
      folder,
      get output() {
        return texts.output;
      },
      get errors() {
        return texts.errors;
      },
      untilRead: () => until(() => /\d+ notes?\n/.test(texts.errors) || child.exitCode !== null),
      get: async (path) => {
        const port = texts.output
          .match(/port (\d+)/g)
          ?.at(-1)
          ?.slice('port '.length);
        return (await fetch(`http://localhost:${port}${path}`, { redirect: 'manual' })).text();
      },
      places: () =>
        (texts.errors.replace(/^[\s\S]*?\d+ notes?\n/, '').match(/^(?:warning|note|error) .*$/gm) ?? []).map(
          (line) => line.replace(/ +/g, ' '),
        ),
      stop: async () => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'close');
        child.kill();
        await ended;
      },
    };
    running.push(one);
    return one;
  }
});
