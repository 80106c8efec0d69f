import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseRequests } from '../../parity/application/traffic';
import { temporaryFolder } from '../../parity/temporary-folder';

const APPLICATIONS = join(__dirname, 'applications');
const COMMAND = join(__dirname, '..', '..', 'dist', 'parity', 'command', 'bin.js');

describe('parity: untested requests', () => {
  it('reports responses that differ from the recording, and omitted requests', async () => {
    const { code, output } = await compare('changed.js', '--har', 'changed.har');

    expect(output).to.include(
      'changed.har: 1 response of the baseline differs from the recording: 200 → 410; GET /gone\n' +
        'changed.har: 3 entries left out: other origin, WebSocket, body not recorded (POST /upload)\n',
    );
    expect(code).to.equal(0);
  });

  it('exits with 2 if no response equals the recorded one', async () => {
    const { code, output } = await compare('changed.js', '--har', 'gone.har');

    expect(output).to.include('nothing was tested: no response has the status that gone.har recorded\n');
    expect(code).to.equal(2);
  });

  it('exits with 2 if no request is selected', async () => {
    const { code, errors } = await compare('changed.js', '--har', 'gone.har', '--grep', 'nowhere');

    expect([code, errors]).to.deep.equal([2, 'parity: no request matches; --list prints their ids\n']);
  });

  it('parts of a multipart body end with CRLF, with any line ends in the file', () => {
    const [one] = parseRequests(
      'POST /\nContent-Type: multipart/form-data; boundary=x\n\n--x\nA: b\n\nc\n--x--\n###\nGET /',
      'a.http',
    );

    expect(String(one?.payload)).to.equal('--x\r\nA: b\r\n\r\nc\r\n--x--\r\n');
  });
});

describe('parity: selection', () => {
  it('ids of requests stay the same if the recording grows', async () => {
    const { output } = await compare('changed.js', '--requests', 'late.http', '--list');

    expect(output.split('\n')).to.deep.equal([
      ...['changed.js: GET /same', 'changed.js: GET /late', 'changed.js: GET /same #2'],
      ...['changed.js: what it writes', ''],
    ]);
  });

  it('--only compares one id, and plays all requests', async () => {
    const { output } = await compare('changed.js', '--requests', 'late.http', '--only', 'GET /same #2');

    expect(output).to.match(/\n1 passed, 0 failed\n$/);
  });

  it('--show prints observations of the baseline, with an uncaught error under its request', async () => {
    const { output } = await compare('changed.js', '--requests', 'late.http', '--show', '--grep', 'late');

    expect(output).to.match(/^changed\.js: GET \/late\n/);
    expect(output).to.match(/\n {2}1\.status +HTTP\/1\.1 200 OK\n/);
    expect(output).to.match(/\n {2}1\.uncaught +Error: after the response\n/);
  });
});

describe('parity: an application that does not start', () => {
  it('prints the error of Node.js immediately', async () => {
    const started = performance.now();
    const { code, errors } = await compare('rejecting.js', '--requests', 'hello.http');

    expect(errors).to.match(
      /^parity: rejecting\.js does not start with express:\nError: the database is gone\n +at .*rejecting\.js:2:/,
    );
    expect(code).to.equal(2);
    expect(performance.now() - started).to.be.below(15_000);
  });

  it('reports immediately that Node.js would end before the application listens', async () => {
    const started = performance.now();
    const { code, errors } = await compare('idle.js', '--requests', 'hello.http');

    expect(errors).to.match(
      /^parity: idle\.js does not start with express:\nno database\nTypeError: no server: .* Node\.js would end before/,
    );
    expect(code).to.equal(2);
    expect(performance.now() - started).to.be.below(15_000);
  });

  it('prints one line if only the candidate does not start', async () => {
    const { code, output } = await compare(
      ...['changed.js', '--requests', 'late.http', '--candidate', '../faulty/unstartable'],
    );

    expect(output).to.match(
      /✗ changed\.js: it starts\n {4}changed\.js does not start with \.\.\/faulty\/unstartable:\n +Error: cannot start/,
    );
    expect(output).to.match(/\n0 passed, 1 failed\n$/);
    expect(output).to.not.include('(absent)');
    expect(code).to.equal(1);
  });
});

describe('parity: secrets in reports', () => {
  const SECRETS = ['hunter2', 'hidden-session', 'ann@example.org', 'abc.def', 'in-the-query'];

  it('masks cookies, credentials, passwords and addresses in every reporter', async () => {
    const folder = temporaryFolder('masked');
    for (const reporter of ['terminal', 'json', 'junit', 'github', 'html']) {
      const file = join(folder, reporter);
      await compare(
        ...['changed.js', '--requests', 'secret.http', '--candidate', '../faulty/renamed'],
        ...['--reporter', `${reporter}=${file}`],
      );
      const output = readFileSync(file, 'utf8');

      expect(output, reporter).to.include('renamed');
      for (const secret of SECRETS) expect(output, reporter).to.not.include(secret);
    }
  });

  it('masks secrets in ids, the same in every run, and in the output of --show', async () => {
    const listed = await compare('changed.js', '--requests', 'secret.http', '--list');
    const shown = await compare('changed.js', '--requests', 'secret.http', '--show');

    expect(listed.output).to.match(/^changed\.js: GET \/secret\?token=masked\n/);
    expect(shown.output).to.include('GET /secret?token=masked-').and.include('Bearer masked-');
    for (const secret of SECRETS) expect(listed.output + shown.output).to.not.include(secret);
  });

  it('writes one annotation for each request that differs', async () => {
    const { code, output } = await compare('module.mjs', '--requests', 'back.http', '--reporter', 'github');

    expect(output).to.match(
      /^::error title=parity%3A module\.mjs%3A GET \/back::1\.headers\.location: .*%0A/,
    );
    expect(code).to.equal(1);
  });
});

function compare(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [COMMAND, 'parity', ...args],
      { cwd: APPLICATIONS },
      (_error, output, errors) => resolve({ code: child.exitCode ?? -1, output, errors }),
    );
  });
}
