import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import cookieParser from 'cookie-parser';
import type { CookieOptions, ErrorRequestHandler, Express, Request, Response } from 'express';
import fc from 'fast-check';
import { playSteps } from '../../parity/client/exchange';
import { type HeaderRecord, onOneConnection, request } from '../../parity/client/request';
import { character } from '../support/arbitraries/character';
import { IMPLEMENTATIONS, muteDeprecations, toBytes } from '../support/both';
import { PATIENCE } from '../support/play';
import { close, serverOf } from '../support/serve';

/** What each case has: settings of the application, and the headers and method of the request. */
interface Case {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly headers: HeaderRecord;
  readonly method: string;
}

/** The number of rounds of a property, and the maximum number of cases in a round, on one connection. */
const ROUNDS = 40;
const CASES = 40;

const none = fc.constant({});
const bodySettings = fc.record(
  {
    'json escape': fc.boolean(),
    'json spaces': fc.oneof(fc.nat(12), fc.constantFrom('\t', '--', 'longer than ten')),
    'json replacer': fc.oneof(
      fc.array(fc.constantFrom('a', 'b', 'html')),
      fc.constant((key: string, value: unknown) => (key === 'b' ? undefined : value)),
    ),
    etag: fc.constantFrom(true, false, 'weak', 'strong'),
  },
  { requiredKeys: [] },
);
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE');
const status = fc.constantFrom(200, 201, 204, 205, 206, 304, 404, 500);
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 990, maxLength: 1010 }));
const bytes = fc.uint8Array({ maxLength: 64 });
// biome-ignore format: a table
const body = fc.oneof(
  text, fc.json(), fc.jsonValue(), fc.boolean(), fc.double(), fc.constantFrom(null, undefined),
  bytes,
  bytes.map((some) => Buffer.from(some)),
  fc.uint16Array({ maxLength: 8 }),
  fc.float64Array({ maxLength: 4 }),
);
const type = fc.constantFrom(
  undefined,
  'text/plain',
  'text/html; charset=latin1',
  'application/json',
  'image/png',
  'text/plain;format=flowed',
);
const validators = fc.record(
  {
    'If-None-Match': fc.constantFrom('*', '"own"', 'W/"own"', '"a", W/"own"', ''),
    'If-Modified-Since': fc.constantFrom('Thu, 29 Feb 2024 12:00:00 GMT', 'never'),
    'Cache-Control': fc.constantFrom('no-cache', 'max-age=0'),
  },
  { requiredKeys: [] },
);
const own = fc.subarray(['ETag', 'Last-Modified', 'Transfer-Encoding', 'Content-Length'] as const);
const OWN = {
  ETag: '"own"',
  'Last-Modified': 'Thu, 29 Feb 2024 12:00:00 GMT',
  'Transfer-Encoding': 'chunked',
  'Content-Length': '2',
};
const options = fc.record(
  {
    domain: fc.constantFrom('example.com', '.a.test', '', 'a;b'),
    path: fc.constantFrom('/', '/x', '', undefined, 'a\nb'),
    expires: fc.constantFrom(0, new Date(0), new Date(4e12), new Date(Number.NaN)),
    // No valid number, because the expiry of a valid maxAge depends on the clock.
    maxAge: fc.constantFrom(null, undefined, Number.NaN, 'soon', {}),
    httpOnly: fc.boolean(),
    secure: fc.boolean(),
    partitioned: fc.boolean(),
    priority: fc.constantFrom('low', 'HIGH', 'none', 1),
    sameSite: fc.constantFrom(true, false, 'lax', 'NONE', 'other', 0),
    signed: fc.boolean(),
    encode: fc.constantFrom(String, encodeURIComponent, () => ''),
  },
  { requiredKeys: [] },
);

describe('random responses', () => {
  muteDeprecations();
  const compare = useComparison();

  proves('F-4.5-66 F-4.5-68 F-4.5-73 F-4.5-74 F-4.5-75');
  it('res.send writes the same bytes as Express for any body, type and settings', async () => {
    const one = fc.record({ body, type, status, method, headers: validators, own, settings: bodySettings });
    await hold(one, (cases) =>
      compare(cases, (res, given) => {
        for (const name of given.own) res.set(name, OWN[name]);
        if (given.type) res.type(given.type);
        res.status(given.status).send(given.body);
      }),
    );
  });

  for (const member of ['json', 'jsonp'] as const) {
    proves('F-4.5-34 F-4.5-41 F-4.5-42');
    it(`res.${member} writes the same bytes as Express for any value and settings`, async () => {
      const any = fc.jsonValue({ stringUnit: 'binary' });
      const html = fc.record({ html: fc.constantFrom('<b>&</b>', '\u2028\u2029'), a: any, b: any });
      const callback = fc.oneof(
        fc.constantFrom(undefined, 'go', '', ['a', 'b']),
        fc.string({ unit: character }),
      );
      const value = fc.oneof(any, html);
      await hold(
        fc.record({ value, callback, method, headers: validators, settings: bodySettings }),
        (cases) =>
          compare(cases, (res, given) => {
            Object.defineProperty(res.req, 'query', { value: { callback: given.callback } });
            res[member](given.value);
          }),
      );
    });
  }

  proves('F-4.5-45 F-4.5-48 F-4.5-51');
  it('res.location and res.redirect write the same bytes as Express for any URL', async () => {
    // biome-ignore format: a table
    const part = fc.constantFrom(
      '/', '\\', '//', 'http:', 'javascript:', '@', ':', '%', '%zz', '%20', '?', '#', '[', 'ü', '\ud800',
    );
    const parts = fc.array(fc.oneof(part, fc.string({ unit: character, maxLength: 4 })), { maxLength: 8 });
    // This package resolves `back` differently: spec/divergences.md.
    const url = parts.map((some) => some.join('')).filter((some) => some !== 'back');
    const headers = fc.record(
      { Accept: fc.constantFrom('text/html', 'text/plain', 'a/b', '*/*') },
      { requiredKeys: [] },
    );
    await hold(fc.record({ url, isRedirect: fc.boolean(), headers, method, settings: none }), (cases) =>
      compare(cases, (res, given) =>
        given.isRedirect ? res.redirect(303, given.url) : res.location(given.url).end(),
      ),
    );
  });

  proves('F-4.5-84 F-4.5-02 F-4.5-44 F-4.5-97');
  it('res.set, res.append, res.links and res.vary write the same bytes as Express for any headers', async () => {
    const value = fc.oneof(
      fc.string({ unit: character }),
      fc.integer(),
      fc.constantFrom(null, undefined, true),
    );
    const call = fc.record({
      member: fc.constantFrom('set', 'append', 'vary', 'links', 'type', 'attachment'),
      name: fc.constantFrom('X-A', 'x-a', 'X-B', 'Content-Type', 'Vary', 'Link', 'ETag', 'bad name'),
      value: fc.oneof(value, fc.array(value, { maxLength: 3 })),
    });
    const calls = fc.array(call, { maxLength: 5 });
    await hold(fc.record({ calls, method, headers: none, settings: none }), (cases) =>
      compare(cases, (res, given) => {
        for (const { member, name, value: one } of given.calls) {
          if (member === 'set' || member === 'append') res[member](name, one as string);
          else if (member === 'links') res.links({ next: one as string });
          else res[member](one as string);
        }
        res.send('x');
      }),
    );
  });

  proves('F-2.8-18 F-4.5-09 F-4.5-15');
  it('res.cookie and res.clearCookie write the same bytes as Express for any cookie', async () => {
    const name = fc.string({ unit: character, maxLength: 6 });
    const value = fc.oneof(fc.string({ unit: character }), fc.jsonValue());
    const one = fc.record({
      name,
      value,
      options,
      isCleared: fc.boolean(),
      method,
      headers: none,
      settings: none,
    });
    await hold(one, (cases) =>
      compare(cases, (res, given) => {
        Object.assign(res.req, { secret: 'secret' });
        if (given.isCleared) res.clearCookie(given.name, given.options as CookieOptions).end();
        else res.cookie(given.name, given.value, given.options as CookieOptions).end();
      }),
    );
  });

  proves('F-4.5-09 F-4.5-10 F-4.5-12');
  it('cookie-parser reads the value of any cookie of res.cookie from the next request, signed or not', () => {
    const name = fc
      .stringMatching(/^[\w!#$%&'*+.^`|~-]{1,12}$/)
      .filter((some) => !(some in Object.prototype));
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }).filter((some) => !/^[js]:/.test(some)),
      fc.jsonValue().filter((some) => typeof some === 'object' && some !== null),
    );
    const property = fc.property(name, value, fc.boolean(), (given, held, signed) => {
      const pair = cookieOf(given, held, { signed, httpOnly: true }).split(';')[0] as string;
      const req = { headers: { cookie: pair } } as Request;
      cookieParser('secret')(req, {} as Response, () => undefined);

      const read = signed ? req.signedCookies : req.cookies;
      expect(Object.keys(read)).to.deep.equal([given]);
      expect(read[given]).to.deep.equal(JSON.parse(JSON.stringify(held)));
    });
    fc.assert(property, { numRuns: ROUNDS * CASES });
  });
});

async function hold<T>(one: fc.Arbitrary<T>, check: (cases: T[]) => Promise<void>): Promise<void> {
  await fc.assert(fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: CASES }), check), {
    numRuns: ROUNDS,
  });
}

/** @returns The Set-Cookie header of a response that has no server. */
function cookieOf(name: string, value: unknown, options: CookieOptions): string {
  let header = '';
  const res = Object.create(IMPLEMENTATIONS.build.response, {
    req: { value: { secret: 'secret' } },
    getHeader: { value: () => undefined },
    setHeader: { value: (_name: string, given: string) => (header = given) },
  });
  res.cookie(name, value, options);
  return header;
}

/** Starts a server for each implementation. @returns A function that compares them for a list of cases. */
function useComparison() {
  const servers: Server[] = [];
  let respond: (index: number, app: Express, res: Response) => void;

  before(async () => {
    for (const framework of Object.values(IMPLEMENTATIONS)) {
      const outer = framework().use((req, res) => {
        const app = framework();
        app.set('env', 'test');
        app.use((request, response) => respond(Number(request.path.slice(1)), app, response));
        app.use(tellError);
        app(req, res);
      });
      servers.push(await serverOf(outer));
    }
  });

  after(async () => {
    for (const server of servers) await close(server);
  });

  return async <T extends Case>(
    cases: readonly T[],
    act: (res: Response, given: T) => unknown,
  ): Promise<void> => {
    respond = (index, app, res) => {
      const given = cases[index] as T;
      for (const [name, value] of Object.entries(given.settings)) app.set(name, value);
      act(res, given);
    };
    const asked = cases.map((given, index) => request(given.method, `/${index}`, undefined, given.headers));
    const [reference, build] = await Promise.all(
      servers.map(async (server) => {
        const { port } = server.address() as AddressInfo;
        return (await playSteps([onOneConnection(...asked)], { port, patience: PATIENCE })).map(toBytes);
      }),
    );
    expect(build).to.deep.equal(reference);
  };
}

const tellError: ErrorRequestHandler = (err, _req, res, next) => {
  if (res.headersSent) return next(err);
  for (const header of res.getHeaderNames()) res.removeHeader(header);
  res.statusCode = 500;
  res.end(`${err.name} ${err.message}`);
};
