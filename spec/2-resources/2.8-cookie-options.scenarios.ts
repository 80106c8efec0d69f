/** Scenarios for the options of res.cookie(). §2.8 */
import type { Expected } from '../../parity/client/messages';
import { getEach, gets, routeEach, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

/** Options, with the header Set-Cookie without the value of the cookie; or with what else is expected. */
type Row = readonly [some: Readonly<Record<string, unknown>> | undefined, sent: string | RegExp | Expected];

const options = (name: string, clauses: string[], ...table: readonly Row[]) =>
  scenario({
    name,
    clauses,
    build: routes(routeEach(table, (res, [some]) => res.cookie('name', 'a b', some as never).end())),
    requests: getEach(table, ([, sent]): Expected => {
      if (sent instanceof RegExp) return { 'set-cookie': sent };
      return typeof sent === 'string' ? { 'set-cookie': `name=a%20b; ${sent}` } : sent;
    }),
  });

/** Returns what is expected if the option is invalid. */
const invalid = (option: string): Expected => ({
  status: 500,
  'set-cookie': undefined,
  body: new RegExp(`TypeError: option ${option} is invalid<br>`),
});
const INVALID_VALUE = { status: 500, body: /TypeError: argument val is invalid<br>/ };

export default [
  options(
    'res.cookie sets only Path without options',
    ['F-2.8-18', 'F-2.8-02', 'F-2.8-07'],
    [undefined, 'Path=/'],
    [{}, 'Path=/'],
  ),
  options(
    'res.cookie sends the options domain and path',
    ['F-2.8-01', 'F-2.8-02', 'F-2.8-11'],
    [{ domain: 'example.com' }, 'Domain=example.com; Path=/'],
    [{ domain: '.example.com' }, 'Domain=.example.com; Path=/'],
    [{ domain: '' }, 'Path=/'],
    [{ domain: 'a;b' }, invalid('domain')],
    [{ domain: 7 }, 'Domain=7; Path=/'],
    [{ path: '/admin' }, 'Path=/admin'],
    [{ path: '' }, { 'set-cookie': 'name=a%20b' }],
    [{ path: null }, 'Path=/'],
    [{ path: undefined }, 'Path=/'],
    [{ path: '/a;b' }, invalid('path')],
    [{ path: '/ü' }, invalid('path')],
  ),
  options(
    'res.cookie encodes the value with the option encode',
    ['F-2.8-03', 'F-2.8-04', 'F-2.8-05'],
    [
      { encode: (value: string) => value.toUpperCase().replace(' ', '_') },
      { 'set-cookie': 'name=A_B; Path=/' },
    ],
    [{ encode: String }, INVALID_VALUE],
    [{ encode: undefined }, 'Path=/'],
    [{ encode: async (value: string) => value }, INVALID_VALUE],
    [{ encode: () => 'a;b' }, INVALID_VALUE],
    [{ encode: 'text' }, invalid('encode')],
    [{ encode: () => '' }, { 'set-cookie': 'name=; Path=/' }],
  ),
  options(
    'res.cookie sends expires as a date in GMT',
    ['F-2.8-06', 'F-2.8-07', 'F-2.8-08'],
    [{ expires: new Date(0) }, 'Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    [{ expires: new Date(Date.UTC(2040, 1, 29)) }, 'Path=/; Expires=Wed, 29 Feb 2040 00:00:00 GMT'],
    [{ expires: 0 }, 'Path=/'],
    [{ expires: undefined }, 'Path=/'],
    [{ expires: 'Thu, 01 Jan 1970 00:00:00 GMT' }, invalid('expires')],
    [{ expires: new Date(Number.NaN) }, invalid('expires')],
    [{ expires: 1000 }, invalid('expires')],
  ),
  options(
    'res.cookie reads maxAge in milliseconds and also sets Expires',
    ['F-2.8-10'],
    [{ maxAge: 1000 }, /; Max-Age=1; Path=\/; Expires=/],
    [{ maxAge: 1999 }, /; Max-Age=1; Path=\/; Expires=/],
    [{ maxAge: 0 }, /; Max-Age=0; Path=\/; Expires=/],
    [{ maxAge: -1000 }, /; Max-Age=-1; Path=\/; Expires=/],
    [{ maxAge: '5000' }, /; Max-Age=5; Path=\/; Expires=/],
    [{ maxAge: null }, 'Path=/'],
    [{ maxAge: 'soon' }, invalid('maxAge')],
    [{ maxAge: Number.NaN }, invalid('maxAge')],
    [{ maxAge: Number.POSITIVE_INFINITY }, invalid('maxAge')],
    [{ maxAge: 1n }, { status: 500 }],
    [{ maxAge: undefined }, 'Path=/'],
    [{ maxAge: true }, /; Max-Age=0; Path=\/; Expires=/],
    [{ maxAge: 1000, expires: new Date(0) }, /; Max-Age=1; Path=\/; Expires=(?!Thu, 01 Jan 1970)/],
    [{ maxAge: {} }, invalid('maxAge')],
  ),
  options(
    'res.cookie sends httpOnly, secure and partitioned as flags',
    ['F-2.8-09', 'F-2.8-12', 'F-2.8-14'],
    [{ httpOnly: true }, 'Path=/; HttpOnly'],
    [{ httpOnly: false }, 'Path=/'],
    [{ secure: true }, 'Path=/; Secure'],
    [{ secure: 'auto' }, 'Path=/; Secure'],
    [{ partitioned: true }, 'Path=/; Partitioned'],
    [
      {
        httpOnly: true,
        secure: true,
        partitioned: true,
        path: '/x',
        domain: 'example.com',
        priority: 'high',
      },
      'Domain=example.com; Path=/x; HttpOnly; Secure; Partitioned; Priority=High',
    ],
  ),
  options(
    'res.cookie accepts the priorities low, medium and high',
    ['F-2.8-13'],
    [{ priority: 'low' }, 'Path=/; Priority=Low'],
    [{ priority: 'medium' }, 'Path=/; Priority=Medium'],
    [{ priority: 'HIGH' }, 'Path=/; Priority=High'],
    [{ priority: 'urgent' }, invalid('priority')],
    [{ priority: 1 }, invalid('priority')],
  ),
  options(
    'res.cookie accepts a string or a boolean for sameSite',
    ['F-2.8-16', 'F-2.8-17'],
    [{ sameSite: true }, 'Path=/; SameSite=Strict'],
    [{ sameSite: false }, 'Path=/'],
    [{ sameSite: 'lax' }, 'Path=/; SameSite=Lax'],
    [{ sameSite: 'Strict' }, 'Path=/; SameSite=Strict'],
    [{ sameSite: 'none' }, 'Path=/; SameSite=None'],
    [{ sameSite: 'other' }, invalid('sameSite')],
    [{ sameSite: 1 }, invalid('sameSite')],
    [{ sameSite: '' }, 'Path=/'],
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
