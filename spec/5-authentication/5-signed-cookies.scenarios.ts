/** Scenarios for authentication in middleware, and for signed cookies. §5 */
import cookieParser from 'cookie-parser';
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'middleware that checks Authorization protects all later routes',
    clauses: ['F-5-01', 'F-5-02'],
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
    requests: [get('/open'), get('/closed'), get('/closed', { Authorization: 'Bearer yes' }), get('/')],
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
      get('/set'),
      get('/get'),
      (seen) => get('/get', { Cookie: `${seen[0]?.header('Set-Cookie')?.split(';')[0]}; plain=1` }),
      get('/get', { Cookie: 'name=s%3Atobi.forged; other=j%3A%7B%22a%22%3A1%7D' }),
    ],
  }),
];
