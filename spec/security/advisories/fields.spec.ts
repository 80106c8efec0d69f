import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';
import { get } from '../../../parity/client/request';
import type { Framework } from '../../support/both';
import { leastCost } from '../../support/cost';
import { lightRequest } from '../../support/light';
import { attack, bodyOf } from './play';

const KB_16 = 16 * 1024;

describe('advisories about request headers', () => {
  proves('CVE-2026-90711 F-2.3-11');
  it('trust proxy with an IPv4-mapped IPv6 range trusts only its addresses', () => {
    const ranges = [
      '::ffff:10.0.0.0/8',
      '::ffff:10.0.0.0/104',
      '::ffff:a00:0/104',
      '10.0.0.0/8',
      '::ffff:10.0.0.0/128',
    ];
    const addresses = [
      '8.8.8.8',
      '10.1.2.3',
      '::ffff:8.8.8.8',
      '::ffff:10.1.2.3',
      '2001:db8::1',
      '10.0.0.0',
      '::1',
    ];
    for (const range of ranges) {
      const [theirs, ours] = [express(), framework()].map((app) => {
        const trusts = (app as ReturnType<Framework>).set('trust proxy', range).get('trust proxy fn');
        return addresses.map((address) => trusts(address, 0));
      });
      expect(ours, range).to.deep.equal(theirs);
      expect(ours?.[0], range).to.equal(false);
      expect(ours?.[4], range).to.equal(false);
    }
  });

  proves('CVE-2026-3635 F-2.3-27');
  it('req ignores X-Forwarded-* headers unless the peer is trusted', async () => {
    const lies = {
      'X-Forwarded-For': '6.6.6.6',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'evil.example',
    };
    for (const [trust, believed] of [
      [false, false],
      ['10.0.0.0/8', false],
      [0, false],
      ['loopback', true],
    ] as const) {
      const [response] = await attack(
        (implementation) =>
          implementation()
            .set('trust proxy', trust)
            .get(
              '/',
              (req, res) =>
                void res.json([req.ip, req.ips, req.protocol, req.secure, req.host, req.hostname]),
            ),
        get('/', lies),
      );
      expect(bodyOf(response).includes('6.6.6.6') || bodyOf(response).includes('evil'), `${trust}`).to.equal(
        believed,
      );
    }
  });

  const headers: ReadonlyArray<
    [ids: string, header: string, ask: (req: ReturnType<typeof lightRequest>) => unknown]
  > = [
    ['CVE-2017-16118 F-2.3-21', 'x-forwarded-for', (req) => [req.ip, req.ips]],
    ['CVE-2025-25200 F-2.3-23', 'x-forwarded-host', (req) => [req.host, req.hostname, req.subdomains]],
    ['CVE-2025-25200 F-2.3-26', 'x-forwarded-proto', (req) => [req.protocol, req.secure]],
    ['CVE-2017-16119 F-2.6-06', 'if-none-match', (req) => req.fresh],
    ['CVE-2017-16119 F-2.6-06', 'cache-control', (req) => req.fresh],
    ['CVE-2016-10539 F-4.4-01', 'accept', (req) => [req.accepts(), req.accepts('html', 'text/plain')]],
    [
      'CVE-2016-10539 F-4.4-12',
      'accept-language',
      (req) => [req.acceptsLanguages(), req.acceptsLanguages('en')],
    ],
    [
      'CVE-2016-10539 F-4.4-10',
      'accept-encoding',
      (req) => [req.acceptsEncodings(), req.acceptsEncodings('gzip')],
    ],
    [
      'CVE-2016-10539 F-4.4-08',
      'accept-charset',
      (req) => [req.acceptsCharsets(), req.acceptsCharsets('utf-8')],
    ],
    ['CVE-2017-16138 F-4.4-18', 'content-type', (req) => [req.is('html'), req.is(['*/json', 'urlencoded'])]],
    ['GHSA-w65r-fqv6-q6w9 F-4.4-25', 'range', (req) => [req.range(1e6)]],
  ];
  const pieces = [
    ' ',
    ',',
    ' ,',
    ';',
    'q=',
    ';q=0.1,',
    '=',
    '"',
    'a',
    'a,',
    '\t',
    '*/*,',
    'a/b;c=d,',
    'W/"a",',
    '0-1,',
    'bytes=',
    '-',
    ':',
    '.',
    '[',
    '[:',
  ];
  for (const [ids, header, ask] of headers) {
    proves(ids);
    it(`the header ${header} with 16 kB is parsed in linear time`, () => {
      const app = framework().set('trust proxy', true);
      for (const piece of pieces) {
        for (const start of ['', 'bytes=', 'a/b;', 'a']) {
          const headers = {
            host: 'h',
            'transfer-encoding': 'chunked',
            [header]: start + piece.repeat(KB_16 / piece.length),
          };
          const answered = { etag: 'W/"x"', 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' };
          expect(
            leastCost(() => tolerate(() => ask(lightRequest(app, { headers, answered }))), 25),
            `${start} ${JSON.stringify(piece)}`,
          ).to.be.below(25);
        }
      }
    });
  }

  for (const value of [
    '1y',
    `${'9'.repeat(KB_16)}d`,
    `${' '.repeat(KB_16)}1d`,
    `1${' '.repeat(KB_16)}d`,
    'x'.repeat(KB_16),
  ]) {
    proves('CVE-2015-8315 CVE-2017-16137 F-2.9-01');
    it(`the option maxAge with ${value.length} characters is parsed in linear time`, () => {
      expect(leastCost(() => tolerate(() => framework.static('.', { maxAge: value })), 10)).to.be.below(10);
    });
  }
});

/** Ignores errors, because the spec measures only the time. */
function tolerate(run: () => unknown): void {
  try {
    run();
  } catch {}
}
