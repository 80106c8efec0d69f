/** Scenarios for invalid and hostile requests. §2.6, §4.4 */

import { raw } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';
import { HOSTILE, TWO_PORTS } from './hostile-requests';

const ask = (target: string, headers: Readonly<Record<string, string>>) => {
  const lines = Object.entries({ host: 'own.test', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return raw(`GET ${target} HTTP/1.1\r\n${lines.join('')}\r\n`);
};

export default [false, true].map((trusted) =>
  scenario({
    name: `the request reads hostile headers as Express does, ${trusted ? 'with' : 'without'} trust proxy`,
    clauses: ['F-2.6-01', 'F-2.6-14', 'F-2.6-15', 'F-2.6-38', 'F-2.6-48', 'F-4.4-06', 'F-4.4-31', 'F-7-01'],
    env: { NODE_ENV: 'production' },
    build({ framework }) {
      const app = framework()
        .set('trust proxy', trusted)
        .set('query parser', trusted ? 'extended' : 'simple');
      app.use((req, res) => {
        const { ip, protocol, secure, host, hostname, subdomains, path, query, fresh } = req;
        const accepted = [
          req.accepts('html', 'json'),
          req.acceptsLanguages('en'),
          req.acceptsEncodings('identity'),
        ];
        // Respond with the lengths of the lists, because the lists are long.
        const many = [req.ips.length, req.accepts().length, req.acceptsLanguages().length];
        const range = req.range(1000);
        const ranges = typeof range === 'object' ? range.length : (range ?? null);
        const size = JSON.stringify(query).length;
        const below = subdomains.slice(0, 9);
        res.json({ ip, protocol, secure, host, hostname, below, path, fresh, accepted, many, ranges, size });
      });
      return app;
    },
    requests: Object.entries(HOSTILE)
      .filter(([name]) => name !== TWO_PORTS)
      .map(([, { target = '/', headers = {} }]) => ask(target, headers)),
  }),
);
