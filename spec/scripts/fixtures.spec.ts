import { expect } from 'chai';
import { readSection } from '../../parity/corpus/corpus';
import type { Har } from '../../parity/corpus/har';
import { verifyHar } from '../../scripts/fixtures/verify';

type Open<T> = { -readonly [K in keyof T]: Open<T[K]> };
type Log = Open<Har['log']>;
type Entry = Log['entries'][number];

const SECTION = '6-events/6-mount';
const recorded = readSection(SECTION) ?? '';

describe('npm run generate -- fixtures, the check of a recording', () => {
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
});

function changed(change: (log: Log) => unknown): Har {
  const har = JSON.parse(recorded) as Open<Har>;
  change(har.log);
  return har as Har;
}
