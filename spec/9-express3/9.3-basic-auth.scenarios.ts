/** Scenarios for the middleware basicAuth of Express 3. §9.3 */
import { get } from '../../parity/client/request';
import { express3Scenario } from '../../parity/scenario/scenario';
import { outcomeOf } from '../support/outcome';

const basic = (credentials: string, scheme = 'Basic') => ({
  Authorization: `${scheme} ${Buffer.from(credentials).toString('base64')}`,
});

type Authenticated = { user?: unknown; remoteUser?: unknown };

export default [
  express3Scenario({
    name: 'basicAuth accepts requests with the given credentials',
    clauses: ['F-9.3-97', 'F-9.3-100'],
    build({ framework }) {
      const app = framework();
      app.use('/own', framework.basicAuth('tj', 'secret', 'Cellar'));
      app.use('/in', framework.basicAuth('tj', 'secret'));
      app.get('*', (req, res) => {
        const { user, remoteUser } = req as Authenticated;
        res.send([user, remoteUser]);
      });
      return app;
    },
    requests: [
      get('/in').expect({
        status: 401,
        body: 'Unauthorized',
        'www-authenticate': 'Basic realm="Authorization Required"',
      }),
      get('/in', basic('tj:secret')).expect({ status: 200, json: ['tj', 'tj'] }),
      get('/in', basic('tj:Secret')).expect({ status: 401 }),
      get('/in', basic('tj:secret:more')).expect({ status: 401 }),
      get('/in', basic('')).expect({ status: 400 }),
      get('/in', { Authorization: 'Bearer abc' }).expect({ status: 400 }),
      get('/in', { Authorization: 'Basic' }).expect({ status: 400 }),
      get('/in', basic('no colon')).expect({ status: 400 }),
      get('/own').expect({ 'www-authenticate': 'Basic realm="Cellar"' }),
      get('/own', basic('tj:secret')),
      get('/out'),
    ],
  }),
  express3Scenario({
    name: 'basicAuth accepts the scheme in any case',
    clauses: ['F-9.3-97'],
    build({ framework }) {
      const app = framework();
      app.use(framework.basicAuth('tj', 'secret'));
      app.get('/', (_req, res) => res.send('in'));
      return app;
    },
    requests: [get('/', basic('tj:secret', 'basic')).expect({ status: 200 })],
  }),
  express3Scenario({
    name: 'basicAuth accepts a function that returns whether credentials are valid',
    clauses: ['F-9.3-98', 'F-9.3-100'],
    build({ framework }) {
      const app = framework();
      app.use(framework.basicAuth((user, pass) => user === 'tj' && pass === 'é:1', 'Own'));
      app.get('/', (req, res) => res.send([(req as Authenticated).user]));
      return app;
    },
    requests: [
      get('/', basic('tj:é:1')).expect({ json: ['tj'] }),
      get('/', basic('tj:1')).expect({ status: 401, 'www-authenticate': 'Basic realm="Own"' }),
      get('/'),
    ],
  }),
  express3Scenario({
    name: 'basicAuth accepts a function that calls back with the user or an error',
    clauses: ['F-9.3-99', 'F-9.3-100'],
    build({ framework }) {
      const app = framework();
      app.use(
        framework.basicAuth((user, _pass, done) => {
          setImmediate(() => {
            if (user === 'lost') done(new Error('no connection'));
            else done(null, user === 'tj' && { name: 'T. J.' });
          });
        }),
      );
      app.get('/', (req, res) => res.send([(req as Authenticated).user]));
      return app;
    },
    requests: [
      get('/', basic('tj:x')).expect({ json: [{ name: 'T. J.' }] }),
      get('/', basic('eve:x')).expect({ status: 401 }),
      get('/', basic('lost:x')).expect({ status: 401 }),
    ],
  }),
  express3Scenario({
    name: 'basicAuth rejects other names and passwords, malformed credentials, and a user with an error',
    clauses: ['F-9.3-97', 'F-9.3-99'],
    build({ framework }) {
      const app = framework();
      app.use('/in', framework.basicAuth('tj', 'secret'));
      app.use(framework.basicAuth((name, _pass, done) => done(new Error('no connection'), { name })));
      app.get('*', (_req, res) => res.send('in'));
      return app;
    },
    requests: [
      ...['tj:', ':secret', 'tjx:secret'].map((text) => get('/in', basic(text)).expect({ status: 401 })),
      ...['Basic !!', 'Basic dGo6c2VjcmV0 x'].map((Authorization) =>
        get('/in', { Authorization }).expect({ status: 400 }),
      ),
      get('/', basic('lost:x')).expect({ status: 401 }),
    ],
  }),
  express3Scenario({
    name: 'basicAuth keeps req.user of earlier middleware, and throws for a name without a password',
    clauses: ['F-9.3-97', 'F-9.3-100'],
    build({ framework }) {
      const app = framework();
      const withoutPassword = outcomeOf(() => framework.basicAuth('tj', undefined as never));
      app.use((req, _res, next) => next(void Object.assign(req, { user: 'known' })));
      app.use(framework.basicAuth('tj', 'secret'));
      app.get('/', (req, res) => res.send([(req as Authenticated).user, withoutPassword]));
      return app;
    },
    requests: [get('/').expect({ json: ['known', 'Error: password argument required'] })],
  }),
];
