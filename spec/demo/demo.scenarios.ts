/** Scenarios with the demo application, which uses many features of the framework. Both of its logs are compared. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createApp, type DemoOptions } from '../../examples/demo/app';
import { formatCsv } from '../../examples/demo/timetables/csv';
import type { Expected, PlannedRequest } from '../../parity/client/messages';
import {
  aborted,
  del,
  get,
  head,
  onOneConnection,
  options,
  patch,
  post,
  put,
  raw,
  request,
} from '../../parity/client/request';
import { type Kit, scenario } from '../../parity/scenario/scenario';

const DEMO = join(__dirname, '../../examples/demo');
const OFFICE = { Authorization: `Basic ${Buffer.from('stationmaster:tea').toString('base64')}` };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_ONLY = { Accept: 'application/json' };
const JSON_BODY = { 'Content-Type': 'application/json' };
const PNG_BODY = { 'Content-Type': 'image/png' };
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const CSV = '/timetables/spring-2026.csv';

/** The files of the demo that create pages, with the paths of pages. */
const SOURCES = {
  'pages/board.ts': ['/'],
  'pages/stations.ts': ['/stations'],
  'pages/lines.ts': ['/lines', '/lines/garden'],
  'pages/trains.ts': ['/trains', '/trains/B157'],
  'pages/lost.ts': ['/lost', '/lost/L-1'],
  'pages/timetables.ts': ['/timetables'],
  'pages/live.ts': ['/live'],
  'pages/drill.ts': ['/drill'],
  'pages/office.ts': ['/office'],
  'pages/parity-report.ts': ['/parity-report'],
  'web/errors.ts': ['/nowhere'],
};

/** Creates the demo application with a fixed clock: 14:05 in Japan on a spring day. */
const demo =
  (changes: Partial<DemoOptions> = {}) =>
  ({ framework, logger, log }: Kit): ReturnType<typeof createApp> =>
    createApp({
      framework,
      logger,
      accessLog: log,
      terminalLog: log,
      now: () => new Date('2026-04-04T05:05:00Z'),
      secret: 'platform nine',
      officePassword: 'tea',
      pace: 5,
      report: (error) => console.error(String(error)),
      ...changes,
    });

/** A page with the layout of the demo and a text that matches `text`, without a path of this machine. */
const page = (text: string, status = 200): Expected => ({
  status,
  'content-type': 'text/html; charset=utf-8',
  body: new RegExp(`^<!doctype html>(?![\\s\\S]*${process.cwd()})[\\s\\S]*${text}[\\s\\S]*</footer>`),
});

/** The page of an error, which has a link to the board. */
const errorPage = (text: string, status: number): Expected =>
  page(`${text}[\\s\\S]*Back to the departures`, status);

/** A response with an error as JSON. */
const jsonError = (status: number, message: string): Expected => ({
  status,
  'content-type': 'application/json; charset=utf-8',
  body: new RegExp(`"message": ?"${message}"`),
});

const redirect = (location: string, status = 303): Expected => ({ status, location });

/** The cookie of a Set-Cookie header, as the value of a Cookie header; `none` without one. */
const cookieOf = (set: string | undefined): string => set?.split(';')[0] ?? 'none';

const prefer = (fields: Record<string, string>, headers = {}): PlannedRequest =>
  post('/preferences', `${new URLSearchParams(fields)}`, { ...FORM, ...headers });

export default [
  scenario({
    name: 'the demo serves every page',
    clauses: ['F-2.1-02', 'F-4.5-58', 'F-4.5-59', 'F-4.5-61', 'F-4.5-62', 'F-1-30'],
    build: demo(),
    requests: [
      get('/').expect(page('Where all three lines meet')),
      get('/?at=23:50&limit=12'),
      get('/stations').expect(page('Map of the network')),
      get('/stations?q=%E5%B2%AC').expect(redirect('/stations/misaki')),
      get('/stations?q=nowhere'),
      get('/stations/minato').expect(page('the smell of rope')),
      get('/lines').expect(page('every third train is a')),
      get('/lines/pass?direction=up&page=2'),
      get('/trains?page=3').expect(page('All 330 trains')),
      get('/trains/B157').expect(page('Kamome B157')),
      get('/lost').expect(page('Chess king')),
      get('/lost/L-2').expect(page('Umbrella')),
      get('/timetables').expect(page('Spring timetable 2026')),
      get('/live').expect(page('Platform calls at Nozomi Central')),
      get('/drill').expect(page('Emergency drill')),
      head('/').expect({ status: 200, body: '' }),
      head('/lines/bay'),
      options('/lost').expect({ status: 200, body: 'GET, HEAD, POST' }),
      options('/api/lost/L-1'),
      onOneConnection(
        get('/lines'),
        get('/lines/garden?direction=up').expect(page('To Ichiba')),
        get('/stations/misaki').expect(page('Mind the gulls')),
      ),
    ],
    expect({ exchanges, log }) {
      expect(exchanges[15]?.header('ETag')).to.equal(exchanges[0]?.header('ETag'));
      expect(log.slice(0, 2).join('')).to.match(/"GET \/ HTTP\/1\.1" 200 \d+ "-" "-"\n.*GET \/ .*200/);
      expect(log).to.have.length(2 * exchanges.length);
    },
  }),
  scenario({
    name: 'the demo responds in the format that the client requests',
    clauses: ['F-4.5-25', 'F-4.5-26', 'F-4.5-27', 'F-4.5-28', 'F-4.5-29', 'F-4.5-31'],
    build: demo(),
    requests: [
      get('/', JSON_ONLY).expect({
        status: 200,
        body: /"departures": \[\s+\{\s+"train": "B155",[^}]*"to": "misaki"/,
      }),
      get('/', { Accept: 'text/plain' }).expect({
        body: /^Nozomi Central 望中央 - departures after 14:05\n\n14:05 B155 /,
      }),
      get('/', { Accept: 'text/html;q=0.5, application/json;q=0.9' }),
      get('/', { Accept: 'image/png' }).expect(page('Where all three lines meet')),
      get('/', { ...JSON_ONLY, 'Accept-Language': 'ja, en;q=0.5' }),
      get('/', { ...JSON_ONLY, 'Accept-Language': 'fi' }),
      get('/lines', JSON_ONLY),
      get('/trains/G101', JSON_ONLY),
      get('/nowhere', JSON_ONLY).expect(jsonError(404, 'No train stops here.')),
      get('/nowhere', { Accept: 'text/plain' }),
    ],
  }),
  scenario({
    name: 'the API of the demo responds to read requests',
    clauses: ['F-2.5-04', 'F-2.2-18', 'F-4.5-41', 'F-4.5-42', 'F-4.5-44', 'F-4.2-51', 'F-7-23'],
    build: demo(),
    requests: [
      get('/api'),
      get('/api/'),
      get('/api/stations?page=2&per_page=5').expect({
        link: /<\/api\/stations\?page=3&per_page=5>; rel="next"/,
        body: /^\{\s+"page": 2,\s+"pages": 3,\s+"total": 14,/,
      }),
      get('/api/stations?q=to'),
      get('/api/stations/hoshimi?at=21:40&limit=3'),
      get('/api/stations/toge?at=06:00&limit=2', { Accept: 'text/html' }).expect({
        'content-type': 'application/json; charset=utf-8',
        body: /^[\s\S]*"time": "06:15"[\s\S]*"time": "06:28"(?![\s\S]*"time":)/,
      }),
      get('/api/stations/hoshimi?at=25:00'),
      get('/api/stations/hoshimi?limit=900'),
      get('/api/stations/hoshimi?at=08:00&at=09:00'),
      get('/api/stations/atlantis', { Accept: 'text/html' }).expect({
        status: 404,
        json: { error: { status: 404, message: 'There is no such station.' } },
      }),
      get('/api/stations/central/next'),
      get('/api/stations/central/next?callback=show').expect({
        'content-type': 'text/javascript; charset=utf-8',
        body: /^\/\*\*\/ typeof show === 'function' && show\(\{/,
      }),
      get('/api/stations/central/next?callback=a%3Cb%3E.c[0]'),
      get('/api/lines'),
      get('/api/lines/bay?per_page=2'),
      get('/api/lines/bay?direction=sideways'),
      get('/api/trains?page=2&per_page=3'),
      get('/api/trains/b101').expect(redirect('/api/trains/B101', 301)),
      get('/api/trains/X1'),
      get('/api/nothing', { Accept: 'text/html' }),
      head('/api/lines'),
    ],
  }),
  scenario({
    name: 'the API of the demo responds to write requests',
    clauses: ['F-2.10-05', 'F-2.10-17', 'F-4.3-03', 'F-4.5-45'],
    build: demo(),
    requests: [
      post('/api/lost', { what: '<b>Kite</b>', station: 'kaigan', note: '<b>Red</b> & blue' }).expect(
        redirect('/api/lost/L-5', 201),
      ),
      get('/api/lost/L-5').expect({ body: /"\\u003cb\\u003eKite/ }),
      post('/api/lost', { what: 'K', station: 'atlantis', note: 7 }).expect(
        jsonError(422, 'Some fields are not valid.'),
      ),
      post('/api/lost', {}),
      post('/api/lost', '{"what": "Kite', JSON_BODY).expect(jsonError(400, 'The body is not valid JSON.')),
      post('/api/lost', 'what=Kite', FORM).expect(jsonError(415, 'The body must be json.')),
      post('/api/lost', { what: 'Kite', station: 'kaigan', note: 'x'.repeat(5000) }).expect(
        jsonError(413, 'The body is larger than this desk accepts.'),
      ),
      post('/api/lost', ['{"what":"Lantern",', '"station":"hoshimi"}'], JSON_BODY),
      post('/api/lost', '{}', { 'Content-Type': 'application/json; charset=koi8-r' }),
      post('/api/lost', 'xxxx', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }),
      post('/api/lost', '{}', { 'Content-Type': 'application/json', 'Content-Encoding': 'rot13' }),
      patch('/api/lost/L-5', { name: 'Ms Hoshino' }).expect({ status: 200 }),
      patch('/api/lost/L-5', { name: 'Mr Late' }).expect({ status: 409 }),
      patch('/api/lost/L-99', { name: 'Mr Late' }),
      put('/api/lost/L-5/photo', PNG, PNG_BODY).expect({ status: 204 }),
      get('/lost/L-5').expect(page('&lt;b&gt;Kite')),
      get('/lost/L-5/photo').expect({ 'content-type': 'image/png', body: PNG.toString() }),
      put('/api/lost/L-5/photo', 'not a picture', PNG_BODY).expect({ status: 422 }),
      put('/api/lost/L-5/photo', Buffer.alloc(66_000), PNG_BODY).expect({ status: 413 }),
      put('/api/lost/L-5/photo', '<svg/>', { 'Content-Type': 'image/svg+xml' }),
      del('/api/lost/L-5').expect({ status: 401 }),
      del('/api/lost/L-5', undefined, OFFICE).expect({ status: 204 }),
      get('/api/lost/L-5').expect({ status: 404 }),
      get('/api/lost?per_page=2'),
      request('PROPFIND', '/api/lost'),
    ],
  }),
  scenario({
    name: 'the forms of the demo accept, reject and redirect',
    clauses: ['F-2.10-41', 'F-4.5-53'],
    build: demo(),
    requests: [
      post('/lost', 'what=Tuba&station=toge&note=%3Cscript%3Ealert(1)%3C%2Fscript%3E', FORM).expect(
        redirect('/lost/L-5'),
      ),
      (seen) => get(seen[0]?.header('Location') ?? '/missing').expect(page('&lt;script&gt;')),
      post('/lost', 'what=%22&station=atlantis&note=%22%3E', FORM).expect(
        page('value="&#34;"[\\s\\S]*Needs at least 2 characters\\.', 422),
      ),
      post('/lost', `what=${'x'.repeat(5000)}`, FORM),
      post('/lost', Array.from({ length: 20 }, (_, index) => `f${index}=1`).join('&'), FORM),
      post('/lost/L-1/claim', 'name=Ms+Toge', FORM),
      post('/lost/L-1/claim', 'name=Mr+Late', FORM),
      post('/lost/L-3/claim', 'name=', FORM),
      post('/lost', 'what=Tuba&station=toge', { ...FORM, Origin: 'http://elsewhere.test' }).expect({
        status: 403,
      }),
      post('/lost', 'what=Tuba&station=toge', { ...FORM, 'Sec-Fetch-Site': 'cross-site' }).expect({
        status: 403,
      }),
      get('/trains?number=b101'),
      get('/trains?number=zz'),
      get('/index.html'),
      get('/stations?q=misaki'),
    ],
  }),
  scenario({
    name: 'the demo sets and reads signed cookies and rejects changed ones',
    clauses: ['F-2.6-43', 'F-2.6-44', 'F-2.8-15', 'F-4.5-12', 'F-4.5-53', 'F-5-03', 'F-5-04'],
    build: demo(),
    requests: [
      prefer({ theme: 'dark', back: '/lines?x=1' }).expect({
        ...redirect('/lines?x=1'),
        'set-cookie': /^theme=s%3Adark\..*; Expires=Fri, 03 Jul 2026 05:05:00 GMT; HttpOnly; SameSite=Lax$/,
      }),
      (seen) =>
        get('/lines', { Cookie: cookieOf(seen[0]?.header('Set-Cookie')) }).expect(page('data-theme="dark"')),
      (seen) => get('/lines', { Cookie: cookieOf(seen[0]?.header('Set-Cookie')).replace('dark', 'pink') }),
      get('/lines', { Cookie: 'theme=dark' }).expect(page('data-theme="auto"')),
      prefer({ theme: 'plaid' }),
      get('/stations/misaki'),
      (seen) => get('/', { Cookie: cookieOf(seen[5]?.header('Set-Cookie')) }).expect(page('Mind the gulls')),
      (seen) => get('/stations/misaki', { Cookie: cookieOf(seen[5]?.header('Set-Cookie')) }),
      (seen) =>
        get('/', { Cookie: cookieOf(seen[5]?.header('Set-Cookie')).replace('misaki', 'toge') }).expect({
          ...page('Where all three lines meet'),
          'set-cookie': /^station=; Path=\/; Expires=Thu, 01 Jan 1970/,
        }),
      prefer({ theme: 'dark' }, { 'Sec-Fetch-Site': 'same-origin' }).expect({ status: 303 }),
      // The demo does not redirect to other sites.
      ...['//elsewhere.test', 'http://elsewhere.test', '/\\elsewhere.test', '/a\r\nb', ''].map((back) =>
        prefer({ theme: 'light', back }).expect(redirect('/')),
      ),
    ],
  }),
  scenario({
    name: 'the demo serves downloads and ranges, validates copies, and blocks paths outside of its folder',
    clauses: ['F-2.9-17', 'F-2.9-18', 'F-2.9-26', 'F-4.5-16', 'F-4.5-18', 'F-4.5-20', 'F-4.5-22'],
    build: demo(),
    requests: [
      get(CSV).expect({
        'content-disposition': 'attachment; filename=nozomi-spring-2026.csv',
        body: formatCsv(),
      }),
      head(CSV),
      get(CSV, { Range: 'bytes=0-12' }).expect({
        status: 206,
        'content-range': /^bytes 0-12\/\d+$/,
        body: 'train,service',
      }),
      get(CSV, { Range: 'bytes=-40' }),
      get(CSV, { Range: 'bytes=0-9, 20-29' }),
      get(CSV, { Range: 'bytes=999999-' }).expect({ status: 416, 'content-disposition': undefined }),
      get(CSV, { Range: 'bytes=0-9', 'If-Range': 'Sat, 14 Mar 2026 00:00:00 GMT' }),
      get(CSV, { Range: 'bytes=0-9', 'If-Range': 'Fri, 13 Mar 2026 00:00:00 GMT' }),
      get(CSV, { 'If-Modified-Since': 'Sat, 14 Mar 2026 00:00:00 GMT' }),
      get(CSV, { 'If-Unmodified-Since': 'Fri, 13 Mar 2026 00:00:00 GMT' }),
      get('/timetables/conditions'),
      get('/timetables/summer-1926.csv'),
      get('/timetables/..%2Fapp.ts').expect(errorPage('', 404)),
      get('/assets/crest.svg'),
      get('/assets/live.js'),
      (seen) => get('/assets/live.js', { 'If-None-Match': seen[14]?.header('ETag') ?? 'none' }),
      get('/assets/'),
      get('/assets'),
      get('/assets/../app.ts'),
      get('/assets/..%2f..%2fapp.ts').expect(errorPage('', 404)),
      get('/assets/%00'),
      post('/assets/live.js'),
      get('/source/pages/drill.ts'),
      get('/source/web/..%2fapp.ts').expect(errorPage('', 404)),
      get('/source/program/port.ts').expect(errorPage('', 404)),
      get('/source/pages/'),
      aborted(get(CSV), 'head'),
    ],
  }),
  scenario({
    name: 'an asset of the demo with a version in its URL may be cached for a year',
    clauses: ['F-2.11-26'],
    build: demo(),
    requests: [
      get('/'),
      (seen) =>
        get(/\/assets\/style\.css\?v=[0-9a-f]+/.exec(`${seen[0]?.response.body}`)?.[0] ?? '/missing').expect({
          status: 200,
          'cache-control': 'public, max-age=31536000, immutable',
        }),
      get('/assets/style.css').expect({ status: 200, 'cache-control': 'public, max-age=0' }),
    ],
    expect: ({ exchanges }) => expect(exchanges[2]?.header('ETag')).to.equal(exchanges[1]?.header('ETag')),
  }),
  scenario({
    name: 'the demo responds with 304 if the copy of the client is fresh',
    clauses: ['F-4.5-75'],
    build: demo(),
    requests: [
      get('/'),
      (seen) =>
        get('/', { 'If-None-Match': seen[0]?.header('ETag') ?? 'none' }).expect({ status: 304, body: '' }),
      (seen) => head('/', { 'If-None-Match': seen[0]?.header('ETag') ?? 'none' }),
      (seen) => get('/', { 'If-None-Match': seen[0]?.header('ETag') ?? 'none', 'Cache-Control': 'no-cache' }),
      (seen) => get('/', { 'If-None-Match': seen[0]?.header('ETag') ?? 'none', Accept: 'application/json' }),
      post('/office/delays', 'train=b155&minutes=4', { ...OFFICE, ...FORM }),
      (seen) => get('/', { 'If-None-Match': seen[0]?.header('ETag') ?? 'none' }).expect(page('4 min late')),
    ],
  }),
  scenario({
    name: 'the demo streams its calls and ends the stream',
    clauses: ['F-4.5-24'],
    build: demo(),
    requests: [
      get('/live/events?station=minato').expect({
        'content-type': 'text/event-stream; charset=utf-8',
        body: /^id: 1\n[\s\S]*\nid: 6\n(?![\s\S]*\nid: )/,
      }),
      get('/live/events?station=minato', { 'Last-Event-ID': '4' }).expect({
        body: /^id: 5\n[\s\S]*\nid: 6\n(?![\s\S]*\nid: )/,
      }),
      get('/live/events', { 'Last-Event-ID': '6' }).expect({ status: 204 }),
      get('/live/events?station=atlantis'),
      head('/live/events'),
      raw('GET /live/events HTTP/1.0\r\n\r\n'),
      aborted(get('/live/events'), 'head'),
    ],
  }),
  scenario({
    name: 'the office of the demo is a mounted application that requires a password',
    clauses: ['F-2.1-06', 'F-2.10-29'],
    build: demo(),
    requests: [
      get('/office').expect({ status: 401, 'www-authenticate': /^Basic realm=/ }),
      get('/office', {
        Authorization: `Basic ${Buffer.from('stationmaster:coffee').toString('base64')}`,
      }).expect({ status: 401 }),
      get('/office', { Authorization: 'Basic !!!' }),
      get('/office', OFFICE).expect(page('Mounted on <code>/office</code>')),
      get('/office/', OFFICE),
      post('/office/announcements', 'Snow on the <pass>.', {
        ...OFFICE,
        'Content-Type': 'text/plain',
      }).expect(redirect('/office')),
      get('/').expect(page('Snow on the &lt;pass&gt;\\.')),
      post('/office/announcements', 'text=Tea+%26+cake+at+four', { ...OFFICE, ...FORM }),
      post('/office/announcements', 'x', { ...OFFICE, 'Content-Type': 'text/plain' }),
      post('/office/announcements', 'x'.repeat(2000), { ...OFFICE, 'Content-Type': 'text/plain' }),
      post('/office/announcements/1/remove', undefined, OFFICE),
      post('/office/announcements/1/remove', undefined, OFFICE),
      post('/office/delays', 'train=b155&minutes=7', { ...OFFICE, ...FORM }),
      post('/office/delays', 'train=zz&minutes=7', { ...OFFICE, ...FORM }),
      post('/office/delays', 'train=b155&minutes=-1', { ...OFFICE, ...FORM, ...JSON_ONLY }),
      post('/office/lost/L-4/remove', undefined, OFFICE),
      get('/office', OFFICE),
      get('/office/attic', OFFICE),
      get('/').expect(page('7 min late')),
      get('/trains/B155', JSON_ONLY),
    ],
  }),
  scenario({
    name: 'the office of the demo is closed if no password is set',
    clauses: ['F-2.1-06'],
    build: ({ framework, logger, log }) =>
      createApp({
        framework,
        logger,
        accessLog: log,
        terminalLog: log,
        now: () => new Date(0),
        secret: 'platform nine',
      }),
    requests: [get('/office', OFFICE).expect(errorPage('The office is closed', 503)), get('/')],
  }),
  scenario({
    name: 'the demo sends short error pages without details',
    clauses: ['F-1-25', 'F-1-26', 'F-7-01', 'F-7-03', 'F-7-20'],
    build: demo(),
    requests: [
      ...['/drill/throw', '/drill/reject'].map((path) =>
        get(path).expect(
          errorPage('Something broke behind the desk\\.(?![\\s\\S]*(?:Tōge|drill\\.ts| at ))', 500),
        ),
      ),
      get('/drill/throw', JSON_ONLY),
      get('/drill/tea'),
      get('/drill/late'),
      get('/nowhere', { 'User-Agent': 'a "test"' }).expect(errorPage('No train stops here', 404)),
      post('/nowhere', 'x'),
      get('/stations/%E0%A4%A').expect(errorPage('', 400)),
      get('/api/stations/%ZZ'),
      get('/parity-report').expect(errorPage('', 404)),
      get('/lost/..'),
      get('/lost/%2e%2e/app.ts'),
      get('//office'),
      get('/%3Cscript%3E'),
      raw('GET http://parity.test/lines HTTP/1.1\r\nHost: parity.test\r\n\r\n'),
      aborted(request('POST', '/lost', 'what=Tu', { ...FORM, 'Content-Length': '500' }), 'sent'),
      get('/live/events'), // gives the server time to notice that the client of the aborted request has disconnected
      aborted(request('POST', '/api/lost', '{', { ...JSON_BODY, 'Content-Length': '50' }), 'sent'),
      get('/live/events'),
    ],
    expect({ log, stderr }) {
      expect(stderr.join('')).to.include(
        'Error: The signal at Tōge fell over.\nError: The signal box at Tōge does not answer.\n',
      );
      expect(log.join('')).to.match(/"GET \/nowhere HTTP\/1\.1" 404 \d+ "-" "a \\"test\\""\n/);
    },
  }),
  scenario({
    name: 'the demo shows the stack of an error in development',
    clauses: ['F-1-25'],
    build: demo({ env: 'development' }),
    requests: [
      get('/drill/throw').expect({ body: /<pre>Error: The signal at Tōge fell over\.\n +at \(stack\)\n/ }),
      get('/drill/reject', JSON_ONLY),
      get('/drill/tea'),
    ],
  }),
  scenario({
    name: 'the demo serves an existing parity report with a Content-Security-Policy for its own scripts',
    clauses: ['F-4.5-77'],
    build: (kit) => demo({ parityReport: join(kit.files, 'hello.txt') })(kit),
    requests: [
      get('/parity-report').expect({
        status: 200,
        'content-security-policy': /^default-src 'none'; style-src 'unsafe-inline'/,
        body: /^hello/i,
      }),
      get('/').expect(page('<a href="/parity-report">Parity</a>')),
    ],
  }),
  scenario({
    name: 'the demo replaces a missing parity report by a page with the command that creates it',
    clauses: ['F-4.5-58'],
    build: demo({ parityReport: 'none.html' }),
    requests: [
      get('/parity-report').expect(page('<pre class="command">npm run parity -- --reporter html</pre>')),
    ],
  }),
  scenario({
    name: 'every page of the demo describes its features and links to its source',
    clauses: ['F-4.5-58', 'F-2.11-26'],
    build: demo({ parityReport: 'none.html' }),
    requests: Object.entries(SOURCES).flatMap(([source, paths]) => [
      get(`/source/${source}`).expect({
        status: 200,
        'content-type': 'text/plain; charset=utf-8',
        body: readFileSync(join(DEMO, source), 'utf8'),
      }),
      ...paths.map((path) =>
        get(path, OFFICE).expect({
          body: new RegExp(`This page shows .+\\. Source: <a href="/source/${source}">${source}</a>`),
        }),
      ),
    ]),
  }),
];
