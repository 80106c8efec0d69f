/** Scenarios for the `mount` event of an application. §6 */
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'an application emits mount with its parent each time it is mounted',
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
    requests: [
      get('/').expect({
        json: [
          [true, '/one', '', '/one'],
          [true, ['/two', '/three'], '', '/two,/three'],
        ],
      }),
    ],
  }),
  scenario({
    name: 'mount is emitted with the parent of each mount, also in a list, and not by a router',
    clauses: ['F-6-01', 'F-6-02', 'F-6-03'],
    build({ framework }) {
      const [app, other, sub] = [framework(), framework(), framework()];
      const parents: unknown[] = [];
      for (const one of [app, sub])
        one.on('mount', (parent) => parents.push([app, other].indexOf(parent as typeof app)));
      app.use('/one', sub).use('/router', framework.Router());
      other.use(['/two', '/three'], () => undefined, [sub]);
      return app.use((_req, res) => void res.json([parents, sub.mountpath]));
    },
    requests: [
      get('/').expect({
        json: [
          [0, 1],
          ['/two', '/three'],
        ],
      }),
    ],
  }),
];
