/** Scenarios for res.location() and res.redirect(). §4.5 */
import { expect } from 'chai';
import { get, head } from '../../parity/client/request';
import { getEach, routeEach, routes } from '../../parity/scenario/routes';
import { scenario } from '../../parity/scenario/scenario';

/** Each target with the header Location that is sent for it, if that is another text. */
const TARGETS: ReadonlyArray<readonly [target: string, sent?: string]> = [
  ['/admin'],
  ['http://example.com/a?b=c#d'],
  ['post/new'],
  ['../up'],
  ['..'],
  ['.'],
  ['./back'],
  ['?page=2'],
  ['#part'],
  [''],
  ['/%7Efoo'],
  ['/a b', '/a%20b'],
  ['/ünï?q=ü', '/%C3%BCn%C3%AF?q=%C3%BC'],
  ['/%zz', '/%25zz'],
  ['/%', '/%25'],
  ['https://ünï.example/ü', 'https://%C3%BCn%C3%AF.example/%C3%BC'],
  ['/<script>', '/%3Cscript%3E'],
  ['/"quoted"', '/%22quoted%22'],
  ['/a|b^c`d', '/a|b^c%60d'],
  // The application must check whether a target leads to another host.
  ['//evil.example'],
  ['/\\evil.example'],
  ['\\\\evil.example'],
  ['http:evil.example'],
  ['javascript:alert(1)'],
  ['https://user:pass@evil.example'],
  ['data:text/html,<b>', 'data:text/html,%3Cb%3E'],
  ['/\ud800', '/%EF%BF%BD'],
  ['/💚', '/%F0%9F%92%9A'],
  ['/a\tb', '/a%09b'],
  ['/a\u0000b', '/a%00b'],
  ['/a\r\nX: y', '/a%0D%0AX:%20y'],
  ['http://[::1]:80/x y', 'http://[::1]:80/x%20y'],
  ['http://a.example\\@b.example'],
  ['/a?b=[1]&c={2}', '/a?b=[1]&c=%7B2%7D'],
  ['mailto:a@b.example'],
  ['/back'],
];

const STATUSES: ReadonlyArray<readonly [status: number, body: string]> = [
  [300, 'Multiple Choices. Redirecting to /x'],
  [301, 'Moved Permanently. Redirecting to /x'],
  [303, 'See Other. Redirecting to /x'],
  [307, 'Temporary Redirect. Redirecting to /x'],
  [308, 'Permanent Redirect. Redirecting to /x'],
  [200, 'OK. Redirecting to /x'],
  [204, ''],
  [304, ''],
  [500, 'Internal Server Error. Redirecting to /x'],
  [799, 'undefined. Redirecting to /x'],
];

const TEXT = { status: 302, 'content-type': 'text/plain; charset=utf-8', vary: 'Accept' };
const HTML = { ...TEXT, 'content-type': 'text/html; charset=utf-8' };
const NEITHER = { ...TEXT, 'content-type': undefined, 'content-length': '0', body: '' };

export default [
  scenario({
    name: 'res.location encodes only characters that are not encoded yet',
    clauses: ['F-4.5-45', 'F-4.5-48', 'F-4.5-49', 'F-4.5-104'],
    build: routes({
      ...routeEach(TARGETS, (res, [target]) => res.location(target).end()),
      '/number': (_req, res) => res.location(7 as never).end(),
      '/undefined': (_req, res) => res.location(undefined as never).end(),
      '/url': (_req, res) => res.location(new URL('http://example.com/ü') as never).end(),
    }),
    requests: [
      ...getEach(TARGETS, ([target, sent = target]) => ({ status: 200, location: sent })),
      get('/number').expect({ location: '7' }),
      get('/undefined').expect({ location: 'undefined' }),
      get('/url').expect({ location: 'http://example.com/%C3%BC' }),
    ],
  }),
  scenario({
    name: 'res.redirect sends 302 with its target and a short text',
    clauses: ['F-4.5-50', 'F-4.5-52', 'F-4.5-53', 'F-4.5-54', 'F-4.5-55'],
    build: routes(routeEach(TARGETS, (res, [target]) => res.redirect(target))),
    requests: getEach(TARGETS, ([target, sent = target]) => ({
      ...TEXT,
      location: sent,
      body: `Found. Redirecting to ${sent}`,
    })),
  }),
  scenario({
    name: 'res.redirect sends HTML, text or no body, as the client accepts',
    clauses: ['F-4.5-50'],
    build: routes({
      '/': (_req, res) => res.redirect('/a?b=<c>&d="e"'),
      '/typed': (_req, res) => res.type('png').set('X-Kept', 'yes').redirect('/x'),
    }),
    requests: [
      get('/').expect({ ...TEXT, body: 'Found. Redirecting to /a?b=%3Cc%3E&d=%22e%22' }),
      get('/', { Accept: 'text/html' }).expect({
        ...HTML,
        body: '<!DOCTYPE html><head><title>Found</title></head><body><p>Found. Redirecting to /a?b=%3Cc%3E&amp;d=%22e%22</p></body>',
      }),
      get('/', { Accept: 'text/plain' }).expect(TEXT),
      get('/', { Accept: 'text/plain;q=0.5, text/html' }).expect(HTML),
      get('/', { Accept: 'application/json' }).expect(NEITHER),
      get('/', { Accept: '' }).expect(TEXT),
      get('/', { Accept: '*/*' }).expect(TEXT),
      head('/').expect({ ...TEXT, 'content-length': '44', body: '' }),
      head('/', { Accept: 'text/html' }).expect({ ...HTML, 'content-length': '116', body: '' }),
      get('/typed', { Accept: 'application/json' }).expect({
        ...NEITHER,
        'content-type': 'image/png',
        'x-kept': 'yes',
      }),
    ],
  }),
  scenario({
    name: 'res.redirect calls res.end without a body for a HEAD request',
    clauses: ['F-4.5-50'],
    build: routes({
      '/': (_req, res) => {
        const { end } = res;
        Object.assign(res, {
          end: (...args: unknown[]) => Reflect.apply(end, res.set('X-Arguments', String(args.length)), args),
        });
        res.redirect('/x');
      },
    }),
    requests: [
      get('/').expect({ ...TEXT, 'x-arguments': '1', body: 'Found. Redirecting to /x' }),
      head('/').expect({ ...TEXT, 'x-arguments': '0', 'content-length': '24', body: '' }),
    ],
  }),
  scenario({
    name: 'res.redirect accepts a status as first argument',
    clauses: ['F-4.5-51'],
    build: routes({
      ...routeEach(STATUSES, (res, [status]) => res.redirect(status, '/x')),
      '/url-last': (_req, res) => res.redirect('/x' as never, 301 as never),
    }),
    requests: [
      ...getEach(STATUSES, ([status, body]) => ({ status, location: '/x', body })),
      get('/0', { Accept: 'text/html' }).expect({ status: 300, body: /<title>Multiple Choices<\/title>/ }),
      get('/9', { Accept: 'text/html' }).expect({ status: 799, body: /<title>undefined<\/title>/ }),
      get('/url-last').expect({ status: 500, body: /Invalid status code/ }),
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
    requests: [
      get('/nothing').expect({ status: 302, location: 'undefined' }),
      get('/bound').expect({ status: 302, location: 'undefined' }),
      get('/null').expect({ status: 302, location: 'null' }),
      get('/empty').expect({ status: 302, location: '' }),
      get('/number').expect({ status: 302, location: '7' }),
      get('/url').expect({ status: 302, location: 'http://example.com/' }),
      get('/status').expect({ status: 500 }),
      get('/status-bad').expect({ status: 500 }),
      get('/status-undefined').expect({ status: 500 }),
    ],
    // depd warns once for each line of the application that calls.
    expect: ({ deprecations }) =>
      expect(deprecations).to.deep.equal(
        // biome-ignore format: a table
        [
          'Provide a url argument', 'Url must be a string', 'Provide a url argument',
          'Url must be a string', 'Provide a url argument', 'Url must be a string',
          'Provide a url argument', 'Url must be a string', 'Url must be a string',
          'Status must be a number', 'Status must be a number',
        ].map((text) => `express: ${text}`),
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
      get('/location', { Referer: 'http://parity.test/from?a=b' }).expect({
        location: 'http://parity.test/from?a=b',
      }),
      get('/location', { Referrer: '/other' }).expect({ location: '/other' }),
      get('/location').expect({ location: '/' }),
      get('/redirect', { Referer: '/from' }).expect({
        location: '/from',
        body: 'Found. Redirecting to /from',
      }),
      get('/redirect').expect({ location: '/' }),
      get('/status', { Referer: '/from ü' }).expect({ status: 301 }),
    ],
  }),
];
