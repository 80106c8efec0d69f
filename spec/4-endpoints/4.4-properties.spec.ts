import { expect } from 'chai';
import express from 'express';
import fc from 'fast-check';
import framework from 'nozomi';
import { range } from '../support/arbitraries/ranges';
import { type App, type Given, lightRequest, type Request } from '../support/light';

/** Generates lists of these parts and random texts, which are joined to header values. */
const text = (...pieces: string[]) =>
  fc.array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...pieces) }, fc.string({ maxLength: 3 })), {
    maxLength: 9,
  });

const CASES = { numRuns: 20_000 };
const ours = framework();
const theirs = express() as unknown as App;

/** Checks that both implementations return equal values, or throw errors with equal text. */
function expectSame(given: Given, ask: (req: Request) => unknown): void {
  const [mine, expected] = [ours, theirs].map((app) => {
    try {
      return [ask(lightRequest(app, given))];
    } catch (err) {
      return String(err);
    }
  });
  expect(mine).to.deep.equal(expected);
}

describe('random requests have the results of Express', () => {
  const weight = fc.constantFrom(
    '',
    ';q=0',
    ';q=1',
    ';q=0.5',
    ';q=0.001',
    '; q=.5',
    ';q=2',
    ';q=-1',
    ';q=x',
    ';Q=0.3',
    ';level=1;q=0.2',
  );
  const header = (...names: string[]) =>
    fc.oneof(
      fc
        .array(fc.tuple(fc.constantFrom(...names), weight), { maxLength: 6 })
        .map((parts) => parts.map((part) => part.join('')).join(', ')),
      text(...names, ',', ';', 'q', '=', '0.5', ' ', '*', '/', '"', '\t').map((pieces) => pieces.join('')),
      fc.constant(undefined),
    );
  const offersOf = (...names: string[]) =>
    fc.oneof(
      fc.array(fc.constantFrom(...names), { maxLength: 4 }),
      fc.array(fc.constantFrom(...names), { maxLength: 4 }).map((list) => [list]),
    );

  const negotiations = [
    [
      'F-4.4-06 F-4.4-07',
      'accepts',
      'accept',
      [
        'text/html',
        'html',
        'json',
        'application/json',
        'text/*',
        '*/*',
        'image/png',
        'text/html;level=1',
        'png',
        'zz',
        'application/*+json',
      ],
    ],
    [
      'F-4.4-08 F-4.4-09',
      'acceptsCharsets',
      'accept-charset',
      ['utf-8', 'UTF-8', 'iso-8859-1', 'us-ascii', '*', 'utf-7'],
    ],
    [
      'F-4.4-10 F-4.4-11',
      'acceptsEncodings',
      'accept-encoding',
      ['gzip', 'br', 'deflate', 'identity', '*', 'GZIP', 'zstd'],
    ],
    [
      'F-4.4-12 F-4.4-13 F-4.4-14',
      'acceptsLanguages',
      'accept-language',
      ['en', 'en-GB', 'de', 'de-AT', 'zh-Hant-TW', '*', 'EN-us', 'fr'],
    ],
  ] as const;
  for (const [ids, member, name, values] of negotiations) {
    proves(ids);
    it(`req.${member}() returns the same for any header and any offers`, () => {
      fc.assert(
        fc.property(header(...values), offersOf(...values), (value, offers) => {
          expectSame({ headers: { [name]: value } }, (req) => Reflect.apply(req[member], req, offers));
        }),
        CASES,
      );
    });
  }

  proves('F-4.4-20 F-4.4-21 F-4.4-22 F-4.4-23 F-4.4-25');
  it('req.is() returns the same for any Content-Type and any type', () => {
    const type = text(
      'text',
      'html',
      '/',
      'application',
      'json',
      '; charset=utf-8',
      '+json',
      'vnd.a',
      '*',
      ' ',
      ';',
    );
    const asked = fc.constantFrom(
      'html',
      'text/html',
      'text/*',
      '*/*',
      '*/json',
      '+json',
      'json',
      'urlencoded',
      'zz',
      '',
    );
    fc.assert(
      fc.property(
        type,
        fc.array(asked, { maxLength: 4 }),
        fc.constantFrom('0', '1', 'x', undefined),
        (pieces, types, length) => {
          const headers = { 'content-type': pieces.join('') || undefined, 'content-length': length };
          expectSame({ headers }, (req) => Reflect.apply(req.is, req, types));
        },
      ),
      CASES,
    );
  });

  proves('F-2.6-10 F-2.6-11 F-2.6-12 F-2.6-13 F-2.6-47');
  it('req.fresh and req.stale are the same for any conditional request', () => {
    const tag = fc.constantFrom(
      '"a"',
      'W/"a"',
      '"b"',
      '"a,b"',
      '*',
      'a',
      '',
      '""',
      'W/',
      '"a" , "b"',
      ',,"a"',
      '"é"',
    );
    const date = fc.constantFrom(
      'Sat, 01 Jan 2000 00:00:00 GMT',
      'Sun, 02 Jan 2000 00:00:00 GMT',
      'Saturday, 01-Jan-00 00:00:00 GMT',
      '2000-01-01T00:00:00Z',
      'yesterday',
      '',
      '0',
      '99999999999999999999',
    );
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const cache = fc.constantFrom(
      'no-cache',
      'max-age=0',
      'no-cache="set-cookie"',
      'no-store, no-cache',
      'xno-cache',
      ' no-cache ,',
      'NO-CACHE',
    );
    const conditions = fc.record({
      method: fc.constantFrom('GET', 'HEAD', 'QUERY', 'POST', 'get', 'PUT'),
      status: fc.constantFrom(100, 199, 200, 201, 204, 299, 300, 304, 404, 500),
      headers: fc.record({
        'if-none-match': maybe(
          fc.oneof(
            tag,
            fc.array(tag, { maxLength: 4 }).map((tags) => tags.join(',')),
          ),
        ),
        'if-modified-since': maybe(date),
        'cache-control': maybe(cache),
      }),
      answered: fc.record({ etag: tag, 'last-modified': date }, { requiredKeys: [] }),
    });
    fc.assert(
      fc.property(conditions, (given) => expectSame(given as Given, (req) => [req.fresh, req.stale])),
      CASES,
    );
  });

  proves('F-4.4-26 F-4.4-28 F-4.4-29 F-4.4-30 F-4.4-31 F-4.4-32');
  it('req.range() returns the same for any header and size, with combine or without', () => {
    const size = fc.oneof(
      fc.constantFrom(0, 1, 2, 10, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1),
      fc.integer({ min: 0, max: 40 }),
    );
    fc.assert(
      fc.property(range, size, fc.boolean(), (value, length, combine) => {
        expectSame({ headers: { range: value } }, (req) => {
          const ranges = req.range(length, combine ? { combine } : undefined);
          return typeof ranges === 'object' ? { unit: ranges.type, ranges: [...ranges] } : ranges;
        });
      }),
      CASES,
    );
  });
});
