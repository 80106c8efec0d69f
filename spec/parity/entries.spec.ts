import { execFile } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../parity/temporary-folder';

const APPLICATIONS = join(__dirname, 'applications');
const ROOT = join(__dirname, '..', '..');
const COMMAND = join(ROOT, 'dist', 'parity', 'command', 'bin.js');

describe('parity: entry files of applications', () => {
  for (const [what, args, body] of [
    ['TypeScript', ['typed.ts'], 'hello types'],
    ['a cluster, as one worker', ['clustered.js'], 'worker 1'],
    ['an application that exports itself and listens late', ['late.js'], 'the database is there'],
    ['HTTPS', ['secure.js'], '{"protocol":"https","secure":true,"version":"1.1"}'],
    [
      'HTTP/2 with HTTP/1.1 beside it',
      ['secure.js', '--', 'http2'],
      '{"protocol":"https","secure":true,"version":"1.1"}',
    ],
  ] as const) {
    it(`plays ${what}`, async () => {
      const [file, ...behind] = args;
      const given = [file, '--requests', 'hello.http'];
      const shown = await run(APPLICATIONS, ...given, '--show', '--only', 'GET /', ...behind);

      expect(shown.output).to.match(new RegExp(`\\n {2}1\\.body +${escapeRegExp(body)}\\n`));
    });
  }

  it('compares responses over TLS', async () => {
    const { output } = await run(APPLICATIONS, 'secure.js', '--requests', 'hello.http');

    expect(output).to.match(/\n2 passed, 0 failed\n$/);
  });

  it('says in one line that a server without HTTP/1.1 cannot be played', async () => {
    const { output } = await run(APPLICATIONS, 'secure.js', '--requests', 'hello.http', '--', 'only-http2');

    expect(output).to.match(
      /^parity: secure.js does not start with express:\nTypeError: the server speaks HTTP\/2 alone, /,
    );
    expect(output)
      .to.include('allowHTTP1: true')
      .and.not.match(/\n +at /);
  });

  it('needs no morgan if the application has none', async () => {
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

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function run(cwd: string, ...args: string[]): Promise<{ output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, 'parity', ...args], { cwd }, (_error, output, errors) =>
      resolve({ output: output + errors }),
    );
  });
}
