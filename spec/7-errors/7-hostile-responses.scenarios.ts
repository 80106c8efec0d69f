/** Scenarios for invalid values that an application passes to methods of the response. §7 */

import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';
import { HOSTILE } from '../7-errors/hostile-responses';

const rows = Object.entries(HOSTILE);

export default [
  scenario({
    name: 'response methods respond to invalid values as Express does',
    clauses: ['F-7-01', 'F-7-02', 'F-7-12', 'F-4.5-49'],
    build({ framework }) {
      const app = framework();
      for (const [index, [, respond]] of rows.entries())
        app.get(`/${index}`, (req, res) => void respond(res, req));
      return app;
    },
    requests: rows.map((_row, index) => get(`/${index}`)),
    env: { NODE_ENV: 'test' },
  }),
];
