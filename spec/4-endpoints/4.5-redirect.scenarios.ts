/** Scenarios for res.location() and res.redirect(). §4.5 */
import { get, head } from '../../parity/client/request';
import { getEach, gets, routeEach, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

const URLS = [
  ...[
    '/admin',
    'http://example.com/a?b=c#d',
    'post/new',
    '../up',
    '..',
    '.',
    './back',
    '?page=2',
    '#part',
    '',
  ],
  ...[
    '/%7Efoo',
    '/a b',
    '/ünï?q=ü',
    '/%zz',
    '/%',
    'https://ünï.example/ü',
    '/<script>',
    '/"quoted"',
    '/a|b^c`d',
  ],
  ...['//evil.example', '/\\evil.example', '\\\\evil.example', 'http:evil.example', 'javascript:alert(1)'],
  ...[
    'https://user:pass@evil.example',
    'data:text/html,<b>',
    '/\ud800',
    '/💚',
    '/a\tb',
    '/a\u0000b',
    '/a\r\nX: y',
  ],
  ...['http://[::1]:80/x y', 'http://a.example\\@b.example', '/a?b=[1]&c={2}', 'mailto:a@b.example', '/back'],
];

export default [
  scenario({
    name: 'res.location encodes only characters that are not encoded yet',
    clauses: ['F-4.5-45', 'F-4.5-48', 'F-4.5-49', 'F-4.5-104'],
    build: routes({
      ...routeEach(URLS, (res, url) => res.location(url).end()),
      '/number': (_req, res) => res.location(7 as never).end(),
      '/undefined': (_req, res) => res.location(undefined as never).end(),
      '/url': (_req, res) => res.location(new URL('http://example.com/ü') as never).end(),
    }),
    requests: [...getEach(URLS), ...gets('/number', '/undefined', '/url')],
  }),
  scenario({
    name: 'res.redirect sends 302 with its target and a short text',
    clauses: ['F-4.5-50', 'F-4.5-52', 'F-4.5-53', 'F-4.5-54', 'F-4.5-55'],
    build: routes(routeEach(URLS, (res, url) => res.redirect(url))),
    requests: getEach(URLS),
  }),
  scenario({
    name: 'res.redirect sends HTML, text or no body, as the client accepts',
    clauses: ['F-4.5-50'],
    build: routes({
      '/': (_req, res) => res.redirect('/a?b=<c>&d="e"'),
      '/typed': (_req, res) => res.type('png').set('X-Kept', 'yes').redirect('/x'),
    }),
    requests: [
      get('/'),
      get('/', { Accept: 'text/html' }),
      get('/', { Accept: 'text/plain' }),
      get('/', { Accept: 'text/plain;q=0.5, text/html' }),
      get('/', { Accept: 'application/json' }),
      get('/', { Accept: '' }),
      get('/', { Accept: '*/*' }),
      head('/'),
      head('/', { Accept: 'text/html' }),
      get('/typed', { Accept: 'application/json' }),
    ],
  }),
  scenario({
    name: 'res.redirect accepts a status as first argument',
    clauses: ['F-4.5-51'],
    build: routes({
      ...routeEach([300, 301, 303, 307, 308, 200, 204, 304, 500, 799], (res, status) =>
        res.redirect(status, '/x'),
      ),
      '/url-last': (_req, res) => res.redirect('/x' as never, 301 as never),
    }),
    requests: [
      ...getEach(Array(10).fill(0)),
      get('/0', { Accept: 'text/html' }),
      get('/9', { Accept: 'text/html' }),
      get('/url-last'),
    ],
  }),
  scenario({
    name: 'res.redirect warns of a deprecated argument that is no URL or no status',
    clauses: ['F-4.5-51'],
    alone: true,
    build: routes({
      '/nothing': (_req, res) => (res.redirect as () => void)(),
      '/bound': (_req, res) => res.redirect(undefined as never),
      '/null': (_req, res) => res.redirect(null as never),
      '/empty': (_req, res) => res.redirect(''),
      '/number': (_req, res) => res.redirect(7 as never),
      '/url': (_req, res) => res.redirect(new URL('http://example.com/') as never),
      '/status': (_req, res) => res.redirect('301' as never, '/x'),
      '/status-bad': (_req, res) => res.redirect(99, '/x'),
      '/status-undefined': (_req, res) => res.redirect(undefined as never, '/x'),
    }),
    requests: gets(
      ...['/nothing', '/bound', '/null', '/empty', '/number', '/url', '/status', '/status-bad'],
      '/status-undefined',
    ),
  }),
  scenario({
    name: 'res.location and res.redirect replace back with the Referer',
    clauses: ['F-4.5-46', 'F-4.5-47', 'F-4.5-56', 'F-4.5-57'],
    build: routes({
      '/location': (_req, res) => res.location('back').end(),
      '/redirect': (_req, res) => res.redirect('back'),
      '/status': (_req, res) => res.redirect(301, 'back'),
    }),
    requests: [
      get('/location', { Referer: 'http://parity.test/from?a=b' }),
      get('/location', { Referrer: '/other' }),
      get('/location'),
      get('/redirect', { Referer: '/from' }),
      get('/redirect'),
      get('/status', { Referer: '/from ü' }),
    ],
  }),
];
