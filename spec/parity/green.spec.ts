/** What must be compared before a run counts as equal: the principle of docs/parity.md. */
import { expect } from 'chai';
import { judgeParts, lacksMajority, partsOf } from '../../parity/application/judging';
import type { Exchange } from '../../parity/client/messages';
import { get } from '../../parity/client/request';
import { NOTHING } from '../../parity/implementations/observe';
import type { Observation } from '../../parity/implementations/protocol';
import { allows } from '../../parity/judge/allowed';
import { majorityOf } from '../../parity/judge/majority';
import { isRecognised } from '../../parity/judge/recognised';
import { deviationFrom, type RecordedResponse } from '../../parity/judge/recorded';

function exchange(status: number, body = '', headers: Record<string, string> = {}): Exchange {
  return {
    request: get('/'),
    connection: 1,
    outcome: 'kept',
    header: () => undefined,
    response: {
      version: 'HTTP/1.1',
      status,
      reason: '',
      framing: 'length',
      headers: Object.entries(headers),
      body: Buffer.from(body),
    },
  };
}

const recorded = (body: string, status = 200, headers: Record<string, string> = {}): RecordedResponse => ({
  status,
  headers: Object.entries(headers),
  body,
});

describe('a response of a replay is not like the recorded one', () => {
  const deviation = (before: string, ...after: string[]): string | undefined =>
    deviationFrom(
      recorded(before),
      after.map((body) => exchange(200, body)),
    );

  for (const [what, before, after, why] of [
    [
      'an error of JSON-RPC',
      '{"id":1,"result":{"a":1}}',
      '{"id":1,"error":{"code":-1}}',
      'body without result',
    ],
    ['an error of GraphQL', '{"data":{"me":{"n":"a"}}}', '{"errors":[{}],"data":null}', 'data {…} → null'],
    ['errors beside the data', '{"data":{"me":1}}', '{"data":{"me":1},"errors":[{}]}', 'body with errors'],
    ['a failed login', '{"ok":true,"token":"masked-1a2b"}', '{"ok":false}', 'ok true → false'],
    [
      'another message',
      '{"message":"Welcome back"}',
      '{"message":"Wrong password"}',
      'message Welcome back → Wrong password',
    ],
    ['nobody', '{"user":{"name":"ann"}}', '{"user":null}', 'user {…} → null'],
    ['an empty list', '{"rows":[{"id":1}]}', '{"rows":[]}', 'rows is []'],
    ['an empty body', '{"a":1}', '', 'empty body'],
    ['another page', '<h1>Hello ann, your orders</h1>', '<h1>Please log in first</h1>', 'another page'],
    ['a text in place of JSON', '{"a":1}', 'try again later', 'another page'],
  ] as const)
    it(`if it is ${what}`, () => {
      expect(deviation(before, after)).to.equal(why);
    });

  for (const [what, before, after] of [
    ['a token with groups of letters', 'masked-1a2b3c', '12345678-abcd-beef-face-decadefaced0'],
    ['a masked token of letters', 'masked-abcdef', '12345678-1234-1234-1234-123456789012'],
    ['ids, times and counts', '{"id":7,"at":"2026-01-01","n":3}', '{"id":12,"at":"2027-02-02","n":4}'],
    ['masked values', '{"user":"masked-1a2b"}', '{"user":"ann"}'],
    ['more rows', '{"rows":[{"id":1}]}', '{"rows":[{"id":1},{"id":2,"note":"x"}]}'],
    ['members by id', '{"open":{"s-1a2b":{"n":1}}}', '{"open":{"s-9c8d":{"n":1}}}'],
    [
      'stack frames',
      '<pre>Error: no<br> &nbsp; &nbsp;at one (/a/b/c.js:1:2)<br> &nbsp; &nbsp;at two (/a/d.js:1:2)</pre>',
      '<pre>Error: no<br> &nbsp; &nbsp;at (stack)</pre>',
    ],
    ['a page with other numbers', '<h1>3 orders of ann</h1>', '<h1>4 orders of ann</h1>'],
  ] as const)
    it(`but it may have ${what}`, () => {
      expect(deviation(before, after)).to.equal(undefined);
    });

  it('if status, type or target differ, but not by ids in the target', () => {
    const to = (location: string): Record<string, string> => ({ Location: location });
    const expected = recorded('', 302, to('http://127.0.0.1:3000/orders/7'));

    expect(deviationFrom(recorded(''), [exchange(401)])).to.equal('200 → 401');
    expect(deviationFrom(expected, [exchange(302, '', to('/orders/12'))])).to.equal(undefined);
    expect(deviationFrom(expected, [exchange(302, '', to('/login?error=1'))])).to.equal(
      'Location /orders/* → /login?error=*',
    );
    expect(
      deviationFrom(recorded('', 200, { 'Content-Type': 'application/json' }), [
        exchange(200, '', { 'Content-Type': 'text/html; charset=utf-8' }),
      ]),
    ).to.equal('application/json → text/html');
  });

  it('but not if its bytes are no text, which a recording replaces', () => {
    const type = { 'Content-Type': 'application/octet-stream' };

    expect(deviationFrom(recorded('xxxx xx', 200, type), [exchange(200, '\0\x01ab', type)])).to.equal(
      undefined,
    );
    expect(deviationFrom(recorded('xxxx xx', 200, type), [exchange(200, '', type)])).to.equal('empty body');
  });

  it('but not by what also varies between the runs', () => {
    expect(deviation('{"word":"yes"}', '{"word":"no"}', '{"word":"yes"}')).to.equal(undefined);
    expect(deviation('{"word":"yes"}', '{"word":"no"}', '{"word":"no"}')).to.equal('word yes → no');
  });
});

describe('the runs that are compared', () => {
  const runs = (...statuses: number[]): Observation[] =>
    statuses.map((status) => ({ ...NOTHING, exchanges: [exchange(status)] }));

  it('are those of the majority, and the accidents of the others are named', () => {
    const { runs: counting, accidents, isReached } = majorityOf(runs(200, 500, 200));

    expect(counting.map(({ exchanges }) => exchanges[0]?.response.status)).to.deep.equal([200, 200]);
    expect([accidents, isReached]).to.deep.equal(['500 length kept in 1 of 3 runs', true]);
  });

  it('are all, as long as there is no majority', () => {
    const { runs: counting, isReached } = majorityOf(runs(200, 500));

    expect([counting.length, isReached]).to.deep.equal([2, false]);
  });

  it('are without a run whose process ended', () => {
    const lost = { ...NOTHING, lost: 'ended with exit code 1' };

    expect(majorityOf([...runs(200, 200), lost]).accidents).to.equal('its process ended in 1 of 3 runs');
  });
});

describe('an accident of a run', () => {
  const traffic = {
    name: 'a.http',
    requests: [{ ...get('/'), id: 'GET /' }],
    leftOut: [],
    secrets: new Map<string, string>(),
  };
  const parts = partsOf({ traffic }, 'app.js');
  const run = (status: number, body: string, lines: readonly string[] = []): Observation => ({
    ...NOTHING,
    stderr: lines,
    exchanges: [exchange(status, body)],
  });
  const usual = run(200, 'a');
  const bad = run(500, 'b', ['Error: busy\n']);
  const judged = (baselines: Observation[], candidates: Observation[]): ReturnType<typeof judgeParts> =>
    judgeParts(parts, { baselines, candidates }, [], ['express', 'nozomi']);

  it('of Express hides no constant difference, and is named', () => {
    const { verdicts, remarks } = judged([usual, bad, usual], [run(200, 'c'), run(200, 'c')]);

    expect(verdicts.map(({ differences }) => differences)).to.deep.equal([
      [{ place: '1.body', expected: 'a', actual: 'c' }],
      [],
    ]);
    expect(remarks).to.deep.equal([
      'GET /: express had 500 length kept in 1 of 3 runs; the others are compared',
    ]);
  });

  it('of Express is no difference, also in what the application writes', () => {
    const { verdicts } = judged([bad, usual, usual], [usual, usual]);

    expect(verdicts.map(({ state, uncompared }) => [state, uncompared])).to.deep.equal([
      ['equal', []],
      ['equal', []],
    ]);
  });

  it('of Nozomi is not compared, which leaves a gap', () => {
    const { verdicts } = judged([usual, usual, usual], [usual, bad, usual]);

    expect(verdicts[0]?.uncompared).to.deep.equal(['1.status']);
  });

  it('needs more runs, until most of them agree', () => {
    const lacks = (baselines: Observation[], candidates: Observation[]): boolean =>
      lacksMajority(parts, { baselines, candidates });

    expect(lacks([usual, bad], [usual])).to.equal(true);
    expect(lacks([usual, usual], [usual, bad])).to.equal(true);
    expect(lacks([usual, bad, usual], [usual, usual])).to.equal(false);
  });
});

describe('a value that varies', () => {
  for (const [value, other] of [
    ['{"id":1,"at":1764400000000}', '{"id":2,"at":1764400000012}'],
    ['{"token":"abc"}', '{"token":"xyz"}'],
    ['sid=4f3a2b1c0d; Path=/', 'sid=9e8d7c6b5a; Path=/'],
    ['GET / 200 3.1 ms', 'GET / 200 12.4 ms'],
    ['at 12:30:59 GMT', 'at 12:31:02 GMT'],
    ['r=198; t=59', 'r=198; t=58'],
  ] as const)
    it(`is recognised as an id, a token or a time: ${value}`, () => {
      expect(isRecognised('1.body', [value, other], [value])).to.equal(true);
    });

  for (const [value, other] of [
    ['{"total":3}', '{"total":4}'],
    ['{"colour":"red"}', '{"colour":"blue"}'],
    ['{"rows":[1]}', '{"rows":[1,2]}'],
    ['a page with 3 rows', 'a page with 4 rows'],
  ] as const)
    it(`is not recognised: ${value}`, () => {
      expect(isRecognised('1.body', [value, other], [value])).to.equal(false);
    });

  it('is never recognised as a status', () => {
    expect(isRecognised('1.status', ['HTTP/1.1 200 OK', 'HTTP/1.1 500 Error'], [])).to.equal(false);
  });
});

describe('an accepted difference', () => {
  const difference = { place: '1.body', expected: 'a', actual: 'b' };
  const accepted = {
    id: 'known',
    clauses: [],
    differs: 'a',
    why: 'b',
    scenarios: { one: ['1.body'] },
  };

  it('is allowed at its place only', () => {
    expect(allows(accepted, 'one', difference)).to.equal(true);
    expect(allows(accepted, 'one', { ...difference, place: '1.status' })).to.equal(false);
    expect(allows(accepted, 'other', difference)).to.equal(false);
  });
});
