import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Kept, Subject } from './idle-server';

const run = promisify(execFile);
const PROGRAM = join(__dirname, 'idle-server.ts');

/** How many bytes a connection may need beyond one of the baseline: far fewer than a kept request has. */
const TOLERANCE = 1_000;
/** How often to measure both, until they differ by less: V8 compiles and discards code during a measurement. */
const ATTEMPTS = 4;

const morgan = { framework: 'express', logger: 'morgan' } as const;
const plain = { framework: 'node', logger: 'nozomi/logger' } as const;
/** Each subject with its baseline: the same program with Express, or a listener of Node.js where Express has none. */
const SUBJECTS: ReadonlyArray<readonly [Subject, baseline: Subject]> = [
  pair(
    { framework: 'nozomi', logger: 'nozomi/logger', transport: 'listen' },
    { ...morgan, transport: 'listen' },
  ),
  ...(['h2', 'fetch'] as const).map((transport) =>
    pair({ framework: 'nozomi', logger: 'nozomi/logger', transport }, { ...plain, transport }),
  ),
  pair(
    { framework: 'nozomi/4', logger: 'nozomi/logger', transport: 'listen' },
    { framework: 'express4', logger: 'morgan', transport: 'listen' },
  ),
  pair(
    { framework: 'nozomi/3', logger: 'nozomi/logger', transport: 'listen' },
    { ...morgan, transport: 'listen' },
  ),
  pair(
    { framework: 'express', logger: 'nozomi/logger', transport: 'listen' },
    { ...morgan, transport: 'listen' },
  ),
];

function pair(subject: Subject, baseline: Subject): readonly [Subject, Subject] {
  return [subject, baseline];
}

/** The measurements of the baselines, which several subjects share. */
const known = new Map<string, Promise<Kept>>();

function measure(subject: Subject): Promise<Kept> {
  const argument = JSON.stringify(subject);
  const measured = known.get(argument) ?? start(argument);
  known.set(argument, measured);
  return measured;
}

async function start(argument: string): Promise<Kept> {
  const args = ['--expose-gc', '--require', 'tsx/cjs', '--no-warnings', PROGRAM, argument];
  return JSON.parse((await run(process.execPath, args)).stdout);
}

describe('an idle connection', () => {
  for (const [subject, baseline] of SUBJECTS) {
    const { framework, logger, transport } = subject;
    it(`with ${framework} and ${logger} keeps no request and response, and no more memory than ${baseline.framework} (${transport})`, async () => {
      const pairOf = (run: (one: Subject) => Promise<Kept>): Promise<Kept[]> =>
        Promise.all([subject, baseline].map(run));
      const [actual, expected] = (await pairOf(measure)) as [Kept, Kept];
      expect(actual.watched, 'watched objects').to.be.above(140);
      expect(actual.objects).to.deep.equal(expected.objects);

      const differences = [actual.bytes - expected.bytes];
      while (Math.min(...differences) >= TOLERANCE && differences.length < ATTEMPTS) {
        const [again, baseline] = (await pairOf((one) => start(JSON.stringify(one)))) as [Kept, Kept];
        differences.push(again.bytes - baseline.bytes);
      }
      expect(Math.min(...differences), `more bytes per connection: ${differences}`).to.be.below(TOLERANCE);
    });
  }
});

/** Prints how many requests are in memory after their clients have disconnected, before a mounted application ran. */
const CLOSED = `
  const net = require('node:net');
  const framework = require('nozomi');
  const app = framework();
  const requests = [];
  app.use((req, res, next) => {
    requests.push(new WeakRef(req));
    req.socket.once('close', () => setImmediate(next));
  });
  app.use(framework());
  app.use((req, res) => {
    if (requests.length < 5) connect();
    else setTimeout(report);
  });
  const server = app.listen(0, connect);
  function connect() {
    const socket = net.connect(server.address().port);
    socket.write('GET / HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n', () => setImmediate(() => socket.resetAndDestroy()));
    socket.on('error', () => {});
  }
  function report() {
    gc();
    console.log(requests.filter((each) => each.deref()).length);
    process.exit();
  }`;

it('a closed connection keeps no request if a mounted application runs after it was closed', async () => {
  const { stdout } = await run(process.execPath, ['--expose-gc', '-e', CLOSED], {
    cwd: join(__dirname, '../..'),
  });

  // V8 may still have the last one on its stack.
  expect(Number(stdout)).to.be.below(2);
});

/** Prints how many requests are in memory after their clients have disconnected, and a `close` listener has thrown. */
const THROWING = `
  const net = require('node:net');
  const framework = require(process.argv[1]);
  const app = framework();
  const mounted = framework();
  const requests = [];
  app.use(mounted);
  mounted.use((req, res) => {
    requests.push(new WeakRef(req));
    res.on('close', () => { throw new Error('on purpose'); });
    res.write('a');
  });
  process.on('uncaughtException', (err) => {
    if (err.message !== 'on purpose') throw err;
    if (requests.length < 5) connect();
    else setTimeout(report);
  });
  const server = app.listen(0, connect);
  function connect() {
    const socket = net.connect(server.address().port);
    socket.once('data', () => socket.destroy());
    socket.write('GET / HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n');
  }
  function report() {
    gc();
    console.log(requests.filter((each) => each.deref()).length);
    process.exit();
  }`;

for (const entry of ['nozomi', 'nozomi/4', 'nozomi/3']) {
  it(`a closed connection keeps no request of a mounted application if a close listener throws (${entry})`, async () => {
    const { stdout } = await run(process.execPath, ['--expose-gc', '-e', THROWING, entry], {
      cwd: join(__dirname, '../..'),
    });

    // V8 may still have the last one on its stack.
    expect(Number(stdout)).to.be.below(2);
  });
}
