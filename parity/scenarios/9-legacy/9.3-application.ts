/** §9.3: the application of the 3.x series. */
import { get } from '../../request';
import { legacyScenario } from '../../scenario';

export default [
  legacyScenario({
    name: 'configure calls its function always, or in the environments it names',
    clauses: ['F-9.3-02', 'F-9.3-03', 'F-9.3-17'],
    build({ framework }) {
      const app = framework();
      const called: string[] = [];
      app.configure(() => called.push('always'));
      app.configure('all', () => called.push('all'));
      app.configure('development', () => called.push('development'));
      app.configure('production', 'development', () => called.push('both'));
      app.configure('production', () => called.push('production'));
      app.get('/', (_req, res) => res.send([app.get('env'), called]));
      return app;
    },
    requests: [get('/')],
  }),
];
