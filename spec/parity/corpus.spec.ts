import { join } from 'node:path';
import { expect } from 'chai';
import { formatHead } from '../../parity/client/request';
import { Corpus, isRecorded, readSection, record, writeSection } from '../../parity/corpus/corpus';
import type { Har } from '../../parity/corpus/har';
import { REFERENCE } from '../../parity/implementations/implementations';
import { WorkerPool } from '../../parity/implementations/observe';
import type { Implementation } from '../../parity/implementations/protocol';
import { runParity } from '../../parity/parity';
import { readCatalogue } from '../../parity/scenario/catalogue';
import { temporaryFolder } from '../../parity/temporary-folder';
import { playMatrix } from '../../parity/transport-matrix';
import { ENTRIES, FAULTY } from './faulty/implementations';
import { BROKEN, EQUAL } from './faulty/scenarios';

const entries = ENTRIES.filter(({ scenario }) => !(scenario.name in BROKEN));
const equal = entries.filter(({ scenario }) => EQUAL.includes(scenario.name));

describe('parity: the corpus', () => {
  let folder: string;
  let text: string;

  before(async () => {
    folder = temporaryFolder('corpus');
    text = (await record(entries)).get('faulty') ?? '';
    writeSection('faulty', text, folder);
  });

  it('is recorded again byte for byte if nothing has changed', async () => {
    const again = await record(entries);

    expect(again.get('faulty')).to.equal(text);
    expect(readSection('faulty', folder)).to.equal(text);
  });

  it('equals Express in every scenario, as the baseline', async () => {
    const { passed, failed } = await replay(REFERENCE);

    expect({ passed, failed }).to.deep.equal({ passed: entries.length, failed: 0 });
  });

  it('as baseline finds the same seeded faults as Express', async () => {
    const { passed, failed } = await replay(FAULTY);

    expect({ passed, failed }).to.deep.equal({ passed: equal.length, failed: entries.length - equal.length });
  });

  it('as baseline finds the seeded faults of an application that another server serves', async () => {
    const [{ report } = {}] = await playMatrix({
      implementation: FAULTY,
      transports: ['create'],
      entries,
      baseline: new Corpus(folder),
    });

    const verdicts = report?.verdicts ?? [];
    expect(verdicts).to.have.length.above(equal.length);
    for (const { entry, state } of verdicts) {
      expect(state, entry.id).to.equal(EQUAL.includes(entry.scenario.name) ? 'equal' : 'different');
    }
  });

  it('restores each request from its HAR members, and keeps bytes that HAR cannot represent', async () => {
    const corpus = new Corpus();
    await corpus.start();
    const requests = [];
    for (const entry of readCatalogue().filter(isRecorded)) {
      const { exchanges } = await corpus.observe(entry);
      requests.push(...exchanges.map(({ request }) => request));
    }

    const [posted] = requests.filter(({ method, payload }) => method === 'POST' && payload.length > 0);
    expect(posted?.target).to.match(/^\//);
    for (const { bytes, ...request } of requests) {
      const sent = Buffer.concat([formatHead(request), request.payload]);
      if (bytes) expect(sent.equals(bytes)).to.equal(false);
    }
  });

  it('has only entries that are valid in HAR 1.2', () => {
    const { log } = JSON.parse(text) as Har;

    expect(log.version).to.equal('1.2');
    expect(log.creator).to.have.all.keys('name', 'version');
    for (const entry of log.entries) {
      expect(entry).to.include.keys('startedDateTime', 'time', 'request', 'response', 'cache', 'timings');
      expect(entry.request).to.include.keys(
        'method',
        'url',
        'httpVersion',
        'cookies',
        'headers',
        'queryString',
      );
      expect(entry.request).to.include.keys('headersSize', 'bodySize');
      expect(entry.response).to.include.keys(
        'status',
        'statusText',
        'httpVersion',
        'cookies',
        'headers',
        'content',
      );
      expect(entry.response).to.include.keys('redirectURL', 'headersSize', 'bodySize');
      expect(new URL(entry.request.url).host).to.equal('parity.test');
    }
  });

  it('reports a scenario that was never recorded', async () => {
    const observers = [new Corpus(join(folder, 'empty')), new WorkerPool(REFERENCE)] as const;
    const { verdicts } = await runParity({ observers, entries: equal.slice(0, 1), divergences: [] });

    expect(verdicts[0]?.problem).to.match(/not recorded yet/);
  });

  it('lists recordings whose scenario does not exist', async () => {
    const corpus = new Corpus(folder);
    await corpus.start();

    expect(corpus.orphans(entries.slice(1))).to.deep.equal([entries[0]?.id]);
  });

  function replay(implementation: Implementation): ReturnType<typeof runParity> {
    return runParity({
      observers: [new Corpus(folder), new WorkerPool(implementation)],
      entries,
      divergences: [],
    });
  }
});
