import { spawnSync } from 'node:child_process';
import { WriteStream } from 'node:tty';
import { expect } from 'chai';
import { version } from '../../package.json';
import { HELP } from '../../parity/command/help';
import { readOptions } from '../../parity/command/options';
import { implementationNamed } from '../../parity/implementations/names';
import { coloured } from '../../parity/report/colour';
import { describePlace } from '../../parity/report/explain';
import { progressBar, showProgress } from '../../parity/report/progress';
import { selectEntries } from '../../parity/scenario/select';
import { randomFrom, shuffle } from '../../parity/seed';
import { COMMAND } from '../support/command';
import { ENTRIES } from './faulty/implementations';

describe('nozomi-parity, its options', () => {
  it('accepts exactly the options that --help lists', () => {
    const told = new Set([...HELP.matchAll(/--([a-z]+(?:-[a-z]+)*)/g)].map(([, name]) => name));
    const ofOthers = new Set(['outgoing', 'port', 'save-dev']);
    const known = Object.keys(readOptions([]).values);

    const optional =
      'scenarios grep divergences output concurrency seed recordings har requests env origin hermetic fresh patience start accept runs transport server circumstance connection realm shard';
    expect([...told].filter((name) => !ofOthers.has(name ?? '')).sort()).to.deep.equal(
      [...known, ...optional.split(' ')].sort(),
    );
  });

  it('has a short help, the help of each command, and its version', () => {
    const run = (...args: string[]): string => String(spawnSync(process.execPath, [COMMAND, ...args]).stdout);

    for (const command of ['record', 'try', 'routes', 'doctor', 'dev', 'migrate']) {
      expect(run('help')).to.include(`nozomi-parity ${command} app.js`);
      expect(run('help', command)).to.equal(run(command, '--help')).and.include(`nozomi-parity ${command}`);
    }
    expect(run('help', 'all')).to.equal(HELP);
    expect(run('--help')).to.equal(run('help')).and.have.length.below(1200);
    expect(run('help', 'compare')).to.include('--har').and.not.include('--scenarios');
    expect(run('help', 'scenarios')).to.include('--scenarios').and.not.include('--har');
    expect(run('--version')).to.equal(`${version}\n`);
  });

  it('passes arguments after "--" to the application', () => {
    const { application, args, values } = readOptions(['app.js', '--har', 'a.har', '--', '--help', 'b']);

    expect([application, args, values.help]).to.deep.equal(['app.js', ['--help', 'b'], false]);
  });

  it('writes each report to the file of its --output', () => {
    const { targets } = readOptions([
      '--reporter',
      'html',
      '--reporter',
      'junit=a=b.xml',
      '--reporter',
      'json',
    ]);

    expect(targets.map(({ reporter, file }) => `${reporter} ${file}`.replaceAll('\\', '/'))).to.deep.equal([
      'html report/parity.html',
      'junit a=b.xml',
      'json undefined',
    ]);
  });

  for (const [args, message] of [
    [['--seed', 'x'], '--seed: expected a whole number from 0, got "x"'],
    [['--concurrency', '0'], '--concurrency: expected a whole number from 1, got "0"'],
    [['--concurrency', '1.5'], '--concurrency: expected a whole number from 1, got "1.5"'],
    [
      ['--reporter', 'tap'],
      '--reporter: expected one of terminal, json, junit, github, markdown, html, got "tap"',
    ],
    [['--reporter', 'json', '--reporter', 'html', '--output', 'x'], '--output names one file'],
    [['--har', 'a.har'], '--har needs an application, but none is given'],
    [['app.js', '--har', 'a.har', '--update'], '--update applies to scenarios only'],
    [['--shard', '4/3'], '--shard: expected a part such as 1/3, got "4/3"'],
    [['app.js', '--har', 'a.har', '--shard', '1/2'], '--shard applies to scenarios only'],
    [['--connection', 'other'], '--connection: expected own or node, got "other"'],
    [['--realm', 'main'], '--realm: expected vm, got "main"'],
    [['app.js', '--har', 'a.har', '--realm', 'vm'], '--realm applies to scenarios only'],
    [['a.js', 'b.js'], 'expected one application, got a.js b.js'],
    [['--', 'b.js'], 'arguments after "--" need an application, but none is given'],
  ] as const) {
    it(`exits with an error for ${args.join(' ')}`, () => {
      expect(() => readOptions(args)).to.throw(TypeError, message);
    });
  }
});

describe('parity: random numbers', () => {
  it('are the same for the same seed, are from 0 up to 1, and differ for another seed', () => {
    const draw = (seed: number): number[] => Array.from({ length: 50 }, randomFrom(seed));

    expect(draw(7)).to.deep.equal(draw(7)).and.not.deep.equal(draw(8));
    expect(draw(7).every((one) => one >= 0 && one < 1)).to.equal(true);
  });

  it('shuffle a list without losing an item', () => {
    const numbers = Array.from({ length: 40 }, (_, index) => index);

    expect(shuffle(numbers, 1)).to.not.deep.equal(numbers);
    expect(shuffle(numbers, 1).sort((a, b) => a - b)).to.deep.equal(numbers);
  });
});

describe('parity: names of implementations', () => {
  it('find an installed package by its version under another name', () => {
    const { framework, logger, follows } = implementationNamed('typescript@5.9+morgan@1.12.1');

    expect(framework).to.match(/node_modules[\\/]typescript-5$/);
    expect(logger).to.match(/node_modules[\\/]morgan$/);
    expect(follows).to.equal('reference');
  });

  it('select the matching logger if no logger is given', () => {
    expect(implementationNamed('express@5')).to.include({ logger: 'morgan', identity: 'Express' });
    expect(implementationNamed('./dist')).to.include({
      logger: 'nozomi/logger',
      identity: 'Nozomi',
      follows: 'document',
    });
  });
});

describe('parity: paths into a build of this package', () => {
  it('select the entry point with this path', () => {
    for (const path of ['./dist/express4', './dist/express4/index.js'])
      expect(implementationNamed(path)).to.include({ name: path, framework: 'nozomi/4', series: '4.x' });
    expect(implementationNamed('./dist/express3')).to.include({ framework: 'nozomi/3', series: '3.x' });
    expect(implementationNamed('./dist')).to.include({ framework: 'nozomi/5', follows: 'document' });
  });

  it('throw for a path without a module', () => {
    expect(() => implementationNamed('./nowhere')).to.throw(
      TypeError,
      /^implementation "\.\/nowhere": Cannot find module [^\n]*$/,
    );
  });
});

describe('parity: selection of sections', () => {
  const [first] = ENTRIES;
  const entry = { ...first, section: '4-endpoints/4.5-send' } as (typeof ENTRIES)[number];
  const named = { ...entry, scenario: { ...entry.scenario, clauses: ['F-4.5-71'] } };

  for (const section of ['4-endpoints', '4-endpoints/4.5', '4.5', 'F-4.5', 'F-4']) {
    it(`selects 4-endpoints/4.5-send for ${section}`, () => {
      expect(selectEntries([named], { section: [section] })).to.have.length(1);
    });
  }
  for (const section of ['5', '4.51', 'F-4.51', 'L', 'interface']) {
    it(`does not select 4-endpoints/4.5-send for ${section}`, () => {
      expect(selectEntries([named], { section: [section] })).to.deep.equal([]);
    });
  }
});

describe('parity: progress', () => {
  it('shows the number of scenarios and failures', () => {
    expect(progressBar({ done: 7, total: 28, what: 'scenarios', failed: 2 })).to.equal(
      '███████░░░░░░░░░░░░░░░░░░░░░ 7/28 scenarios, 2 not equal',
    );
  });

  it('is no longer than the width of a terminal', () => {
    expect(progressBar({ done: 1, total: 2, what: 'scenarios' }, 20)).to.equal('██░░░ 1/2 scenarios');
    expect(progressBar({ done: 1, total: 2, what: 'requests with express' }, 20)).to.have.length(19);
  });

  it('is written only to a terminal, and removed at the end', () => {
    const written: string[] = [];
    const stream = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
    showProgress({ done: 1, total: 2, what: 'runs' }, stream as unknown as NodeJS.WriteStream);
    showProgress({ done: 2, total: 2, what: 'runs' }, stream as unknown as NodeJS.WriteStream);
    showProgress({ done: 1, total: 2, what: 'runs' }, {
      ...stream,
      isTTY: false,
    } as unknown as NodeJS.WriteStream);

    expect(written).to.have.length(2);
    expect(written[1]).to.equal('\r\x1b[K');
  });

  it('is not cut on a terminal whose width is unknown', () => {
    const written: string[] = [];
    const stream = { isTTY: true, columns: 0, write: (text: string) => written.push(text) };
    showProgress({ done: 1, total: 2, what: 'runs' }, stream as unknown as NodeJS.WriteStream);

    expect(written.join('')).to.include(' 1/2 runs\x1b[K');
  });
});

describe('parity: a report on a terminal', () => {
  const terminalWith = (environment: NodeJS.ProcessEnv): NodeJS.WriteStream => {
    const hasColors = (): boolean => WriteStream.prototype.hasColors({ TERM: 'xterm', ...environment });
    return { isTTY: true, hasColors } as unknown as NodeJS.WriteStream;
  };
  const report = '✗ app.js: GET /\n      − one\n      + two\n1 request in 2.0 s\n0 passed, 1 failed\n';

  it('has colours, unless the variable NO_COLOR is set', () => {
    expect(coloured(report, terminalWith({}))).to.equal(
      '\x1b[31m✗ app.js: GET /\x1b[39m\n\x1b[31m      − one\x1b[39m\n\x1b[32m      + two\x1b[39m\n1 request in 2.0 s\n\x1b[31m0 passed, 1 failed\x1b[39m\n',
    );
    expect(coloured('2 passed, 0 failed\n', terminalWith({}))).to.equal(
      '\x1b[32m2 passed, 0 failed\x1b[39m\n',
    );
    expect(coloured(report, terminalWith({ NO_COLOR: '1' }))).to.equal(report);
  });

  it('has no colours in a file or a pipe', () => {
    expect(coloured(report, { isTTY: false } as NodeJS.WriteStream)).to.equal(report);
  });
});

describe('parity: places of differences in words', () => {
  const exchange = { request: { method: 'GET', target: '/a' }, response: { headers: [['ETag', '"1"']] } };
  const seen = [{ exchanges: [exchange] }, { exchanges: [] }] as never;

  for (const [place, words] of [
    ['1.status', 'status line of 1 GET /a'],
    ['1.headers', 'order and spelling of the headers of 1 GET /a'],
    ['1.headers.etag', 'header ETag of 1 GET /a'],
    ['1.headers.x-none', 'header x-none of 1 GET /a'],
    ['1.body', 'body of 1 GET /a'],
    ['log.2', 'line of the log 2'],
    ['uncaught.1', 'uncaught error 1'],
    ['built', 'whether the application starts'],
  ] as const) {
    it(`show ${place} as "${words}"`, () => {
      expect(describePlace(place, { seen })).to.equal(words);
    });
  }
});
