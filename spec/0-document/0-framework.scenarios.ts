/** Scenarios for the members of the framework function, of applications and of their prototypes. §0 */
import { METHODS } from 'node:http';
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'express is a function with the built-in middleware and prototypes as members',
    clauses: ['F-0-02', 'F-0-03', 'F-0-04', 'F-0-05', 'F-0-06', 'F-0-07', 'F-0-08', 'F-5-01'],
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
    requests: [
      get('/').expect({
        json: [
          'function',
          0,
          [
            ...['application', 'request', 'response'].map((name) => [name, 'object']),
            ...['Route', 'Router', 'json', 'raw', 'static', 'text', 'urlencoded'].map((name) => [
              name,
              'function',
            ]),
          ],
        ],
      }),
    ],
  }),
  scenario({
    name: 'applications and their prototypes have the members that Express defines',
    clauses: ['F-4.1-01'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => {
        const all = [app, framework.application, framework.request, framework.response, req.app.settings];
        // The route methods depend on the version of Node.js, so the response omits them.
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
