import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../parity/temporary-folder';
import { APPLICATIONS, ROOT, runParity } from '../support/command';

/** Whether Node.js defines `import.meta.main`, as versions from 24.2 do. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const HAS_MAIN = major > 24 || (major === 24 && minor >= 2);

describe('parity: entry files of applications', () => {
  for (const [what, args, body] of [
    ['TypeScript', ['typed.ts'], 'hello types'],
    ['a cluster, as one worker', ['clustered.js'], 'worker 1'],
    ['a cluster whose workers run another file', ['clustered-elsewhere.js'], 'the database is there'],
    [
      'a cluster, whose processes see their roles',
      ['clustered-roles.js'],
      'true,true,false,0 none false,false,true,1 web',
    ],
    ['an application that listens after another server', ['beside.js'], 'the application'],
    ['an application that exports itself and listens late', ['late.js'], 'the database is there'],
    ['an application whose server.close ignores its callback', ['own-close.js'], 'closes itself'],
    ...(HAS_MAIN
      ? [['the file that is `import.meta.main`', ['own-main.mjs'], 'the main module'] as const]
      : []),
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

/** Newer versions of Node.js strip types: see stripped-types.spec.ts. */
if (!process.allowedNodeEnvironmentFlags.has('--experimental-strip-types'))
  describe('parity: an application in TypeScript without tsx', () => {
    it('ends in an error of one line in a version of Node.js that does not strip types', async () => {
      const folder = temporaryFolder('typed');
      writeFileSync(join(folder, 'app.ts'), 'const word: string = "typed";\n');
      writeFileSync(join(folder, 'hello.http'), 'GET /\n');
      const { output } = await run(folder, 'app.ts', '--requests', 'hello.http');

      expect(output).to.match(
        /^parity: .*app\.ts: Node\.js \S+ does not run TypeScript by itself: npm install --save-dev tsx\n$/,
      );
    });
  });

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

async function run(cwd: string, ...args: string[]): Promise<{ output: string }> {
  const { output, errors } = await runParity(args, { cwd });
  return { output: output + errors };
}
