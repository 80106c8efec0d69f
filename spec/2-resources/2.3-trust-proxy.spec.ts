import { expect } from 'chai';
import fc from 'fast-check';
import framework from 'nozomi';
import request from 'supertest';
import { askBoth, lightRequest } from '../support/light';
import { GROUPS } from './trust-proxy-table';

/** The properties of a request that depend on the headers of a proxy. */
const ORIGIN = ['ip', 'ips', 'protocol', 'secure', 'host', 'hostname', 'subdomains'] as const;

describe('trust proxy, the address of the client (§2.3)', () => {
  for (const { ids, trusts, value, rows } of GROUPS) {
    describe(`${show(value)} trusts ${trusts} [${ids}]`, () => {
      for (const [peer, forwarded, ip] of rows) {
        it(`req.ip is ${ip} for peer ${peer} and X-Forwarded-For ${JSON.stringify(forwarded) ?? 'missing'}`, () => {
          const headers = {
            host: 'own.test:8080',
            'x-forwarded-for': forwarded,
            'x-forwarded-proto': 'https, http',
            'x-forwarded-host': 'a.b.example.com:1, own.test',
          };

          const { ours, theirs } = askBoth((app) => {
            const req = lightRequest(app.set('trust proxy', value), { peer, headers });
            return Object.fromEntries(ORIGIN.map((name) => [name, req[name]]));
          });

          expect(ours.ip).to.equal(ip);
          expect(ours).to.deep.equal(theirs);
        });
      }
    });
  }

  it('req.ip is the address that proxy-addr returns, for any trust function and any header [F-2.6-16 F-2.3-20]', () => {
    const forwarded = fc.constantFrom(undefined, '', ' ', ',', '1.1.1.1', ' 1.1.1.1 ,10.0.0.1', 'nonsense');
    const value = fc.constantFrom(true, false, 1, 'loopback', '10.0.0.0/8');
    const peer = fc.constantFrom('127.0.0.1', '10.0.0.1', '::1', undefined as never);
    fc.assert(
      fc.property(forwarded, value, peer, (header, trusted, address) => {
        const { ours, theirs } = askBoth((app) => {
          const headers = { host: 'own.test', 'x-forwarded-for': header };
          const asked = lightRequest(app.set('trust proxy', trusted), { headers });
          Object.assign(asked.socket, { remoteAddress: address });
          return outcomeOf(() => asked.ip);
        });

        expect(ours).to.deep.equal(theirs);
      }),
    );
  });
});

/** @returns The result of a function, or its error as text. */
function outcomeOf(ask: () => unknown): unknown {
  try {
    return ask();
  } catch (err) {
    return String(err);
  }
}

describe('trust proxy, protocol and host (§2.3)', () => {
  const rows: ReadonlyArray<
    [
      ids: string,
      name: (typeof ORIGIN)[number],
      headers: Record<string, string>,
      trusted: unknown,
      not: unknown,
    ]
  > = [
    ['F-2.3-26', 'protocol', {}, 'http', 'http'],
    ['F-2.3-26', 'protocol', { 'x-forwarded-proto': 'https' }, 'https', 'http'],
    ['F-2.3-26', 'protocol', { 'x-forwarded-proto': 'https,http' }, 'https', 'http'],
    ['F-2.3-26', 'protocol', { 'x-forwarded-proto': ' https , http' }, 'https', 'http'],
    ['F-2.3-26', 'protocol', { 'x-forwarded-proto': 'ftp' }, 'ftp', 'http'],
    ['F-2.3-26', 'protocol', { 'x-forwarded-proto': ',https' }, '', 'http'],
    ['F-2.3-26', 'protocol', { 'x-forwarded-proto': '' }, 'http', 'http'],
    ['F-2.3-26', 'secure', { 'x-forwarded-proto': 'https' }, true, false],
    ['F-2.3-26', 'secure', { 'x-forwarded-proto': 'HTTPS' }, false, false],
    ['F-2.3-23', 'host', { host: 'a:1', 'x-forwarded-host': 'b:2' }, 'b:2', 'a:1'],
    ['F-2.3-23', 'host', { host: 'a:1', 'x-forwarded-host': 'b:2, c:3' }, 'b:2', 'a:1'],
    ['F-2.3-23', 'host', { host: 'a:1', 'x-forwarded-host': 'b , c' }, 'b', 'a:1'],
    ['F-2.3-23', 'host', { host: 'a:1', 'x-forwarded-host': ', c' }, undefined, 'a:1'],
    ['F-2.3-23', 'host', { host: 'a:1', 'x-forwarded-host': '' }, 'a:1', 'a:1'],
    ['F-2.3-23', 'host', { host: 'a:1' }, 'a:1', 'a:1'],
    ['F-2.3-23', 'host', { 'x-forwarded-host': 'b' }, 'b', undefined],
    ['F-2.3-24', 'hostname', { host: 'a:1', 'x-forwarded-host': 'b:2, c:3' }, 'b', 'a'],
    ['F-2.3-24', 'hostname', { host: '[::1]:1', 'x-forwarded-host': '[::2]:2' }, '[::2]', '[::1]'],
    ['F-2.3-24', 'subdomains', { host: 'x.a.b', 'x-forwarded-host': 'y.z.a.b' }, ['z', 'y'], ['x']],
  ];

  for (const [ids, name, headers, trusted, not] of rows) {
    it(`req.${name} for ${JSON.stringify(headers)} is ${show(trusted)} from a trusted peer, otherwise ${show(not)} [${ids}]`, () => {
      for (const [value, wanted] of [
        [true, trusted],
        [false, not],
      ]) {
        const { ours, theirs } = askBoth(
          (app) => lightRequest(app.set('trust proxy', value), { headers })[name],
        );

        expect(ours).to.deep.equal(wanted);
        expect(ours).to.deep.equal(theirs);
      }
    });
  }

  it("req.host and req.protocol are read from the proxy's headers only if the peer itself is trusted [F-2.3-27]", () => {
    const headers = {
      host: 'own',
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-host': 'other',
      'x-forwarded-proto': 'x',
    };
    const { ours, theirs } = askBoth((app) => {
      const req = lightRequest(app.set('trust proxy', '10.0.0.0/8'), { peer: '127.0.0.1', headers });
      return [req.host, req.protocol, req.ip];
    });

    expect(ours).to.deep.equal(['own', 'http', '127.0.0.1']);
    expect(ours).to.deep.equal(theirs);
  });

  it('req.host is the value of the first of several X-Forwarded-Host headers [F-2.3-25]', async () => {
    const app = framework().enable('trust proxy');
    app.get('/', (req, res) => res.json([req.host, req.hostname]));

    const res = await request(app)
      .get('/')
      .set('X-Forwarded-Host', ['first:1', 'second:2'] as unknown as string);

    expect(res.body).to.deep.equal(['first:1', 'first']);
  });

  it('a trust function is called with the peer and hop 0, then with each further address [F-2.3-18]', () => {
    const { ours, theirs } = askBoth((app) => {
      const asked: unknown[] = [];
      app.set('trust proxy', (...args: unknown[]) => Boolean(asked.push(args)));
      const headers = { 'x-forwarded-for': '1.1.1.1, 2.2.2.2', 'x-forwarded-proto': 'https' };
      const req = lightRequest(app, { peer: '10.0.0.1', headers });
      return [req.protocol, req.ip, asked];
    });

    expect(ours[2]).to.deep.equal([
      ['10.0.0.1', 0],
      ['10.0.0.1', 0],
      ['2.2.2.2', 1],
    ]);
    expect(ours).to.deep.equal(theirs);
  });
});

describe('trust proxy, invalid values (§2.3)', () => {
  const refused: ReadonlyArray<[value: unknown, message: string]> = [
    ['bogus', 'invalid IP address: bogus'],
    ['', 'invalid IP address: '],
    ['Loopback', 'invalid IP address: Loopback'],
    ['10.0.0.1/', 'invalid range on address: 10.0.0.1/'],
    ['10.0.0.1/0', 'invalid range on address: 10.0.0.1/0'],
    ['10.0.0.1/33', 'invalid range on address: 10.0.0.1/33'],
    ['10.0.0.1/-1', 'invalid range on address: 10.0.0.1/-1'],
    ['10.0.0.1/8.5', 'invalid range on address: 10.0.0.1/8.5'],
    ['10.0.0.1/abc', 'invalid range on address: 10.0.0.1/abc'],
    ['10.0.0.0/255.0.255.0', 'invalid range on address: 10.0.0.0/255.0.255.0'],
    ['10.0.0.0/::1', 'invalid range on address: 10.0.0.0/::1'],
    ['::1/129', 'invalid range on address: ::1/129'],
    ['::1/ffff::', 'invalid range on address: ::1/ffff::'],
    ['10.0.0.256', 'invalid IP address: 10.0.0.256'],
    ['10.0.0.1.', 'invalid IP address: 10.0.0.1.'],
    ['10.0.0.0/8/8', 'invalid IP address: 10.0.0.0/8'],
    ['loopback,', 'invalid IP address: '],
    ['loopback, example.com', 'invalid IP address: example.com'],
    [['loopback', 'nowhere'], 'invalid IP address: nowhere'],
    [['loopback, linklocal'], 'invalid IP address: loopback, linklocal'],
    [{ loopback: true }, 'unsupported trust argument'],
  ];

  for (const [value, message] of refused) {
    it(`app.set throws "${message}" for ${show(value)} [F-2.3-28]`, () => {
      const { ours, theirs } = askBoth((app) => {
        const before = app.get('trust proxy fn');
        try {
          app.set('trust proxy', value);
          return undefined;
        } catch (err) {
          return [String(err), app.get('trust proxy fn') === before];
        }
      });

      expect(ours).to.deep.equal([`TypeError: ${message}`, true]);
      expect(ours).to.deep.equal(theirs);
    });
  }
});

function show(value: unknown): string {
  return typeof value === 'function'
    ? String(value)
    : Number.isNaN(value)
      ? 'NaN'
      : (JSON.stringify(value) ?? 'undefined');
}
