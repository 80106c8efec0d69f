/** §2.3: the client's address for every form of trust proxy: the rows of the table in the specification. */
import { GROUPS } from '../../../spec/2-resources/trust-proxy-table';
import { get } from '../../client/request';
import { scenario } from '../../scenario/scenario';

export default GROUPS.map(({ ids, trusts, value, rows }, index) =>
  scenario({
    name: `${index + 1}: ${typeof value === 'function' ? 'a function' : String(value)} trusts ${trusts}`,
    clauses: [...ids.split(' '), 'F-5-07'],
    build({ framework }) {
      const app = framework().set('trust proxy', value);
      app.use((req, res) => {
        // The address that the socket would report.
        Object.defineProperty(req.socket, 'remoteAddress', { configurable: true, value: req.get('X-Peer') });
        const { ip, ips, protocol, secure, host, hostname, subdomains } = req;
        res.json({ ip, ips, protocol, secure, host, hostname, subdomains });
      });
      return app;
    },
    requests: rows.map(([peer, forwarded]) =>
      get('/', {
        'X-Peer': peer,
        ...(forwarded !== undefined && { 'X-Forwarded-For': forwarded }),
        'X-Forwarded-Proto': 'https, http',
        'X-Forwarded-Host': 'a.b.example.com:1, own.test',
      }),
    ),
  }),
);
