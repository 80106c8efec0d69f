/** Scenarios for `X-Forwarded-*` headers, which the application trusts by its setting `trust proxy`. §2.3 */
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

const FORWARDED = {
  'X-Forwarded-For': '1.1.1.1, 2.2.2.2, 10.0.0.3',
  'X-Forwarded-Host': 'front.test:8080, second.test',
  'X-Forwarded-Proto': 'https, http',
};

const VALUES: Record<string, unknown> = {
  unset: undefined,
  true: true,
  false: false,
  one: 1,
  two: 2,
  loopback: 'loopback',
  list: 'loopback, 10.0.0.0/8',
  array: ['127.0.0.1', 'uniquelocal', '2.2.2.2'],
  stranger: '10.0.0.0/8',
  function: (ip: string) => ip.startsWith('127.') || ip.startsWith('10.'),
};

export default [
  scenario({
    name: 'each kind of trust proxy value changes req.ip, ips, host, hostname, protocol and secure',
    clauses: [
      'F-2.3-03',
      'F-2.3-04',
      'F-2.3-05',
      'F-2.3-06',
      'F-2.3-07',
      'F-2.3-08',
      'F-2.3-09',
      'F-2.3-17',
      'F-2.3-18',
      'F-2.3-20',
      'F-2.3-22',
      'F-2.3-23',
      'F-2.3-24',
      'F-2.3-26',
      'F-2.3-27',
      'F-2.6-16',
      'F-2.6-17',
      'F-2.6-18',
      'F-2.6-42',
    ],
    build({ framework }) {
      const main = framework();
      for (const [name, value] of Object.entries(VALUES)) {
        const app = framework();
        if (name !== 'unset') app.set('trust proxy', value);
        app.get('/', (req, res) => {
          const { ip, ips, host, hostname, protocol, secure, subdomains } = req;
          res.json({ ip, ips, host, hostname, protocol, secure, subdomains });
        });
        main.use(`/${name}`, app);
      }
      return main;
    },
    requests: Object.keys(VALUES).flatMap((name) => [get(`/${name}`), get(`/${name}`, FORWARDED)]),
  }),
  scenario({
    name: 'req.hostname uses the first of several X-Forwarded-Host headers',
    clauses: ['F-2.3-25', 'F-9.1-03'],
    build({ framework }) {
      const app = framework();
      app.set('trust proxy', true);
      app.get('/', (req, res) => {
        res.json([req.host, req.hostname, req.subdomains]);
      });
      return app;
    },
    requests: [
      get('/', { 'X-Forwarded-Host': ['a.b.front.test', 'second.test'] }),
      get('/', { 'X-Forwarded-Host': '[::1]:3000' }),
      get('/', { Host: 'tobi.ferrets.test:81' }),
    ],
  }),
  scenario({
    name: 'app.set throws for a trust proxy value with an invalid address',
    clauses: ['F-2.3-28'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => {
        try {
          framework().set('trust proxy', req.query.value as string);
          res.send('taken');
        } catch (error) {
          res.send(String(error));
        }
      });
      return app;
    },
    requests: [get('/?value=nowhere'), get('/?value=10.0.0.0/99'), get('/?value=::1')],
  }),
];
