import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type * as har from 'har-format';
import express from 'nozomi';
import { playSteps } from '../../parity/client/exchange';
import { get, post, type Step } from '../../parity/client/request';
import { Recorder, type RecorderOptions } from '../../parity/recorder/recorder';
import { Scrubber } from '../../parity/recorder/scrub';
import { temporaryFolder } from '../../parity/temporary-folder';
import { expectLinear } from '../support/cost';
import { serving } from '../support/serve';

const MB = 1_000_000;

describe('the memory of a recorder', () => {
  it('does not hold the secrets, paths and members of requests that are recorded', async () => {
    const steps = Array.from({ length: 100 }, (_, index) => {
      // Bytes, which are in memory before the first request.
      const body = Buffer.from(JSON.stringify({ [`f${index}`]: 1, password: index + 'x'.repeat(200_000) }));
      return post(`/${'p'.repeat(8000)}${index}`, body, { 'Content-Type': 'application/json' });
    });
    // The first run compiles code and fills caches.
    await played({}, steps);
    const { recording, grown } = await played({}, steps);

    expect(recording.entries).to.equal(100);
    expect(grown).to.be.below(7 * MB);
  });

  it('has a limit, beyond which secrets are not kept', async () => {
    const { recording } = await played({ keepSecrets: true, maxMemory: 4000 }, [
      post('/long', { password: 'x'.repeat(1000) }),
      post('/a', { password: 'secret a' }),
      post('/b', { password: 'secret b' }),
    ]);

    expect(recording.entries).to.equal(3);
    expect(recording.summary()).to.include('not kept: secrets over the memory limit (1)');
  });

  it('has a limit, beyond which bodies are omitted, and which is free again afterwards', async () => {
    const steps = [
      post('/a', { long: 'x'.repeat(3000) }),
      post('/b', { short: 1 }),
      post('/c', { short: 1 }),
    ];
    const { recording, entries } = await played({ maxMemory: 3000 }, steps);

    expect(entries.map(({ comment }) => comment)).to.deep.equal([
      'request body: over the memory limit',
      undefined,
      undefined,
    ]);
    expect(entries.map(({ request }) => request.postData?.text)).to.deep.equal([
      undefined,
      '{"short":1}',
      '{"short":1}',
    ]);
    expect(recording.summary()).to.include('dropped: a request body over the memory limit (1)');
  });

  it('has a limit, beyond which requests are not recorded while others have no response', async () => {
    const { recording } = await played({ maxMemory: 5000 }, [get('/together')]);

    expect(recording.summary().at(-1)).to.match(/^not recorded: requests over the memory limit \(2\)/);
  });
});

describe('the time of a recorder', () => {
  for (const piece of ['%&', '%=&', 'a=%&', '%FF&', '+&', '&', '=', 'a=%253D&'])
    it(`is linear for forms of ${piece}`, () => {
      const scrubber = new Scrubber();
      const type = 'application/x-www-form-urlencoded';
      expectLinear(
        (text) => scrubber.body(Buffer.from(text), { type }),
        (length) => piece.repeat(length / piece.length),
      );
    });

  it('is short for percent signs that encode nothing', () => {
    const scrubber = new Scrubber();
    const before = process.cpuUsage();
    scrubber.body(Buffer.from('%&'.repeat(50_000)), { type: 'application/x-www-form-urlencoded' });
    const { user, system } = process.cpuUsage(before);

    expect((user + system) / 1000).to.be.below(150);
  });
});

/** Plays requests to an application with a recorder. `grown` is the growth of the heap in bytes. */
async function played(
  options: Omit<RecorderOptions, 'file'>,
  steps: readonly Step[],
): Promise<{ recording: Recorder; entries: har.Entry[]; grown: number }> {
  const file = join(temporaryFolder('recorder-memory'), 'traffic.har');
  const recording = new Recorder({ file, perSecond: 1000, maxBytes: 100 * MB, ...options });
  const app = express();
  app.use((req, res, next) => {
    recording.observe(req, res);
    next();
  });
  app.get('/together', async (req, res) => {
    // As many requests as the memory has room for, and two more.
    for (let index = 0; index < 3; index++) recording.observe(Object.create(req), Object.create(res));
    res.send('hello');
  });
  app.use((req, res) => {
    req.resume().on('end', () => res.send('hello'));
  });
  const before = used();
  await serving(createServer(app), (port) => playSteps(steps, { port, patience: 5000 }));
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  const grown = used() - before;
  recording.close();
  return { recording, entries: JSON.parse(readFileSync(file, 'utf8')).log.entries, grown };
}

function used(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
