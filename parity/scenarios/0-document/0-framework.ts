/** §0: the type of the framework function, and its properties. */
import { METHODS } from 'node:http';
import { get } from '../../client/request';
import { scenario } from '../../scenario/scenario';

export default [
  scenario({
    name: 'the function is callable and carries the built-ins',
    clauses: ['F-0-02', 'F-0-03', 'F-0-04', 'F-0-05', 'F-0-06', 'F-0-07', 'F-0-08'],
    build({ framework }) {
      const app = framework();
      app.get('/', (_req, res) => {
        const members = Object.entries(framework).filter(([name]) => name !== 'logger');
        res.json([
          typeof framework,
          framework.length,
          members.map(([name, member]) => [name, typeof member]),
        ]);
      });
      return app;
    },
    requests: [get('/')],
  }),
  scenario({
    name: 'members of the application and of the prototypes are those of the reference',
    clauses: ['F-4.1-01'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => {
        const all = [app, framework.application, framework.request, framework.response, req.app.settings];
        // The route methods depend on the version of Node.js.
        const isMember = (name: string) => !METHODS.includes(name.toUpperCase());
        res.json(
          all.map((one) => [Object.keys(one).filter(isMember).sort(), Object.getPrototypeOf(one) === null]),
        );
      });
      return app;
    },
    requests: [get('/')],
  }),
];
