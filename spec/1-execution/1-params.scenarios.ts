/** Scenarios for two routers on one path, and for the order of parameter callbacks. §1, rules 8 and 9 */
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'the second router on a path does not run after the first router has responded',
    clauses: ['F-1-41'],
    build({ framework }) {
      const app = framework();
      const [one, two] = [framework.Router(), framework.Router()];
      one.get('/a', (_req, res) => void res.send('one'));
      two.use((_req, res, next) => {
        res.set('X-Two', 'seen');
        next();
      });
      two.get('/b', (_req, res) => void res.send('two'));
      app.use('/x', one).use('/x', two);
      return app;
    },
    requests: [get('/x/a'), get('/x/b')],
  }),
  scenario({
    name: 'app.param callbacks run in path order before the route, and child routers do not inherit them',
    clauses: ['F-1-46', 'F-1-53', 'F-1-54', 'F-4.2-53'],
    build({ framework }) {
      const app = framework();
      app.param(['id', 'page'], (_req, res, next, value, name) => {
        res.append('X-Param', `${name}=${value}`);
        next();
      });
      app.get('/:page/:id', (req, res) => void res.json(req.params));
      const child = framework.Router({ mergeParams: true });
      child.get('/:page', (req, res) => void res.json(req.params));
      app.use('/child/of/:other', child);
      return app;
    },
    requests: [get('/3/42'), get('/child/of/x/7')],
  }),
];
