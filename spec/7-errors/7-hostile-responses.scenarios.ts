/** Scenarios for invalid values that an application passes to methods of the response. §7 */
import { expect } from 'chai';
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
      app.get('/after', (_req, res) => res.send('still here'));
      return app;
    },
    requests: [
      ...rows.map((_row, index) => get(`/${index}`)),
      get('/after').expect({ status: 200, body: 'still here' }),
    ],
    // No part of a value becomes another header.
    expect: ({ exchanges }) => {
      const headers = exchanges.flatMap(({ response }) => response.headers ?? []);
      const lines = headers.map(([name, value]) => `${name}: ${value}`);
      expect(lines.filter((line) => /^(set-cookie: stolen|x-worse)/i.test(line))).to.deep.equal([]);
    },
    env: { NODE_ENV: 'test' },
  }),
];
