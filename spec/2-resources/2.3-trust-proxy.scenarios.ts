/** Scenarios for `X-Forwarded-*` headers, which the application trusts by its setting `trust proxy`. §2.3 */
import { get, raw } from '../../parity/client/request';
import { getEach, routeEach, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

const FORWARDED = {
  'X-Forwarded-For': '1.1.1.1, 2.2.2.2, 10.0.0.3',
  'X-Forwarded-Host': 'front.test:8080, second.test',
  'X-Forwarded-Proto': 'https, http',
};

/** Values of `trust proxy`, with the addresses in `req.ips` for a request with these headers. */
const VALUES: Readonly<Record<string, readonly [value: unknown, ips?: readonly string[]]>> = {
  unset: [undefined],
  true: [true, ['1.1.1.1', '2.2.2.2', '10.0.0.3']],
  false: [false],
  one: [1, ['10.0.0.3']],
  two: [2, ['2.2.2.2', '10.0.0.3']],
  loopback: ['loopback', ['10.0.0.3']],
  list: ['loopback, 10.0.0.0/8', ['2.2.2.2', '10.0.0.3']],
  array: [
    ['127.0.0.1', 'uniquelocal', '2.2.2.2'],
    ['1.1.1.1', '2.2.2.2', '10.0.0.3'],
  ],
  stranger: ['10.0.0.0/8'],
  function: [(ip: string) => ip.startsWith('127.') || ip.startsWith('10.'), ['2.2.2.2', '10.0.0.3']],
};

const UNTRUSTED = {
  ip: '127.0.0.1',
  ips: [],
  host: 'parity.test',
  hostname: 'parity.test',
  protocol: 'http',
  secure: false,
  subdomains: [],
};
const TRUSTED = {
  ...UNTRUSTED,
  host: 'front.test:8080',
  hostname: 'front.test',
  protocol: 'https',
  secure: true,
};

/** Headers, and the value of a property of the request if the peer is trusted, and if it is not. */
const PROPERTIES: ReadonlyArray<
  readonly [name: string, headers: Record<string, string>, trusted: unknown, untrusted: unknown]
> = [
  ['protocol', {}, 'http', 'http'],
  ['protocol', { 'X-Forwarded-Proto': 'https' }, 'https', 'http'],
  ['protocol', { 'X-Forwarded-Proto': 'https,http' }, 'https', 'http'],
  ['protocol', { 'X-Forwarded-Proto': 'https , http' }, 'https', 'http'],
  ['protocol', { 'X-Forwarded-Proto': 'ftp' }, 'ftp', 'http'],
  ['protocol', { 'X-Forwarded-Proto': ',https' }, '', 'http'],
  ['protocol', { 'X-Forwarded-Proto': '' }, 'http', 'http'],
  ['secure', { 'X-Forwarded-Proto': 'https' }, true, false],
  ['secure', { 'X-Forwarded-Proto': 'HTTPS' }, false, false],
  ['host', { Host: 'a:1', 'X-Forwarded-Host': 'b:2' }, 'b:2', 'a:1'],
  ['host', { Host: 'a:1', 'X-Forwarded-Host': 'b:2, c:3' }, 'b:2', 'a:1'],
  ['host', { Host: 'a:1', 'X-Forwarded-Host': 'b , c' }, 'b', 'a:1'],
  ['host', { Host: 'a:1', 'X-Forwarded-Host': ', c' }, null, 'a:1'],
  ['host', { Host: 'a:1', 'X-Forwarded-Host': '' }, 'a:1', 'a:1'],
  ['host', { Host: 'a:1' }, 'a:1', 'a:1'],
  ['hostname', { Host: 'a:1', 'X-Forwarded-Host': 'b:2, c:3' }, 'b', 'a'],
  ['hostname', { Host: '[::1]:1', 'X-Forwarded-Host': '[::2]:2' }, '[::2]', '[::1]'],
  ['subdomains', { Host: 'x.a.b', 'X-Forwarded-Host': 'y.z.a.b' }, ['z', 'y'], ['x']],
];

/** Values that `app.set('trust proxy', value)` throws for, with the message. */
const REFUSED: ReadonlyArray<readonly [value: unknown, message: string]> = [
  ['bogus', 'invalid IP address: bogus'],
  ['', 'invalid IP address: '],
  ['Loopback', 'invalid IP address: Loopback'],
  ['10.0.0.1/', 'invalid range on address: 10.0.0.1/'],
  ['10.0.0.1/0', 'invalid range on address: 10.0.0.1/0'],
  ['10.0.0.1/33', 'invalid range on address: 10.0.0.1/33'],
  ['10.0.0.1/-1', 'invalid range on address: 10.0.0.1/-1'],
  ['10.0.0.1/8.5', 'invalid range on address: 10.0.0.1/8.5'],
  ['10.0.0.1/abc', 'invalid range on address: 10.0.0.1/abc'],
  ['10.0.0.0/255.0.255.0', 'invalid range on address: 10.0.0.0/255.0.255.0'],
  ['10.0.0.0/::1', 'invalid range on address: 10.0.0.0/::1'],
  ['::1/129', 'invalid range on address: ::1/129'],
  ['::1/ffff::', 'invalid range on address: ::1/ffff::'],
  ['10.0.0.256', 'invalid IP address: 10.0.0.256'],
  ['10.0.0.1.', 'invalid IP address: 10.0.0.1.'],
  ['10.0.0.0/8/8', 'invalid IP address: 10.0.0.0/8'],
  ['loopback,', 'invalid IP address: '],
  ['loopback, example.com', 'invalid IP address: example.com'],
  [['loopback', 'nowhere'], 'invalid IP address: nowhere'],
  [['loopback, linklocal'], 'invalid IP address: loopback, linklocal'],
  [{ loopback: true }, 'unsupported trust argument'],
];

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
      for (const [name, [value]] of Object.entries(VALUES)) {
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
    requests: Object.entries(VALUES).flatMap(([name, [, ips]]) => [
      get(`/${name}`).expect({ json: UNTRUSTED }),
      get(`/${name}`, FORWARDED).expect({ json: ips ? { ...TRUSTED, ip: ips[0], ips } : UNTRUSTED }),
    ]),
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
      get('/', { 'X-Forwarded-Host': ['a.b.front.test', 'second.test'] }).expect({
        json: ['a.b.front.test', 'a.b.front.test', ['b', 'a']],
      }),
      get('/', { 'X-Forwarded-Host': '[::1]:3000' }).expect({ json: ['[::1]:3000', '[::1]', []] }),
      get('/', { Host: 'tobi.ferrets.test:81' }).expect({
        json: ['tobi.ferrets.test:81', 'tobi.ferrets.test', ['tobi']],
      }),
      get('/', { 'X-Forwarded-Host': ['first:1', 'second:2'] }).expect({ json: ['first:1', 'first', []] }),
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
    requests: [
      get('/?value=nowhere').expect({ body: 'TypeError: invalid IP address: nowhere' }),
      get('/?value=10.0.0.0/99').expect({ body: 'TypeError: invalid range on address: 10.0.0.0/99' }),
      get('/?value=::1').expect({ body: 'taken' }),
    ],
  }),
  scenario({
    name: 'app.set throws for each form of an invalid trust proxy value, and keeps the former one',
    clauses: ['F-2.3-28'],
    build: routes(({ framework }) =>
      routeEach(REFUSED, (res, [value]) => {
        const app = framework();
        const former = app.get('trust proxy fn');
        try {
          app.set('trust proxy', value);
        } catch (error) {
          res.json([String(error), app.get('trust proxy fn') === former]);
        }
      }),
    ),
    requests: getEach(REFUSED, ([, message]) => ({ json: [`TypeError: ${message}`, true] })),
  }),
  scenario({
    name: 'the headers of a trusted peer change protocol, secure, host, hostname and subdomains',
    clauses: ['F-2.3-23', 'F-2.3-24', 'F-2.3-26'],
    build({ framework }) {
      const main = framework();
      for (const isTrusted of [true, false]) {
        const app = framework().set('trust proxy', isTrusted);
        app.get('/:name', (req, res) => res.json([req[req.params.name as 'host']]));
        main.use(`/${isTrusted}`, app);
      }
      return main;
    },
    requests: [
      ...PROPERTIES.flatMap(([name, headers, trusted, untrusted]) => [
        get(`/true/${name}`, headers).expect({ json: [trusted] }),
        get(`/false/${name}`, headers).expect({ json: [untrusted] }),
      ]),
      raw('GET /true/host HTTP/1.0\r\nX-Forwarded-Host: b\r\n\r\n').expect({ json: ['b'] }),
      raw('GET /false/host HTTP/1.0\r\nX-Forwarded-Host: b\r\n\r\n').expect({ json: [null] }),
    ],
  }),
  scenario({
    name: 'a trust function is called with the peer and hop 0, then with each further address',
    clauses: ['F-2.3-18'],
    build({ framework }) {
      const app = framework();
      const calls: unknown[] = [];
      app.set('trust proxy', (...args: unknown[]) => Boolean(calls.push(args)));
      return app.use((req, res) => void res.json([req.protocol, req.ip, calls]));
    },
    requests: [
      get('/', { 'X-Forwarded-For': '1.1.1.1, 2.2.2.2', 'X-Forwarded-Proto': 'https' }).expect({
        json: [
          'https',
          '1.1.1.1',
          [
            ['127.0.0.1', 0],
            ['127.0.0.1', 0],
            ['2.2.2.2', 1],
          ],
        ],
      }),
    ],
  }),
];
