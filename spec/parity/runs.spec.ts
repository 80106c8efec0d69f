import { createHash, randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { decodeBody } from '../../parity/client/decode';
import type { Exchange } from '../../parity/client/messages';
import { get } from '../../parity/client/request';
import { NOTHING } from '../../parity/implementations/observe';
import type { Observation } from '../../parity/implementations/protocol';
import { excerpt } from '../../parity/judge/excerpt';
import { judgeRuns, lengthsAtThreshold } from '../../parity/judge/runs';

describe('parity: differences between several runs', () => {
  it('are reported if every run has them', () => {
    expect(placesOf([{ 'X-A': '1' }, { 'X-A': '1' }], [{ 'X-A': '2' }, { 'X-A': '2' }])).to.deep.equal([
      '1.headers.x-a',
    ]);
  });

  it('are not reported for a time that differs in some runs only', () => {
    expect(
      placesOf(
        [{ RateLimit: 't=60' }, { RateLimit: 't=60' }],
        [{ RateLimit: 't=59' }, { RateLimit: 't=60' }],
      ),
    ).to.deep.equal([]);
  });

  it('are not reported for seconds that happen to be equal in all runs of the baseline', () => {
    const up = (...seconds: number[]): Array<Record<string, string>> =>
      seconds.map((one) => ({ Status: `{"up":${one},"id":"a"}` }));

    expect(placesOf(up(3, 3, 3), up(2, 4, 4))).to.deep.equal([]);
    expect(placesOf(up(3, 3, 3), up(4, 5, 4))).to.deep.equal([]);
    expect(placesOf(up(3, 3, 3), up(7, 8, 7))).to.deep.equal(['1.headers.status']);
    expect(placesOf(up(3, 3, 3), up(1, 500, 9))).to.deep.equal(['1.headers.status']);
    expect(placesOf(up(3, 3, 3), up(4, 4, 4))).to.deep.equal(['1.headers.status']);
  });

  it('are not reported for a number in a path that happens to have more digits in all runs of the baseline', () => {
    const paths = (...ids: number[]): Array<Record<string, string>> =>
      ids.map((id) => ({ Location: `/api/notes/${id}` }));

    expect(placesOf(paths(973, 412), paths(59, 7))).to.deep.equal([]);
    expect(
      placesOf(paths(973, 412), [{ Location: '/api/note/59' }, { Location: '/api/note/7' }]),
    ).to.deep.equal(['1.headers.location']);
  });

  describe('are not reported for a clock in seconds, whenever the runs start and however long they take', () => {
    /** Texts with the time in seconds, alone or beside a random value. */
    const texts: Readonly<Record<string, (seconds: number) => string>> = {
      'a date in HTTP': (seconds) => new Date(seconds * 1000).toUTCString(),
      'a time in JSON': (seconds) => JSON.stringify({ at: seconds, id: randomBytes(9).toString('hex') }),
      'a signed cookie': (seconds) => `s:${seconds}.${randomBytes(32).toString('base64')}`,
      'a JSON Web Token': (seconds) =>
        [`{"alg":"HS256"}`, `{"device":"kitchen","iat":${seconds}}`, randomBytes(32)]
          .map((part) => Buffer.from(part).toString('base64url'))
          .join('.'),
      'a JSON Web Token of a fixed key': (seconds) => {
        const claims = Buffer.from(`{"sub":"1","exp":${seconds + 3600}}`).toString('base64url');
        return `${claims}.${createHash('sha256').update(claims).digest('base64url')}`;
      },
    };

    for (const [name, text] of Object.entries(texts))
      it(name, () => {
        const [start, step] = [fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 10, max: 1500 })];
        fc.assert(
          fc.property(start, step, fc.integer({ min: 3, max: 5 }), (start, step, most) => {
            const [ours, theirs]: [Headers[], Headers[]] = [[], []];
            let now = 1_764_487_234_000 + start;
            const run = (...sides: Headers[][]): void => {
              for (const side of sides) {
                side.push({ 'X-Value': text(Math.floor(now / 1000)) });
                now += step;
              }
            };
            // As `playApplication` does.
            run(ours, theirs, ours, theirs);
            while (ours.length < most && placesOf(ours, theirs).length > 0) run(theirs, ours);
            expect(placesOf(ours, theirs)).to.deep.equal([]);
          }),
          { numRuns: 1000 },
        );
      });
  });

  it('are not reported for a random id', () => {
    expect(placesOf([{ Id: 'a1-7' }, { Id: 'b2-9' }], [{ Id: 'c3-1' }, { Id: 'd4-2' }])).to.deep.equal([]);
  });

  it('are reported beside a random id', () => {
    const baseline = ['a1', 'b2', 'c3'].map((id) => ({ 'Set-Cookie': `sid=${id}; Path=/; HttpOnly` }));
    const lost = ['d4', 'e5', 'f6'].map((id) => ({ 'Set-Cookie': `sid=${id}; Path=/` }));
    const renamed = ['d4', 'e5', 'f6'].map((id) => ({ 'Set-Cookie': `ssid=${id}; Path=/; HttpOnly` }));

    expect(placesOf(baseline, lost)).to.deep.equal(['1.headers.set-cookie']);
    expect(placesOf(baseline, renamed)).to.deep.equal(['1.headers.set-cookie']);
  });

  describe('in the shape of values that each run creates', () => {
    const hex = (from: number): string => createHash('sha256').update(String(from)).digest('hex');
    const cookie = (from: number): string =>
      `last=s%3A17640000000${from}0.${encodeURIComponent(createHash('sha256').update(`${from}`).digest('base64').replace(/=+$/, ''))}; Path=/`;
    const uuid = (from: number): string =>
      hex(from).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
    const changes: Array<[what: string, make: (from: number) => string, changed: (value: string) => string]> =
      [
        ['an id that is cut', uuid, (value) => value.slice(0, -1)],
        ['a signature that is cut', cookie, (value) => value.replace(/(\.)[^;]+/, '$1x')],
        ['a cookie that is not signed', cookie, (value) => value.replace(/s%3A(\d+)\.[^;]+/, '$1')],
        ['a token that never changes', hex, (value) => value.replaceAll(/./g, '0')],
        ['a token in capital letters', hex, (value) => value.toUpperCase()],
        ['a time in seconds', (from) => `at ${1764000000123 + from * 999}`, (value) => value.slice(0, -3)],
        [
          'a token in base64',
          hex,
          (value) =>
            Buffer.from(value.slice(0, 48), 'hex').toString('base64').replaceAll('=', 'x').padEnd(64, 'Q'),
        ],
      ];
    for (const [what, make, changed] of changes)
      it(`are reported for ${what}`, () => {
        const expected = [1, 3, 5].map((run) => ({ 'X-Value': make(run) }));
        const actual = [2, 4, 6].map((run) => ({ 'X-Value': make(run) }));
        const wrong = [2, 4, 6].map((run) => ({ 'X-Value': changed(make(run)) }));

        expect(placesOf(expected, actual)).to.deep.equal([]);
        expect(placesOf(expected, wrong)).to.deep.equal(['1.headers.x-value']);
      });

    it('are not reported for random tokens in base64, whether they have + and / or not', () => {
      const tokens = Array.from({ length: 200 }, (_, from) =>
        Buffer.from(hex(from), 'hex').toString('base64'),
      );
      const pick = (pattern: RegExp): Headers[] =>
        tokens
          .map((token) => token.slice(0, 20))
          .filter((token) => pattern.test(token))
          .slice(0, 5)
          .map((token) => ({ 'X-Token': token }));
      const [without, some] = [pick(/^\w+$/), pick(/^\w+[+/]\w+$/)];

      expect([without.length, some.length]).to.deep.equal([5, 5]);
      expect(placesOf(without, some)).to.deep.equal([]);
      expect(placesOf(some, without)).to.deep.equal([]);
    });

    it('are not reported for a random nonce beside a word, whether it has + and / or not', () => {
      const toHeaders = (nonces: string[]): Headers[] =>
        nonces.map((X) => ({ X: `script-src 'nonce-${X}'` }));
      const without = toHeaders(['abcdefghij', 'klmnopqrst', 'uvwxyzabcd']);
      const some = toHeaders(['ab+defghij', 'klmno/qrst', 'uvwxyzab+d']);

      expect(placesOf(without, some)).to.deep.equal([]);
      expect(placesOf(some, without)).to.deep.equal([]);
    });

    it('are reported for a segment that the path of an id lacks', () => {
      const expected = ['/visits/12/a1', '/visits/9/b2', '/visits/345/c3'].map((Location) => ({ Location }));
      const wrong = ['/visits/12', '/visits/9', '/visits/345'].map((Location) => ({ Location }));

      expect(placesOf(expected, wrong)).to.deep.equal(['1.headers.location']);
    });

    it('are not reported for the whole part of a decimal number', () => {
      const expected = ['total;dur=5.12', 'total;dur=5.3', 'total;dur=5.41ms'].map((X) => ({ X }));
      const actual = ['total;dur=4.22', 'total;dur=4.6', 'total;dur=4.35ms'].map((X) => ({ X }));

      expect(placesOf(expected, actual)).to.deep.equal([]);
    });

    it('are reported for a random code of a few digits that lacks one', () => {
      const toHeaders = (values: number[]): Headers[] => values.map((value) => ({ X: `code ${value}` }));
      const expected = toHeaders([482913, 129384, 837261]);

      expect(placesOf(expected, toHeaders([293847, 748291, 502938]))).to.deep.equal([]);
      expect(placesOf(expected, toHeaders([29384, 74829, 50293]))).to.deep.equal(['1.headers.x']);
      expect(placesOf(toHeaders([29384, 74829, 50293]), expected)).to.deep.equal(['1.headers.x']);
    });

    it('are not reported for durations on both sides of a power of ten', () => {
      const toHeaders = (values: number[]): Headers[] => values.map((value) => ({ X: `${value} µs` }));

      expect(placesOf(toHeaders([1210, 3400, 1100]), toHeaders([980, 540, 870]))).to.deep.equal([]);
      expect(placesOf(toHeaders([980, 540, 870]), toHeaders([1210, 3400, 1100]))).to.deep.equal([]);
      expect(placesOf(toHeaders([12, 14, 35]), toHeaders([2, 3, 2]))).to.deep.equal([]);
    });

    it('are not reported for numbers, durations and short words of any length', () => {
      const values = [
        ['took 12.5 ms', 'took 9.25 ms', 'took 3 ms', 'took 101.125 ms'],
        ['0.1234567890123456', '0.9876543210987654', '0.12345678901234567', '0.123456789012345'],
        ['123456789', '987654321', '1234', '99'],
        ['port 43210', 'port 54321', 'port 8080', 'port 80'],
      ];
      for (const [a = '', b = '', c = '', d = ''] of values)
        expect(placesOf([{ X: a }, { X: b }], [{ X: c }, { X: d }]), a).to.deep.equal([]);
    });
  });

  it('are reported for a header that all runs of one implementation lack', () => {
    expect(placesOf([{ ETag: 'a' }, { ETag: 'b' }], [{}, {}])).to.deep.equal(['1.headers.etag']);
    expect(placesOf([{ ETag: 'a' }, {}], [{}, {}])).to.deep.equal([]);
  });

  it('are reported for an endless stream up to the length that each run received', () => {
    const [one, two] = [3, 5].map((count) => endless(count));

    expect(judge([one, two], [two, one])).to.deep.equal([]);
    expect(judge([one, two], [endless(3, 'other'), endless(4, 'other')])).to.deep.equal(['1.body']);
  });

  it('are reported for a stream that never sends an event', () => {
    expect(judge([endless(9), endless(8)], [endless(0), endless(0)])).to.deep.equal(['1.body']);
  });

  it('are reported for a missing line among lines whose number varies', () => {
    const [a, b] = [
      ['tick\n', 'done 1\n'],
      ['tick\n', 'tick\n', 'done 2\n'],
    ];
    const [c, d] = [['tick\n'], ['tick\n', 'tick\n']];
    const written = (stdout: string[]): Observation => ({ ...NOTHING, stdout });

    expect(judge([written(a), written(b)], [written(b), written(a)])).to.deep.equal([]);
    expect(judge([written(a), written(b)], [written(c), written(d)])).to.deep.equal(['stdout.2']);
  });

  it('are ignored for error pages with stack frames that only one implementation compressed', () => {
    const page = { hasFrames: true, body: Buffer.from('Error') };
    const [large, small] = [
      exchange({ 'Content-Encoding': 'gzip' }, { ...page, encodedLength: 9, framing: 'chunked' }),
      exchange({ 'Content-Length': '5' }, { ...page, framing: 'length' }),
    ];
    const lengths = lengthsAtThreshold([large], [small]);
    const line = (text: string): Observation => ({ ...NOTHING, stdout: [text] });

    expect(judge([large, large], [small, small])).to.deep.equal([]);
    expect(judgeRuns([line('GET / 500 -\n')], [line('GET / 500 5\n')], lengths).differences).to.deep.equal(
      [],
    );
    expect(judgeRuns([line('GET / 500 -\n')], [line('GET / 500 6\n')], lengths).differences).to.have.length(
      1,
    );
  });
});

describe('parity: encoded bodies', () => {
  for (const [encoding, encode] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['identity', (body: Buffer) => body],
    ['gzip, br', (body: Buffer) => brotliCompressSync(gzipSync(body))],
  ] as const) {
    it(`are decoded: ${encoding} of ${encode.name || 'unencoded bytes'}`, () => {
      expect(String(decodeBody(Buffer.from(encode(Buffer.from('hello'))), encoding))).to.equal('hello');
    });
  }

  it('are decoded as far as they arrived', () => {
    const body = Buffer.from('a long line\n'.repeat(2000));
    const cut = gzipSync(body, { level: 1 }).subarray(0, 60);

    expect(body.toString().startsWith(String(decodeBody(cut, 'gzip')))).to.equal(true);
    expect(decodeBody(cut, 'gzip')).to.have.length.above(10);
  });

  it('are not decoded if they lack the announced encoding', () => {
    expect(decodeBody(Buffer.from('plain'), 'gzip')).to.equal(undefined);
    expect(decodeBody(Buffer.from('plain'), 'unknown')).to.equal(undefined);
  });
});

describe('parity: excerpts of values', () => {
  it('contain short values completely', () => {
    expect(excerpt('a', 'b')).to.deep.equal(['a', 'b']);
  });

  it('contain the text around the first difference of long values', () => {
    const [expected, actual] = excerpt(
      `${'x'.repeat(5000)}WANTED${'y'.repeat(5000)}`,
      `${'x'.repeat(5000)}CAME`,
    );

    expect(expected).to.match(/^… x+WANTEDy+ … \(characters 4841 to 5320 of 10006\)$/);
    expect(actual).to.match(/^… x+CAME \(characters 4841 to 5004 of 5004\)$/);
  });
});

type Headers = Readonly<Record<string, string>>;

function exchange(given: Headers, response: Partial<Exchange['response']> = {}): Observation {
  const headers = Object.entries(given);
  const made: Exchange = {
    request: get('/'),
    connection: 1,
    response: { version: 'HTTP/1.1', status: 200, reason: 'OK', headers, ...response },
    outcome: 'kept',
    header: () => undefined,
  };
  return { ...NOTHING, exchanges: [made] };
}

function endless(count: number, text = 'event'): Observation {
  const events = Array.from({ length: count }, (_, index) => `id: ${index}\ndata: ${text}\n\n`);
  const body = Buffer.from(`${events.join('')}data: cut`);
  const { exchanges, ...rest } = exchange({ 'Content-Type': 'text/event-stream' }, { body });
  return { ...rest, exchanges: exchanges.map((one) => ({ ...one, outcome: 'silent' as const })) };
}

function placesOf(baselines: readonly Headers[], candidates: readonly Headers[]): string[] {
  return judge(
    baselines.map((headers) => exchange(headers)),
    candidates.map((headers) => exchange(headers)),
  );
}

function judge(
  baselines: readonly (Observation | undefined)[],
  candidates: readonly (Observation | undefined)[],
): string[] {
  const runs = [baselines, candidates].map((list) => list.filter((one) => one !== undefined));
  return judgeRuns(runs[0] ?? [], runs[1] ?? []).differences.map(({ place }) => place);
}
