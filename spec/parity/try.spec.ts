/** `nozomi-parity try`, with an application that has nothing but Express. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { temporaryFolder } from '../../parity/temporary-folder';
import { COMMAND } from '../support/command';

/** Nozomi sends another Location than Express. With a difference, the command measures no CPU time, which takes long. */
const APPLICATION = `
  const app = require('express')();
  app.get('/back', (_req, res) => res.redirect('back'));
  app.get('/login', (_req, res) => res.send('login'));
  const server = app.listen(0, () => console.log(server.address().port));`;

describe('nozomi-parity try', () => {
  it('records until Ctrl+C, compares, lists routes without a request, and leaves no file behind', async () => {
    const folder = temporaryFolder('try');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(dirname(require.resolve('express')), join(folder, 'node_modules', 'express'), 'junction');
    writeFileSync(join(folder, 'app.js'), APPLICATION);

    const child = spawn(process.execPath, [COMMAND, 'try', 'app.js', '--allow-missed-routes'], {
      cwd: folder,
    });
    const closed = once(child, 'close');
    const errors = text(child.stderr);
    const [port] = await once(child.stdout, 'data');
    const output = text(child.stdout);
    await fetch(`http://127.0.0.1:${String(port).trim()}/back`, {
      headers: { Authorization: 'Bearer 1234567890' },
      redirect: 'manual',
    });
    child.kill('SIGINT');
    const [code] = await closed;

    // The files of the recording are removed, so it does not name them.
    expect(await errors).to.match(
      /^recording: use the application, then press Ctrl\+C\nrecorded 1 request\n {2}masked: .*\n {2}kept: secrets of requests \(1\) until the end of the comparison\n/,
    );
    expect(await output).to.match(/✗ app\.js: GET \/back .*\n {4}1\.headers\.location: /);
    expect(await output)
      .to.match(/\nno request for 1 of 2 routes: GET \/login/)
      .and.not.include('(--allow-missed-routes)');
    expect(code).to.equal(1);
    expect(readdirSync(folder)).to.deep.equal(['app.js', 'node_modules']);
  });
});
