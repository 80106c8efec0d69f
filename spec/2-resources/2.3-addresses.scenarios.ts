/** Scenarios for the client address with each `trust proxy` value of spec/2-resources/trust-proxy-table.ts. §2.3 */
import { expect } from 'chai';
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';
import { GROUPS } from '../2-resources/trust-proxy-table';

const nameOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  return typeof value === 'function' ? 'with a function' : String(value);
};

export default GROUPS.map(({ ids, trusts, value, rows }, index) =>
  scenario({
    name: `case ${index + 1}: trust proxy ${nameOf(value)} trusts ${trusts}`,
    clauses: [...ids.split(' '), 'F-5-07'],
    build({ framework }) {
      const app = framework().set('trust proxy', value);
      app.use((req, res) => {
        // The socket always reports a local address, so the header X-Peer replaces it.
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
    expect: ({ exchanges }) =>
      expect(exchanges.map(({ response }) => JSON.parse(`${response.body}`).ip)).to.deep.equal(
        rows.map(([, , ip]) => ip),
      ),
  }),
);
