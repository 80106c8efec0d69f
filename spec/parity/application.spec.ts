import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { parseRequests, readHar } from '../../parity/application/traffic';
import { temporaryFolder } from '../../parity/temporary-folder';
import { APPLICATIONS, type Ended, runParity } from '../support/command';

describe('nozomi-parity app.js', () => {
  it('finds no difference in an application that starts slowly, has sessions and checks require.main', async () => {
    const { code, output } = await compare('program.js', '--requests', 'program.http');

    expect(output).to.match(
      /6 requests and what the application writes, in .* s; equal but for values that vary with Express too: .+\n7 passed, 0 failed\n$/,
    );
    expect(code).to.equal(0);
  });

  it('plays the requests in the HAR of a browser', async () => {
    const { code, output } = await compare('program.js', '--har', 'browser.har', '--allow-left-out');

    expect(code).to.equal(0);
    expect(output).to.match(/2 requests and what the application writes, in .*\n3 passed, 0 failed\n$/);
  });

  it('says that a recording is empty', () => {
    const file = join(temporaryFolder('empty'), 'traffic.har');
    writeFileSync(file, '{"log":{"entries":[]}}');

    expect(() => readHar(file)).to.throw(TypeError, /^traffic\.har contains no request$/);
  });

  it('finds no difference in an ES module that exports its application', async () => {
    const { code } = await compare('module.mjs', '--requests', 'hello.http');

    expect(code).to.equal(0);
  });

  it('reports undeclared and declared differences', async () => {
    const { code, output } = await compare('module.mjs', '--requests', 'back.http');

    expect(code).to.equal(1);
    expect(output).to.match(
      /✗ module\.mjs: GET \/back {2}\(request 1\)\n {4}1\.headers\.location: header Location of 1 GET \/back\n +express +back\n +nozomi +\/\n +on purpose: `back`/,
    );
    expect(output).to.not.include('req.accepts');
  });

  it('exits with 0 for differences that the application declares and the user allows', async () => {
    const declared = ['module.mjs', '--requests', 'back.http', '--divergences', 'divergences.json'];
    const { code, output } = await compare(...declared, '--allow-accepted');

    expect(code).to.equal(0);
    expect(output).to.match(/Different as declared:\n {2}≈ goes home, in 1 request\n/);
    expect(output).to.match(/1 request and what the application writes, in .* s; 1 differs as declared\n/);
  });

  it('with --seed gives the application the same random values in each run', async () => {
    const [chance, seeded] = await Promise.all([
      compare('chance.js', '--requests', 'hello.http'),
      compare('chance.js', '--requests', 'hello.http', '--seed', '7'),
    ]);

    expect(chance.output).to.include('; equal but for values that vary with Express too: body\n');
    expect(seeded.output).to.include('\n  seed: 7\n');
    expect(seeded.output).to.not.include('vary with Express');
    // A random number of few digits may be anything, so it is not compared.
    expect(chance.output).to.include('because it varies between runs: 1.body of GET / (--allow-varying)\n');
    expect([chance.code, seeded.code]).to.deep.equal([2, 0]);
  });

  it('gives the application the same figures about memory and garbage collection in each run', async () => {
    const { output } = await compare('metrics.js', '--requests', 'hello.http');

    expect(output).to.match(/ s\n2 passed, 0 failed\n$/);
  });

  it('passes arguments to the application, and creates its folder for each run', async () => {
    // biome-ignore format: a table
    const { code, output } = await compare(
      'counting.js', '--requests', 'counted.http', '--fresh', 'fresh', '--', 'count.txt',
    );

    expect(output).to.match(/2 requests and what the application writes, in .* s\n3 passed, 0 failed\n$/);
    expect(code).to.equal(0);
    expect(readFileSync(join(APPLICATIONS, 'fresh', 'count.txt'), 'utf8')).to.equal('7\n');
  });

  it('replaces Express by the baseline and the candidate', async () => {
    // biome-ignore format: a table
    const { output } = await compare(
      'whoami.js', '--requests', 'hello.http', '--baseline', 'build', '--candidate', 'express@5.3.0',
    );

    expect(output).to.match(/nozomi +\["nozomi",true\]\n +express@5\.3\.0 +\["express",true\]/);
  });

  it('accepts the path of an entry point of another build', async () => {
    const build = temporaryFolder('another-build');
    for (const folder of ['dist', 'dist/express4']) {
      mkdirSync(join(build, folder), { recursive: true });
      writeFileSync(
        join(build, folder, 'index.js'),
        `module.exports = () => Object.assign((_req, res) => res.end('${folder}'), { get() {} });`,
      );
    }
    const exports = { '.': './dist/index.js', './5': './dist/index.js', './4': './dist/express4/index.js' };
    writeFileSync(
      join(build, 'package.json'),
      JSON.stringify({ name: 'nozomi', version: '5.3.0', main: './dist/index.js', exports }),
    );
    for (const [path, body] of [
      ['', 'dist'],
      ['dist/express4', 'dist/express4'],
    ] as const) {
      const { output } = await compare(
        'whoami.js',
        '--requests',
        'hello.http',
        '--candidate',
        join(build, path),
      );

      expect(output).to.match(new RegExp(`another-build\\S* +${body}\\n`));
    }
  });

  it('replaces Express for require and import', async () => {
    const { output } = await compare('whoami.js', '--requests', 'hello.http');

    expect(output).to.match(/express +\["express",true\]\n +nozomi +\["nozomi",true\]/);
  });

  for (const [what, args, message] of [
    [
      'an application that throws',
      ['failing.js', '--requests', 'hello.http'],
      /with express:\nError: no database/,
    ],
    ['an application that ends', ['ending.js', '--requests', 'hello.http'], /ended with exit code 3/],
    ['an application that is not there', ['none.js', '--requests', 'hello.http'], /no such file: none\.js/],
    [
      'a folder that is not there',
      ['module.mjs', '--requests', 'hello.http', '--fresh', 'none'],
      /--fresh: no such folder: none/,
    ],
    ['a HAR that is not there', ['module.mjs', '--har', 'none.har'], /no such file: none\.har/],
    ['a HAR that is none', ['module.mjs', '--har', 'hello.http'], /hello\.http: expected JSON/],
    ['an application without requests', ['module.mjs'], /--har <file> or --requests <file>/],
    ['requests that are none', ['module.mjs', '--requests', 'module.mjs'], /^parity: module\.mjs:2: /],
  ] as const) {
    it(`prints an error and exits with 2 for ${what}`, async () => {
      const { code, errors } = await compare(...args);

      expect(errors).to.match(message);
      expect(code).to.equal(2);
    });
  }
});

describe('nozomi-parity, an application whose framework has its own Express', () => {
  const folder = temporaryFolder('own-express');
  const copy = join(folder, 'node_modules', 'framework', 'node_modules', 'express');
  const write = (text: string): void => writeFileSync(join(folder, 'app.js'), text);

  before(() => {
    const installed = dirname(require.resolve('express4'));
    mkdirSync(copy, { recursive: true });
    symlinkSync(dirname(require.resolve('express')), join(folder, 'node_modules', 'express'), 'junction');
    writeFileSync(join(copy, 'index.js'), `module.exports = require(${JSON.stringify(installed)});`);
    cpSync(join(installed, 'package.json'), join(copy, 'package.json'));
    writeFileSync(join(copy, '..', '..', 'index.js'), `module.exports = require('express')();`);
    writeFileSync(join(folder, 'hello.http'), 'GET /\n');
  });

  it('compares the own Express of the application, and names the copy that is not replaced', async () => {
    write(
      `require('express')().use(require('framework')).get('/', (_req, res) => res.send('hi')).listen(0);`,
    );
    const { code, output } = await compare(join(folder, 'app.js'), '--requests', join(folder, 'hello.http'));

    expect(output).to.include(`not replaced: another copy of Express, ${copy}\n`);
    expect(code).to.equal(0);
  });

  it('exits with 2 if the application does not load its own Express, and names the version to install', async () => {
    write(`require('framework').disable('x-powered-by').listen(0);`);
    const { code, errors } = await compare(join(folder, 'app.js'), '--requests', join(folder, 'hello.http'));

    expect(errors).to.include('so Express would be compared with itself; in ');
    expect(errors).to.match(/: npm install express@4\.\d+\.\d+ && npm dedupe\n$/);
    expect(code).to.equal(2);
  });
});

describe('parity: recorded traffic', () => {
  it('is read from a HAR for one origin, without connection-specific headers', () => {
    const { requests, leftOut } = readHar(join(APPLICATIONS, 'browser.har'));

    expect(leftOut).to.have.length(1);
    expect(requests.map(({ target, headers, payload }) => [target, headers, String(payload)])).to.deep.equal([
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
          ['content-length', '5'],
        ],
        'a=1+2',
      ],
    ]);
  });

  it('is read from a text file, also with bodies of several lines', () => {
    const [first, second, third] = parseRequests(
      'GET /a\nX-One: 1\n\n# note\nPOST http://shop.test/b HTTP/1.1\nContent-Type: text/plain\n\none\n\ntwo\n\n###\nDELETE /c',
      'asked.http',
    );

    expect(first?.headers).to.deep.equal([
      ['Host', 'parity.test'],
      ['X-One', '1'],
    ]);
    expect([second?.target, String(second?.payload)]).to.deep.equal(['/b', 'one\n\ntwo']);
    expect(third?.method).to.equal('DELETE');
  });
});

function compare(...args: string[]): Promise<Ended> {
  return runParity(args, { cwd: APPLICATIONS });
}
