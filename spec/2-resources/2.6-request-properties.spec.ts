import { createServer as createHttpServer, IncomingMessage } from 'node:http';
import https from 'node:https';
import { expect } from 'chai';
import cookieParser from 'cookie-parser';
import { sign } from 'cookie-signature';
import framework from 'nozomi';
import request from 'supertest';
import { askBoth, lightRequest } from '../support/light';

import { seen } from '../support/seen';
import { serving } from '../support/serve';

describe('req.app, req.url and the like (§2.6)', () => {
  it("req is the object of Node.js with the application's prototype [F-2.6-01]", async () => {
    const app = framework();
    app.get('/', (req, res) => {
      res.json([req instanceof IncomingMessage, Object.getPrototypeOf(req) === app.request]);
    });

    expect((await request(app).get('/')).body).to.deep.equal([true, true]);
  });

  it('req.app is the application that runs the handler, also after a sub-application has called next() [F-2.6-02]', async () => {
    const [app, sub] = [framework(), framework()];
    const apps: unknown[] = [];
    const note: framework.RequestHandler = (req, _res, next) => {
      apps.push(req.app);
      next();
    };
    sub.use(note);
    app.use(note, sub, note);

    await request(app).get('/');

    expect(apps).to.deep.equal([app, sub, app]);
  });

  it('req.baseUrl is the path that matched the mount path [F-2.6-03 F-2.6-04]', async () => {
    const [app, outer, inner] = [framework(), framework.Router(), framework.Router()];
    inner.get('/c', (req, res) => res.json([req.baseUrl, req.url, req.originalUrl]));
    outer.use('/:b', inner);
    app.use('/{*a}/x', outer);

    expect((await request(app).get('/1/2/x/3/c?q')).body).to.deep.equal(['/1/2/x/3', '/c?q', '/1/2/x/3/c?q']);
  });
});

describe('req.body, req.cookies, req.files (§2.6)', () => {
  it('req.cookies contains the cookies after cookie-parser, and is empty without cookies [F-2.6-08 F-2.6-09]', async () => {
    const app = framework().use(cookieParser());
    app.get('/', (req, res) => res.json(req.cookies));

    expect((await request(app).get('/').set('Cookie', 'a=1; b=%7B%7D; c=j:{"d":2}')).body).to.deep.equal({
      a: '1',
      b: '{}',
      c: { d: 2 },
    });
    expect((await request(app).get('/')).body).to.deep.equal({});
  });

  it('req.cookies and req.signedCookies are undefined without cookie-parser [F-2.6-09]', async () => {
    expect(await seen('/', (req) => [typeof req.cookies, typeof req.signedCookies])).to.deep.equal([
      'undefined',
      'undefined',
    ]);
  });

  it('req.signedCookies contains values with a valid signature, and false for the others [F-2.6-43 F-2.6-44 F-2.6-45 F-2.6-46]', async () => {
    const app = framework().use(cookieParser('secret'));
    app.get('/', (req, res) => res.json([req.signedCookies, req.cookies]));
    const good = `s:${sign('ada', 'secret')}`;
    const bad = `s:${sign('ada', 'other')}`;

    expect(good).to.include('ada');
    expect((await request(app).get('/').set('Cookie', `u=${good}; v=${bad}; w=plain`)).body).to.deep.equal([
      { u: 'ada', v: false },
      { w: 'plain' },
    ]);
    expect((await request(app).get('/')).body).to.deep.equal([{}, {}]);
  });
});

describe('req.fresh and req.stale (§2.6)', () => {
  const modified = 'Sat, 01 Jan 2000 00:00:00 GMT';
  const rows: ReadonlyArray<[id: string, headers: Record<string, string>, fresh: boolean, more?: object]> = [
    ['F-2.6-10', { 'if-none-match': '"v1"' }, true],
    ['F-2.6-10', { 'if-none-match': 'W/"v1"' }, true],
    ['F-2.6-10', { 'if-none-match': '"v0", "v1"' }, true],
    ['F-2.6-10', { 'if-none-match': '*' }, true],
    ['F-2.6-12', { 'if-none-match': '"v2"' }, false],
    ['F-2.6-12', {}, false],
    ['F-2.6-11', { 'if-modified-since': modified }, true],
    ['F-2.6-11', { 'if-modified-since': 'Sun, 02 Jan 2000 00:00:00 GMT' }, true],
    ['F-2.6-12', { 'if-modified-since': 'Fri, 31 Dec 1999 00:00:00 GMT' }, false],
    ['F-2.6-12', { 'if-modified-since': 'yesterday' }, false],
    ['F-2.6-12', { 'if-none-match': '"v2"', 'if-modified-since': modified }, false],
    ['F-2.6-13', { 'if-none-match': '"v1"', 'cache-control': 'no-cache' }, false],
    ['F-2.6-13', { 'if-none-match': '"v1"', 'cache-control': 'max-age=0,no-cache' }, false],
    ['F-2.6-13', { 'if-none-match': '"v1"', 'cache-control': 'max-age=0' }, true],
    ['F-2.6-10', { 'if-none-match': '"v1"' }, true, { method: 'HEAD' }],
    ['F-2.6-10', { 'if-none-match': '"v1"' }, true, { method: 'QUERY' }],
    ['F-2.6-12', { 'if-none-match': '"v1"' }, false, { method: 'POST' }],
    ['F-2.6-10', { 'if-none-match': '"v1"' }, true, { status: 304 }],
    ['F-2.6-10', { 'if-none-match': '"v1"' }, true, { status: 299 }],
    ['F-2.6-12', { 'if-none-match': '"v1"' }, false, { status: 300 }],
    ['F-2.6-12', { 'if-none-match': '"v1"' }, false, { status: 199 }],
    ['F-2.6-12', { 'if-none-match': '"v1"' }, false, { status: 404 }],
  ];

  for (const [id, headers, fresh, more = {}] of rows) {
    it(`a request with ${JSON.stringify({ ...headers, ...more })} is ${fresh ? 'fresh' : 'stale'} [${id} F-2.6-47]`, () => {
      const answered = { etag: '"v1"', 'last-modified': modified };
      const { ours, theirs } = askBoth((app) => {
        const req = lightRequest(app, { headers, answered, ...more });
        return [req.fresh, req.stale];
      });

      expect(ours).to.deep.equal([fresh, !fresh]);
      expect(ours).to.deep.equal(theirs);
    });
  }
});

describe('req.host, req.ip, req.protocol, req.xhr (§2.6)', () => {
  const hosts: ReadonlyArray<[ids: string, host: string, hostname: string, subdomains: string[]]> = [
    ['F-2.6-14 F-2.6-15', 'example.com', 'example.com', []],
    ['F-2.6-14 F-2.6-15', 'example.com:3000', 'example.com', []],
    ['F-2.6-48', 'tobi.ferrets.example.com', 'tobi.ferrets.example.com', ['ferrets', 'tobi']],
    ['F-2.6-48', 'a.b.c.d.', 'a.b.c.d.', ['c', 'b', 'a']],
    ['F-2.6-15 F-2.6-48', '127.0.0.1:80', '127.0.0.1', []],
    ['F-2.6-15 F-2.6-48', '[::1]:3000', '[::1]', []],
    ['F-2.6-15', '[::1]', '[::1]', []],
  ];

  for (const [ids, host, hostname, subdomains] of hosts) {
    it(`req.hostname is ${hostname} for Host ${host}, with subdomains ${JSON.stringify(subdomains)} [${ids}]`, async () => {
      const body = await seen('/', (req) => [req.host, req.hostname, req.subdomains], '/', { Host: host });

      expect(body).to.deep.equal([host, hostname, subdomains]);
    });
  }

  it('without a Host header req.host is undefined and req.subdomains is empty [F-2.6-14 F-2.6-15 F-2.6-48]', () => {
    const { ours, theirs } = askBoth((app) => {
      const req = lightRequest(app, {});
      return [req.host, req.hostname, req.subdomains];
    });

    expect(ours).to.deep.equal([undefined, undefined, []]);
    expect(ours).to.deep.equal(theirs);
  });

  it('req.subdomains skips as many labels as subdomain offset, also of an IP address [F-2.6-49]', () => {
    for (const [offset, host, wanted] of [
      [0, 'a.example.com', ['com', 'example', 'a']],
      [0, '127.0.0.1', ['127.0.0.1']],
      [1, 'a.example.com', ['example', 'a']],
      [-1, 'a.example.com', ['a']],
      [9, 'a.example.com', []],
    ] as const) {
      const { ours, theirs } = askBoth((app) => {
        return lightRequest(app.set('subdomain offset', offset), { headers: { host } }).subdomains;
      });

      expect(ours).to.deep.equal(wanted);
      expect(ours).to.deep.equal(theirs);
    }
  });

  it('req.ip is the address of the peer, and req.ips is empty, without a trusted proxy [F-2.6-16 F-2.6-17]', async () => {
    const [ip, ips] = await seen('/', (req) => [req.ip, req.ips], '/', { 'X-Forwarded-For': '1.1.1.1' });

    expect(ip).to.match(/^(::ffff:)?127\.0\.0\.1$|^::1$/);
    expect(ips).to.deep.equal([]);
  });

  it('req.ips contains the trusted part of X-Forwarded-For, the nearest proxy last [F-2.6-18]', async () => {
    const app = framework().enable('trust proxy');
    app.get('/', (req, res) => res.json(req.ips));

    const res = await request(app).get('/').set('X-Forwarded-For', '1.1.1.1, 2.2.2.2, 3.3.3.3');

    expect(res.body).to.deep.equal(['1.1.1.1', '2.2.2.2', '3.3.3.3']);
  });

  it('req.protocol and req.secure detect TLS, also if an HTTP server shares the application [F-2.6-35 F-2.6-42]', async () => {
    const app = framework();
    app.get('/', (req, res) => res.json([req.protocol, req.secure]));
    // The TLS server uses a shared key instead of a certificate.
    const tls = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const;
    const psk = Buffer.alloc(16, 7);
    await serving(https.createServer({ ...tls, pskCallback: () => psk }, app), async (port) => {
      const body = await new Promise<string>((resolve, reject) => {
        const known = {
          pskCallback: () => ({ psk, identity: 'spec' }),
          checkServerIdentity: () => undefined,
        };
        https
          .get({ host: '127.0.0.1', port, agent: false, ...tls, ...known }, (res) => {
            res.setEncoding('utf8').on('data', resolve);
          })
          .on('error', reject);
      });

      expect(JSON.parse(body)).to.deep.equal(['https', true]);
      expect((await request(createHttpServer(app)).get('/')).body).to.deep.equal(['http', false]);
    });
  });
});
