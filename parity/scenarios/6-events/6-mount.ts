/** §6: the event `mount`. */
import { get } from '../../client/request';
import { scenario } from '../../scenario/scenario';

export default [
  scenario({
    name: 'a sub-application hears of each mounting, with its parent',
    clauses: ['F-6-01', 'F-6-02', 'F-6-03'],
    build({ framework }) {
      const [app, sub] = [framework(), framework()];
      const heard: unknown[] = [];
      sub.on('mount', (parent) => heard.push([parent === app, sub.mountpath, parent.path(), sub.path()]));
      app.use('/one', sub);
      app.use(['/two', '/three'], sub);
      app.get('/', (_req, res) => void res.json(heard));
      return app;
    },
    requests: [get('/')],
  }),
];
