/** Scenarios for the middleware basicAuth of Express 3. §9.3 */
import { get } from '../../parity/client/request';
import { express3Scenario } from '../../parity/scenario/scenario';

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
      get('/in'),
      get('/in', basic('tj:secret')),
      get('/in', basic('tj:Secret')),
      get('/in', basic('tj:secret:more')),
      get('/in', basic('')),
      get('/in', { Authorization: 'Bearer abc' }),
      get('/in', { Authorization: 'Basic' }),
      get('/in', basic('no colon')),
      get('/own'),
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
    requests: [get('/', basic('tj:secret', 'basic'))],
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
    requests: [get('/', basic('tj:é:1')), get('/', basic('tj:1')), get('/')],
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
    requests: [get('/', basic('tj:x')), get('/', basic('eve:x')), get('/', basic('lost:x'))],
  }),
];
