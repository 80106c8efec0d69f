/** Differences that a file allows: those of an earlier run, values that vary, and rules for headers and JSON. */
import { expect } from 'chai';
import type { Divergence, Matcher } from '../../parity/divergences/divergence';
import { NOTHING } from '../../parity/implementations/observe';
import { toDivergences } from '../../parity/judge/accept';
import { judge } from '../../parity/judge/judge';
import { matched } from '../../parity/judge/matchers';
import { reportOn } from '../../parity/judge/report';
import { toMarkdown } from '../../parity/report/markdown';

const ENTRY = { id: 'app.js: GET /', section: 'app.js', scenario: { name: 'GET /', clauses: [] } };
const OBSERVERS = ['express', 'nozomi'].map((name) => ({ name, description: `${name} 5.3.0` }));
const REST = {
  kind: 'application',
  observers: OBSERVERS,
  ofBuild: false,
  divergences: [],
  milliseconds: 1,
} as const;

function divergence(match: Matcher): Divergence {
  return { id: 'rule', clauses: [], differs: 'a', why: 'b', scenarios: {}, match };
}

/** Whether a matcher allows these values of a place. */
function allows(match: Matcher, place: string, expected: string, actual: string): boolean {
  const places = [new Map([[place, expected]]), new Map([[place, actual]])] as const;
  const found = matched([divergence(match)], [{ place, expected, actual }], places, ENTRY.id);
  return (
    found.length > 0 &&
    judge(ENTRY, NOTHING, NOTHING, found, { found: [{ place, expected, actual }] }).state === 'declared'
  );
}

describe('a matcher', () => {
  it('allows values of a header that match its pattern', () => {
    const match = { header: 'X-Id', pattern: '^[0-9a-f]{4}$' };

    expect(allows(match, '1.headers.x-id', '0a1b', 'ffff')).to.equal(true);
    expect(allows(match, '1.headers.x-id', '0a1b', 'ff')).to.equal(false);
    expect(allows(match, '1.headers.x-other', '0a1b', 'ffff')).to.equal(false);
  });

  it('allows numbers and dates within its tolerance, in each element of a list', () => {
    const match = { json: 'items[].at', tolerance: 10 };
    const body = (...values: unknown[]): string =>
      JSON.stringify({ items: values.map((at) => ({ at })), a: 1 });

    expect(allows(match, '1.body', body(1, 20), body(5, 30))).to.equal(true);
    expect(
      allows(match, '1.body', body('2026-01-01T00:00:00.001Z'), body('2026-01-01T00:00:00.009Z')),
    ).to.equal(true);
    expect(allows(match, '1.body', body(1, 20), body(5, 31))).to.equal(false);
    expect(allows(match, '1.body', body(1), body(5).replace('"a":1', '"a":2'))).to.equal(false);
    expect(allows(match, '1.body', 'no JSON', body(5))).to.equal(false);
  });

  it('allows lists in any order', () => {
    const match = { json: 'tags', unordered: true };

    expect(allows(match, '1.body', '{"tags":["a","b"]}', '{"tags":["b","a"]}')).to.equal(true);
    expect(allows(match, '1.body', '{"tags":["a","b"]}', '{"tags":["b","b"]}')).to.equal(false);
  });

  it('allows a body whose differences each have a rule', () => {
    const rules = [
      { json: 'at', tolerance: 10 },
      { json: 'tags', unordered: true },
      { json: 'id', pattern: '^x' },
    ];
    const rulesUsed = (body: string): number =>
      matched(
        rules.map(divergence),
        [{ place: '1.body', expected: '', actual: '' }],
        [new Map([['1.body', '{"at":1,"tags":["a","b"],"id":"x"}']]), new Map([['1.body', body]])],
        ENTRY.id,
      ).length;

    expect(rulesUsed('{"at":2,"tags":["b","a"],"id":"x"}')).to.equal(2);
    expect(rulesUsed('{"at":2,"tags":["b","b"],"id":"x"}')).to.equal(0);
  });
});

describe('a file of accepted differences', () => {
  const found = [
    { place: '1.headers.etag', expected: 'a', actual: 'b' },
    { place: '1.headers.x-id', expected: '1', actual: '2' },
  ];
  const varies: Divergence = {
    ...divergence({ header: 'x' }),
    id: 'varies',
    scenarios: { [ENTRY.id]: ['1.headers.x-id'] },
  };
  const report = reportOn([judge(ENTRY, NOTHING, NOTHING, [varies], { found })], REST);
  const list = toDivergences(report, report);

  it('lists the values that vary apart from the differences', () => {
    expect(list.map(({ id, scenarios }) => [id, scenarios])).to.deep.equal([
      ['varies', { [ENTRY.id]: ['1.headers.x-id'] }],
      ['known', { [ENTRY.id]: ['1.headers.etag'] }],
    ]);
  });

  it('allows both, requires the differences, and reports new ones', () => {
    const state = (differences: typeof found): string =>
      judge(ENTRY, NOTHING, NOTHING, list, { found: differences }).state;

    expect(state(found)).to.equal('declared');
    expect(state(found.slice(0, 1))).to.equal('declared');
    expect(state(found.slice(1))).to.equal('different');
    expect(state([...found, { place: '1.status', expected: '200', actual: '500' }])).to.equal('different');
  });

  it('allows the values of its time only, and shows them without secrets', () => {
    const [changed = found[0]] = found.map((one) => ({ ...one, actual: 'c' }));
    const { differences } = judge(ENTRY, NOTHING, NOTHING, list, { found: [changed as (typeof found)[0]] });

    expect(differences.map(({ place }) => place)).to.deep.equal(['1.headers.etag']);
    expect(list[1]?.values?.[ENTRY.id]?.['1.headers.etag']).to.include({ expected: 'a', actual: 'b' });
  });

  it('is not needed to read the report: Markdown names the difference, in a fence that its text cannot close', () => {
    const text = [{ place: '1.body', expected: 'a ``` b', actual: '```\n# c' }];
    const page = toMarkdown(reportOn([judge(ENTRY, NOTHING, NOTHING, [], { found: text })], REST));

    expect(page).to.match(
      /^<!-- nozomi-parity -->\n### ❌ express 5\.3\.0 → nozomi 5\.3\.0: 0 passed, 1 failed\n/,
    );
    expect(page).to.match(/\n````\n✗ app\.js: GET \/\n[\s\S]*```[\s\S]*\n````\n/);
  });
});
