import { expect } from 'chai';
import { readSection } from '../../parity/corpus/corpus';
import type { Har } from '../../parity/corpus/har';
import { describeChange } from '../../scripts/fixtures/again';
import { verifyHar } from '../../scripts/fixtures/verify';

type Open<T> = { -readonly [K in keyof T]: Open<T[K]> };
type Log = Open<Har['log']>;
type Entry = Log['entries'][number];

const SECTION = '6-events/6-mount';
const recorded = readSection(SECTION) ?? '';
const NAME = 'a sub-application hears of each mounting, with its parent';

describe('fixtures: reports on a recording', () => {
  it('accepts an unchanged recording', () => {
    expect(verifyHar(JSON.parse(recorded))).to.deep.equal([]);
  });

  for (const [what, change, fault] of [
    [
      'a url that nothing can parse',
      ({ request }) => (request.url = 'http://['),
      /^entry 0: the url cannot be parsed/,
    ],
    [
      'a body of another length',
      ({ response }) => (response.content.size = 1),
      /content.size is 1, but the text/,
    ],
    [
      'a time that is not the sum',
      (entry) => (entry.timings.wait = 5 as 0),
      /time is not the sum of timings/,
    ],
    [
      'another scenario',
      (entry) => (entry._scenario = 'no such'),
      /"no such" is no scenario with these clauses/,
    ],
    ['another clause', (entry) => (entry._clauses = ['F-1-01']), /is no scenario with these clauses/],
  ] as ReadonlyArray<[string, (entry: Entry) => unknown, RegExp]>) {
    it(`finds ${what}`, () => {
      expect(verifyHar(changed(({ entries }) => change(entries[0] as Entry)))[0]).to.match(fault);
    });
  }

  it('reports nothing for an equal recording', () => {
    expect(describeChange(recorded, recorded)).to.deep.equal([]);
  });

  it('reports place, recorded value and new value', () => {
    const today = JSON.stringify(
      changed(({ entries: [first] }) => Object.assign(first?.response ?? {}, { status: 201 })),
    );

    expect(describeChange(recorded, today)).to.deep.equal([
      `${NAME}\n    1.status\n      recorded   HTTP/1.1 200 OK\n      today      HTTP/1.1 201 OK`,
    ]);
  });

  it('distinguishes other versions from other responses', () => {
    const today = JSON.stringify(changed((log) => (log._versions = { express: '5.4.0', node: '22' })));

    expect(describeChange(recorded, today)).to.deep.equal([
      'was recorded with express 5.3.0, morgan 1.12.1, node 20; this is express 5.4.0, node 22',
    ]);
  });

  it('reports missing recordings, removed scenarios, and files with another formatting', () => {
    const renamed = JSON.stringify(
      changed(({ _scenarios: [first] }) => Object.assign(first ?? {}, { name: 'another' })),
    );

    expect(describeChange(undefined, recorded)).to.deep.equal(['is not recorded yet']);
    expect(describeChange(recorded, renamed)).to.deep.equal([
      `${NAME}: is recorded, but no longer played`,
      'another: is not recorded yet',
    ]);
    expect(describeChange(recorded, JSON.stringify(JSON.parse(recorded)))).to.deep.equal([
      'the same answers, written otherwise: clauses, order or form',
    ]);
  });
});

function changed(change: (log: Log) => unknown): Har {
  const har = JSON.parse(recorded) as Open<Har>;
  change(har.log);
  return har as Har;
}
