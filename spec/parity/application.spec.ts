import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseRequests, readHar } from '../../parity/application/traffic';

const APPLICATIONS = join(__dirname, 'applications');
const COMMAND = join(__dirname, '..', '..', 'dist', 'parity', 'bin.js');

describe("parity: somebody's application", () => {
  it('finds a program equal that waits, listens, holds sessions and asks whether it is the main module', async () => {
    const { code, output } = await compare('program.js', '--requests', 'program.http');

    expect(output).to.match(/\n {2}program\.js {2}7\/7\n/);
    expect(output).to.match(/6 requests in .* s; 1 vary with Express too\n7 passed, 0 failed\n$/);
    expect(code).to.equal(0);
  });

  it('replays what a browser has saved', async () => {
    const { code, output } = await compare('program.js', '--har', 'browser.har');

    expect(code).to.equal(0);
    expect(output).to.match(/2 requests in .*\n3 passed, 0 failed\n$/);
  });

  it('finds an ES module equal that exports its application', async () => {
    const { code } = await compare('module.mjs', '--requests', 'hello.http');

    expect(code).to.equal(0);
  });

  it('tells where an application differs, and what differs on purpose', async () => {
    const { code, output } = await compare('module.mjs', '--requests', 'back.http');

    expect(code).to.equal(1);
    expect(output).to.match(
      /✗ module\.mjs: 1 GET \/back\n {4}1\.fields\.location\n +express +back\n +nozomi +\/\n/,
    );
    expect(output).to.match(/What differs on purpose:\n {2}`back` in res\.location/);
  });

  it('redirects require and import alike', async () => {
    const { output } = await compare('whoami.js', '--requests', 'hello.http');

    expect(output).to.match(/express +\["express",true\]\n +nozomi +\["nozomi",true\]/);
  });

  for (const [what, args, message] of [
    [
      'an application that throws',
      ['failing.js', '--requests', 'hello.http'],
      /with Express:\nError: no database/,
    ],
    ['an application that ends', ['ending.js', '--requests', 'hello.http'], /ended with exit code 3/],
    ['an application that is not there', ['none.js', '--requests', 'hello.http'], /no such file: none\.js/],
    ['an application without requests', ['module.mjs'], /--har <file> or --requests <file>/],
    [
      'requests that are none',
      ['module.mjs', '--requests', 'module.mjs'],
      /module\.mjs:2: wanted "GET \/path"/,
    ],
  ] as const) {
    it(`exits with 2 for ${what}, and says so`, async () => {
      const { code, errors } = await compare(...args);

      expect(errors).to.match(message);
      expect(code).to.equal(2);
    });
  }
});

describe('parity: traffic', () => {
  it('takes one origin of a HAR, without what holds for one connection only', () => {
    const { requests, skipped } = readHar(join(APPLICATIONS, 'browser.har'));

    expect(skipped).to.equal(1);
    expect(requests.map(({ target, fields, payload }) => [target, fields, String(payload)])).to.deep.equal([
      [
        '/session',
        [
          ['Host', 'shop.test'],
          ['accept', 'text/html'],
        ],
        '',
      ],
      [
        '/form?x=1',
        [
          ['Host', 'shop.test'],
          ['content-type', 'application/x-www-form-urlencoded'],
          ['Content-Length', '5'],
        ],
        'a=1+2',
      ],
    ]);
  });

  it('reads requests that are written down, with bodies of many lines', () => {
    const [first, second, third] = parseRequests(
      'GET /a\nX-One: 1\n\n# note\nPOST http://shop.test/b HTTP/1.1\nContent-Type: text/plain\n\none\n\ntwo\n\n###\nDELETE /c',
      'asked.http',
    );

    expect(first?.fields).to.deep.equal([
      ['Host', 'parity.test'],
      ['X-One', '1'],
    ]);
    expect([second?.target, String(second?.payload)]).to.deep.equal(['/b', 'one\n\ntwo']);
    expect(third?.method).to.equal('DELETE');
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
