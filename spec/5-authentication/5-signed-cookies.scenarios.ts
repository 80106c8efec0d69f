/** Scenarios for authentication in middleware, and for signed cookies. §5 */
import { expect } from 'chai';
import cookieParser from 'cookie-parser';
import type { Exchange } from '../../parity/client/messages';
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

/** Returns the cookie of a response, as the client sends it. */
const signedBy = (exchange: Exchange | undefined): string =>
  `${exchange?.header('Set-Cookie')}`.split(';', 1)[0] as string;

export default [
  scenario({
    name: 'middleware that checks Authorization protects all later routes',
    clauses: ['F-5-02'],
    build({ framework }) {
      const app = framework();
      app.get('/open', (_req, res) => res.send('open'));
      app.all('{*splat}', (req, res, next) => {
        if (req.get('Authorization') === 'Bearer yes') next();
        else res.set('WWW-Authenticate', 'Bearer').sendStatus(401);
      });
      app.get('/closed', (_req, res) => res.send('inside'));
      return app;
    },
    requests: [
      get('/open').expect({ status: 200, body: 'open' }),
      get('/closed').expect({ status: 401, body: 'Unauthorized', 'www-authenticate': 'Bearer' }),
      get('/closed', { Authorization: 'Bearer yes' }).expect({ status: 200, body: 'inside' }),
      get('/').expect({ status: 401 }),
      ...['/a/b/c', '//', '/%2e%2e/x'].map((path) => get(path).expect({ status: 401 })),
    ],
  }),
  scenario({
    name: 'cookie-parser separates signed cookies from others and rejects forged ones',
    clauses: [
      'F-2.6-08',
      'F-2.6-09',
      'F-2.6-43',
      'F-2.6-44',
      'F-2.6-45',
      'F-2.6-46',
      'F-4.5-12',
      'F-5-03',
      'F-5-04',
      'F-5-05',
      'F-5-06',
    ],
    build({ framework }) {
      const app = framework();
      app.use(cookieParser('keyboard cat'));
      app.get(
        '/set',
        (_req, res) =>
          void res.cookie('name', 'tobi', { signed: true }).cookie('cart', { n: 1 }, { signed: true }).end(),
      );
      app.get('/get', (req, res) => void res.json({ cookies: req.cookies, signed: req.signedCookies }));
      return app;
    },
    requests: [
      get('/set').expect({
        'set-cookie': [
          'name=s%3Atobi.k%2FMBGA3LV%2FDe%2B0YTROxcLuurjbOQXyaa2veNodQBZc4; Path=/',
          'cart=s%3Aj%3A%7B%22n%22%3A1%7D.CtS5ks2ojXig16VsmyBPlyRtBy5hOFDoXdQiO1W9MWE; Path=/',
        ],
      }),
      get('/get').expect({ json: { cookies: {}, signed: {} } }),
      (seen) =>
        get('/get', { Cookie: `${seen[0]?.header('Set-Cookie')?.split(';')[0]}; plain=1` }).expect({
          json: { cookies: { plain: '1' }, signed: { name: 'tobi' } },
        }),
      get('/get', { Cookie: 'name=s%3Atobi.forged; other=j%3A%7B%22a%22%3A1%7D' }).expect({
        json: { cookies: { other: { a: 1 } }, signed: { name: false } },
      }),
      ...['name=s%3Aeve.', 'name=s%3Atobi'].map((Cookie) =>
        get('/get', { Cookie }).expect({ json: { cookies: {}, signed: { name: false } } }),
      ),
      (seen) =>
        get('/get', { Cookie: signedBy(seen[0]).replace('tobi', 'eve') }).expect({
          json: { cookies: {}, signed: { name: false } },
        }),
    ],
  }),
  scenario({
    name: 'the first of several secrets signs a cookie, and each of them verifies it',
    clauses: ['F-5-03'],
    build({ framework }) {
      const main = framework();
      for (const secrets of ['old', 'new', 'new,old']) {
        const app = framework().use(cookieParser(secrets.split(',')));
        app.get('/set', (_req, res) => res.cookie('name', 'tobi', { signed: true }).end());
        app.get('/get', (req, res) => res.json(req.signedCookies));
        main.use(`/${secrets}`, app);
      }
      return main;
    },
    requests: [
      ...['/old/set', '/new/set', '/new,old/set'].map((path) => get(path)),
      (seen) => get('/new,old/get', { Cookie: signedBy(seen[0]) }).expect({ json: { name: 'tobi' } }),
      (seen) => get('/new,old/get', { Cookie: signedBy(seen[1]) }).expect({ json: { name: 'tobi' } }),
      (seen) => get('/new/get', { Cookie: signedBy(seen[0]) }).expect({ json: { name: false } }),
    ],
    expect: ({ exchanges: [, byNew, byBoth] }) => expect(signedBy(byBoth)).to.equal(signedBy(byNew)),
  }),
];
