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
const NAME = 'an application emits mount with its parent each time it is mounted';

describe('npm run fixtures, the check of a recording', () => {
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
      /content\.size is 1, but content\.text/,
    ],
    [
      'a time that is not the sum',
      (entry) => (entry.timings.wait = 5 as 0),
      /time is not the sum of timings/,
    ],
    [
      'another scenario',
      (entry) => (entry._scenario = 'no such'),
      /log\._scenarios has no "no such" with these clauses/,
    ],
    [
      'another clause',
      (entry) => (entry._clauses = ['F-1-01']),
      /log\._scenarios has no ".*" with these clauses/,
    ],
  ] as ReadonlyArray<[string, (entry: Entry) => unknown, RegExp]>) {
    it(`reports ${what}`, () => {
      expect(verifyHar(changed(({ entries }) => change(entries[0] as Entry)))[0]).to.match(fault);
    });
  }

  it('reports nothing for a new recording that is equal', () => {
    expect(describeChange(recorded, recorded)).to.deep.equal([]);
  });

  it('reports place, old value and new value of a difference', () => {
    const now = JSON.stringify(
      changed(({ entries: [first] }) => Object.assign(first?.response ?? {}, { status: 201 })),
    );

    expect(describeChange(recorded, now)).to.deep.equal([
      `${NAME}\n    1.status\n      recorded   HTTP/1.1 200 OK\n      now        HTTP/1.1 201 OK`,
    ]);
  });

  it('reports other versions apart from other responses', () => {
    const now = JSON.stringify(changed((log) => (log._versions = { express: '5.4.0', node: '22' })));

    expect(describeChange(recorded, now)).to.deep.equal([
      'was recorded with express 5.3.0, morgan 1.12.1, node 20; installed is express 5.4.0, node 22',
    ]);
  });

  it('reports missing recordings, removed scenarios, and files with another formatting', () => {
    const renamed = JSON.stringify(
      changed(({ _scenarios: [first] }) => Object.assign(first ?? {}, { name: 'another' })),
    );

    expect(describeChange(undefined, recorded)).to.deep.equal(['is not recorded yet']);
    expect(describeChange(recorded, renamed)).to.deep.equal([
      `${NAME}: is recorded, but is no scenario any more`,
      'another: is not recorded yet',
    ]);
    expect(describeChange(recorded, JSON.stringify(JSON.parse(recorded)))).to.deep.equal([
      'the exchanges are equal, but their clauses, order or format changed',
    ]);
  });
});

function changed(change: (log: Log) => unknown): Har {
  const har = JSON.parse(recorded) as Open<Har>;
  change(har.log);
  return har as Har;
}
