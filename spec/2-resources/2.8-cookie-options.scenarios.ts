/** Scenarios for the options of res.cookie(). §2.8 */
import { getEach, gets, routeEach, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

const options = (
  name: string,
  clauses: string[],
  ...table: ReadonlyArray<Record<string, unknown> | undefined>
) =>
  scenario({
    name,
    clauses,
    build: routes(routeEach(table, (res, some) => res.cookie('name', 'a b', some as never).end())),
    requests: getEach(table),
  });

export default [
  options('res.cookie sets only Path without options', ['F-2.8-18', 'F-2.8-02', 'F-2.8-07'], undefined, {}),
  options(
    'res.cookie sends the options domain and path',
    ['F-2.8-01', 'F-2.8-02', 'F-2.8-11'],
    ...[
      { domain: 'example.com' },
      { domain: '.example.com' },
      { domain: '' },
      { domain: 'a;b' },
      { domain: 7 },
    ],
    ...[
      { path: '/admin' },
      { path: '' },
      { path: null },
      { path: undefined },
      { path: '/a;b' },
      { path: '/ü' },
    ],
  ),
  options(
    'res.cookie encodes the value with the option encode',
    ['F-2.8-03', 'F-2.8-04', 'F-2.8-05'],
    ...[
      { encode: (value: string) => value.toUpperCase().replace(' ', '_') },
      { encode: String },
      { encode: undefined },
    ],
    ...[
      { encode: async (value: string) => value },
      { encode: () => 'a;b' },
      { encode: 'text' },
      { encode: () => '' },
    ],
  ),
  options(
    'res.cookie sends expires as a date in GMT',
    ['F-2.8-06', 'F-2.8-07', 'F-2.8-08'],
    ...[
      { expires: new Date(0) },
      { expires: new Date(Date.UTC(2040, 1, 29)) },
      { expires: 0 },
      { expires: undefined },
    ],
    ...[{ expires: 'Thu, 01 Jan 1970 00:00:00 GMT' }, { expires: new Date(Number.NaN) }, { expires: 1000 }],
  ),
  options(
    'res.cookie reads maxAge in milliseconds and also sets Expires',
    ['F-2.8-10'],
    ...[
      { maxAge: 1000 },
      { maxAge: 1999 },
      { maxAge: 0 },
      { maxAge: -1000 },
      { maxAge: '5000' },
      { maxAge: null },
    ],
    ...[{ maxAge: 'soon' }, { maxAge: Number.NaN }, { maxAge: Number.POSITIVE_INFINITY }, { maxAge: 1n }],
    ...[{ maxAge: undefined }, { maxAge: true }, { maxAge: 1000, expires: new Date(0) }, { maxAge: {} }],
  ),
  options(
    'res.cookie sends httpOnly, secure and partitioned as flags',
    ['F-2.8-09', 'F-2.8-12', 'F-2.8-14'],
    ...[{ httpOnly: true }, { httpOnly: false }, { secure: true }, { secure: 'auto' }, { partitioned: true }],
    { httpOnly: true, secure: true, partitioned: true, path: '/x', domain: 'example.com', priority: 'high' },
  ),
  options(
    'res.cookie accepts the priorities low, medium and high',
    ['F-2.8-13'],
    ...[
      { priority: 'low' },
      { priority: 'medium' },
      { priority: 'HIGH' },
      { priority: 'urgent' },
      { priority: 1 },
    ],
  ),
  options(
    'res.cookie accepts a string or a boolean for sameSite',
    ['F-2.8-16', 'F-2.8-17'],
    ...[
      { sameSite: true },
      { sameSite: false },
      { sameSite: 'lax' },
      { sameSite: 'Strict' },
      { sameSite: 'none' },
    ],
    ...[{ sameSite: 'other' }, { sameSite: 1 }, { sameSite: '' }],
  ),
  scenario({
    name: 'res.cookie and res.clearCookie do not change their options',
    clauses: ['F-2.8-10', 'F-2.8-11'],
    build: routes({
      '/': (_req, res) => {
        const some = Object.freeze({ maxAge: 1000, httpOnly: true });
        res.cookie('a', '1', some).clearCookie('b', some).json(some);
      },
      '/inherited': (_req, res) => res.cookie('a', '1', Object.create({ httpOnly: true })).end(),
    }),
    requests: gets('/', '/inherited'),
  }),
];
