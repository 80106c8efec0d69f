/** §1: the order in which callbacks run. */
import { get, head } from '../../request';
import { scenario } from '../../scenario';

export default [
  scenario({
    name: 'callbacks run in the order of their registration',
    clauses: ['F-1-10'],
    build({ framework }) {
      const app = framework();
      app.use((_req, res, next) => {
        res.locals.seen = ['use'];
        next();
      });
      app.get('/', (_req, res, next) => {
        res.locals.seen.push('first');
        next();
      });
      app.get('/', (_req, res) => res.send(res.locals.seen.join(' ')));
      app.get('/', (_req, res) => res.send('never'));
      return app;
    },
    requests: [get('/'), get('/?x=y'), head('/'), get('/missing')],
  }),
  scenario({
    name: 'a thrown error and a rejected promise reach the final handler',
    clauses: ['F-1-22'],
    build({ framework }) {
      const app = framework();
      app.get('/throws', () => {
        throw new Error('<b>broken</b>');
      });
      app.get('/rejects', async () => {
        throw Object.assign(new Error('teapot'), { status: 418 });
      });
      return app;
    },
    requests: [get('/throws'), get('/rejects')],
  }),
];
