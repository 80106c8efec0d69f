import { expect } from 'chai';
import framework from 'nozomi';
import { get, post, raw } from '../../../parity/client/request';
import { attack, bodyOf, statusOf, tellType } from './play';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const KB_100 = 100 * 1024;

describe('advisories about bodies and queries', () => {
  for (const name of ['json', 'raw', 'text', 'urlencoded'] as const) {
    proves('CVE-2026-12590 F-2.10-08');
    it(`framework.${name}() has a limit for every value of the option limit`, async () => {
      for (const limit of [Number.NaN, 'abc', {}, true]) {
        expect(() => framework[name]({ limit: limit as never }), `${limit}`).to.throw(
          TypeError,
          'is invalid',
        );
      }
      // undefined and null select the default limit of 100 kB. Any content exceeds a limit of 0 or less.
      for (const limit of [null, undefined, -1, 0]) {
        const [response] = await attack(
          (implementation) =>
            implementation().post(
              '/',
              implementation[name]({ type: () => true, limit: limit as never }),
              (_req, res) => void res.end(),
            ),
          post('/', `"${'a'.repeat(KB_100)}"`),
        );
        expect(statusOf(response), `${limit}`).to.equal(413);
      }
    });
  }

  const QUERIES: Readonly<Record<string, string[]>> = {
    'CVE-2014-7191 CVE-2014-10064': [
      'a[100000000]=x',
      'a[0]=x&a[99999999]=y',
      `a${'[a]'.repeat(4000)}=x`,
      'a[][][][][]=x',
    ],
    // biome-ignore format: a table
    'CVE-2017-1000048 CVE-2022-24999 CVE-2026-62595': [
      '__proto__[x]=1', 'a[__proto__][x]=1', 'a[__proto__]=1&a[x]=2', '__proto__=1',
      'constructor[prototype][x]=1',
      'a[hasOwnProperty]=1&a[b]=2', 'toString=1', 'a.__proto__.x=1', '][__proto__=1', '[__proto__][x]=1',
    ],
    'CVE-2025-15284': ['a[]=1&'.repeat(30), 'a[0]=1&a[]=2&a=3', 'a=1&'.repeat(1500), 'a[]=1&'.repeat(1001)],
    'CVE-2026-2391': ['a=1,2,3', `a=${'1,'.repeat(100)}`, `a[]=${','.repeat(3000)}`],
    // biome-ignore format: a table
    'CVE-2026-8723 CVE-2026-82417 CVE-2026-82562': [
      'a[19]=x&a[20]=y&a[21]=z', 'a[%5B%5D]=1', 'a%5B%5D=1&a[b]=2', 'a[constructor][isBuffer]=1',
      'a[isBuffer]=1',
      'a[length]=5&a[0]=x', 'a[toJSON]=1', 'a=null&b=%00', '%ff=%fe', 'a[=1&a]=2&[]=3&=4&[a]=5',
    ],
    'CVE-2024-51999': [
      'a[b]=c',
      'a[b][c]=d',
      'a=b&a=c',
      'a[prototype]=1',
      'hasOwnProperty=x',
      'a[]=b',
      'a%5Bb%5D=c',
      'a',
      '&&',
      '?a=?',
    ],
  };
  for (const [ids, queries] of Object.entries(QUERIES)) {
    proves(`${ids} F-2.2-28`);
    it(`framework.urlencoded() and req.query parse ${queries[0]} and the like as Express does, and do not change Object.prototype`, async () => {
      const canary = JSON.stringify(Reflect.ownKeys(Object.prototype).map(String));
      const responses = await attack(
        (implementation) => {
          const app = implementation()
            .set('query parser', 'extended')
            .use(implementation.urlencoded({ extended: true }));
          app.all('/', (req, res) => void res.json([req.query, req.body, Object.keys({})]));
          return app;
        },
        ...queries.flatMap((query) => (query.length < 12_000 ? [get(`/?${query}`)] : [])),
        ...queries.map((query) => post('/', query, FORM)),
      );

      expect(responses.map(statusOf).every((status) => [200, 400, 413].includes(status))).to.equal(true);
      expect(JSON.stringify(Reflect.ownKeys(Object.prototype).map(String))).to.equal(canary);
    });
  }

  proves('CVE-2018-3711 F-2.10-01');
  it('framework.json() does not change Object.prototype', async () => {
    const bodies = [
      '{"__proto__":{"x":1}}',
      '{"constructor":{"prototype":{"x":1}}}',
      '[{"__proto__":[1]}]',
      '{"toString":1}',
    ];
    await attack(
      (implementation) => {
        const app = implementation().use(implementation.json());
        app.post('/', (req, res) => void res.json([req.body, ({} as { x?: 1 }).x ?? 'clean']));
        return app;
      },
      ...bodies.map((body) => post('/', body, { 'Content-Type': 'application/json' })),
    );
    expect(({} as { x?: 1 }).x).to.equal(undefined);
  });

  proves(
    'CVE-2020-8192 CVE-2022-39288 CVE-2022-41919 CVE-2025-32442 CVE-2026-25223 CVE-2026-3419 CVE-2026-33806 F-2.10-11',
  );
  it("framework.json() reads a body exactly if req.is('application/json') is true for its type", async () => {
    // biome-ignore format: a table
    const types = [
      'application/json', 'APPLICATION/JSON', 'application/json;',
      'application/json ;charset=utf-8', ' application/json', 'application/json\t',
      'application/json\t; charset=utf-8', 'application/json; charset="utf-8"',
      'application/json foo', 'application/jsonx', 'application/json,text/plain',
      'text/plain; application/json', 'application/json;charset=', ';',
      'application/json; charset=utf-7', 'application/json;charset=utf-8;charset=x',
      'application/ json', 'a', '__proto__', 'application/json; a="\\', 'application/vnd.api+json',
      '*/*', 'application/*', 'text/json', 'a/b/c',
    ];
    const responses = await attack(
      (implementation) => {
        const app = implementation();
        // Applications use req.is to decide whether the parser has read a body.
        app.post('/', implementation.json({ strict: true }), (req, res) => {
          const isRead = req.body !== undefined;
          res.json({ isRead, agrees: isRead === Boolean(req.is('application/json')) });
        });
        app.use(tellType);
        return app;
      },
      ...types.map((type) => post('/', '{"a":1}', { 'Content-Type': type })),
    );

    for (const response of responses)
      expect(bodyOf(response)).to.match(/"agrees":true|^charset\.unsupported$/);
  });

  proves('CVE-2025-59139 F-2.10-06');
  it('body parsers apply limit to the received bytes, for any Content-Length', async () => {
    const body = JSON.stringify('a'.repeat(200));
    const responses = await attack(
      (implementation) => {
        const app = implementation().use(implementation.json({ limit: 100, strict: false }));
        return app.post('/', (req, res) => void res.send(`${req.body}`));
      },
      post('/', [body.slice(0, 50), body.slice(50)], { 'Content-Type': 'application/json' }),
      raw(
        `POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ),
      raw(
        `POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"${'a'.repeat(200)}"`,
      ),
    );

    expect(responses.map(statusOf).slice(0, 2)).to.deep.equal([413, 400]);
    expect(bodyOf(responses[2])).to.not.include('aaaa');
  });

  proves('CVE-2026-23527 F-2.10-06');
  it('a chunked body with Transfer-Encoding in any letter case cannot contain a second request', async () => {
    const smuggled = 'GET /hidden HTTP/1.1\r\nHost: h\r\n\r\n';
    const forms = [
      'chunked',
      'Chunked',
      'CHUNKED',
      ' chunked',
      'xchunked',
      'chunked, identity',
      'identity',
      '\tchunked',
    ];
    const responses = await attack(
      (implementation) => {
        const app = implementation().use(implementation.text());
        app.all('/hidden', (_req, res) => void res.send('hidden'));
        return app.post('/', (req, res) => void res.send(`read ${req.body}`));
      },
      ...forms.map((form) =>
        raw(
          `POST / HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\nTransfer-Encoding:${form}\r\nConnection: close\r\n\r\n` +
            `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
        ),
      ),
    );

    for (const response of responses)
      expect(response.filter((line) => line.includes('HTTP/1.1 200'))).to.have.lengthOf.at.most(1);
    for (const response of responses) expect(bodyOf(response)).to.not.equal('hidden');
  });
});
