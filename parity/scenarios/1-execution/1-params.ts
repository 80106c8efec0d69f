/** §1 rules 8 and 9: state that routers share, and the order of parameter callbacks. */
import { get } from '../../client/request';
import { scenario } from '../../scenario/scenario';

export default [
  scenario({
    name: 'middleware of the later of two routers on a path does not run when the earlier answered',
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
    name: 'parameter callbacks run in the order of the path, then the route; a child router has none of its parent',
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
