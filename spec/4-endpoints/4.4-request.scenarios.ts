/** Scenarios for the methods of a request. §4.4 */
import { get, post } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

type Negotiation = 'accepts' | 'acceptsCharsets' | 'acceptsEncodings' | 'acceptsLanguages' | 'is';

/** The header that each method reads. */
const HEADERS: Readonly<Record<Negotiation, string>> = {
  accepts: 'Accept',
  acceptsCharsets: 'Accept-Charset',
  acceptsEncodings: 'Accept-Encoding',
  acceptsLanguages: 'Accept-Language',
  is: 'Content-Type',
};

const HTML = 'text/html; charset=utf-8';
/** Calls of these methods, with the header of the request and the result. */
const CALLS: ReadonlyArray<
  readonly [member: Negotiation, header: string | undefined, args: unknown[], result: unknown]
> = [
  ['accepts', 'text/html, application/json;q=0.5', ['application/json'], 'application/json'],
  ['accepts', 'text/html', ['html'], 'html'],
  ['accepts', 'text/*', ['html'], 'html'],
  ['accepts', 'text/html, application/json', [['json', 'html']], 'html'],
  ['accepts', 'text/html', [['json'], 'html'], false],
  ['accepts', 'text/html;q=0.1, application/json', ['html', 'json'], 'json'],
  ['accepts', 'text/html;q=0.1, application/json', [], ['application/json', 'text/html']],
  ['accepts', 'text/*;q=0.5, application/json', ['html', 'json'], 'json'],
  ['accepts', '*/*', ['json', 'html'], 'json'],
  ['accepts', undefined, ['json', 'html'], 'json'],
  ['accepts', 'text/html', ['json'], false],
  ['accepts', 'text/html;q=0', ['html'], false],
  ['accepts', 'text/html', ['no-such-extension'], false],
  ['acceptsCharsets', 'utf-8;q=0.2, iso-8859-1', ['utf-8', 'iso-8859-1'], 'iso-8859-1'],
  ['acceptsCharsets', '*', ['utf-8'], 'utf-8'],
  ['acceptsCharsets', 'utf-8', [], ['utf-8']],
  ['acceptsCharsets', 'utf-8', ['utf-7'], false],
  ['acceptsEncodings', 'gzip;q=0.5, br', ['gzip', 'br'], 'br'],
  ['acceptsEncodings', 'gzip', ['identity'], 'identity'],
  ['acceptsEncodings', 'gzip, br;q=0.1', [], ['gzip', 'br', 'identity']],
  ['acceptsEncodings', 'gzip', ['br'], false],
  ['acceptsEncodings', 'gzip, identity;q=0', ['identity'], false],
  ['acceptsLanguages', 'de;q=0.5, en', ['de', 'en'], 'en'],
  ['acceptsLanguages', 'en-GB', ['en'], 'en'],
  ['acceptsLanguages', 'en', [['de', 'en']], 'en'],
  ['acceptsLanguages', 'de', ['en'], false],
  ['acceptsLanguages', 'de;q=0.5, en, *;q=0.1', [], ['en', 'de', '*']],
  ['acceptsLanguages', undefined, [], ['*']],
  ['is', HTML, ['text/html'], 'text/html'],
  ['is', HTML, ['application/json', 'text/html'], 'text/html'],
  ['is', HTML, [['application/json', 'text/html']], 'text/html'],
  ['is', 'TEXT/HTML', ['text/html'], 'text/html'],
  ['is', HTML, ['html'], 'html'],
  ['is', 'application/json', ['html', 'json'], 'json'],
  ['is', HTML, ['text/*'], 'text/html'],
  ['is', HTML, ['*/html'], 'text/html'],
  ['is', HTML, ['*/*'], 'text/html'],
  ['is', 'application/vnd.api+json', ['+json'], 'application/vnd.api+json'],
  ['is', HTML, ['json'], false],
  ['is', undefined, ['html'], false],
  ['is', 'garbage', ['html'], false],
  ['is', HTML, [], 'text/html'],
];

const OFFERS: ReadonlyArray<readonly [accept: string, offers: string[], result: unknown]> = [
  ['text/html', ['json,html'], 'html'],
  ['text/html;q=0.2, application/json', ['html , json'], 'json'],
  ['text/html', ['json, xml', 'html'], 'html'],
  ['text/html', ['json, xml'], false],
  ['*/*', ['application/vnd.a+json, text/html'], 'application/vnd.a+json'],
];

const NAME_REQUIRED = 'TypeError: name argument is required to req.get';
const NAME_NO_STRING = 'TypeError: name must be a string to req.get';
const UNREAD = [null, null, null, null, null, null, null];
const READ = ['text/html', 'html', 'text/html', 'text/html', false, false, 'html'];

const ONE_RANGE = (start: number, end: number, type = 'bytes') => ({ ranges: [{ start, end }], type });
/** Each Range for a size of 120 bytes, with the results without and with combine. */
const RANGES: ReadonlyArray<readonly [range: string, separate: unknown, combined?: unknown]> = [
  [
    'bytes=0-50,51-100',
    {
      ranges: [
        { start: 0, end: 50 },
        { start: 51, end: 100 },
      ],
      type: 'bytes',
    },
    ONE_RANGE(0, 100),
  ],
  [
    'bytes=0-5,3-9,20-',
    {
      ranges: [
        { start: 0, end: 5 },
        { start: 3, end: 9 },
        { start: 20, end: 119 },
      ],
      type: 'bytes',
    },
    {
      ranges: [
        { start: 0, end: 9 },
        { start: 20, end: 119 },
      ],
      type: 'bytes',
    },
  ],
  ['bytes=-10', ONE_RANGE(110, 119)],
  ['bytes=500-', { ranges: -1 }],
  ['bytes=90-200', ONE_RANGE(90, 119)],
  ['bytes', { ranges: -2 }],
  ['x=0-1', ONE_RANGE(0, 1, 'x')],
  ['bytes=5-1', { ranges: -1 }],
  ['bytes=x-', { ranges: -2 }],
  ['', { ranges: null }],
  [
    'bytes=5-6,0-2,3-4,8-9',
    {
      ranges: [
        { start: 5, end: 6 },
        { start: 0, end: 2 },
        { start: 3, end: 4 },
        { start: 8, end: 9 },
      ],
      type: 'bytes',
    },
    {
      ranges: [
        { start: 0, end: 6 },
        { start: 8, end: 9 },
      ],
      type: 'bytes',
    },
  ],
];

export default [
  scenario({
    name: 'req.accepts, acceptsCharsets, acceptsEncodings and acceptsLanguages choose by the request headers',
    clauses: [
      'F-4.4-01',
      'F-4.4-02',
      'F-4.4-04',
      'F-4.4-05',
      'F-4.4-06',
      'F-4.4-07',
      'F-4.4-08',
      'F-4.4-09',
      'F-4.4-10',
      'F-4.4-11',
      'F-4.4-12',
      'F-4.4-13',
      'F-4.4-14',
    ],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => {
        res.json({
          mime: req.accepts('text/html'),
          extension: req.accepts('html'),
          array: req.accepts(['json', 'text']),
          several: req.accepts('png', 'application/json', 'html'),
          types: req.accepts(),
          charset: req.acceptsCharsets('utf-8', 'iso-8859-1'),
          charsets: req.acceptsCharsets(),
          encoding: req.acceptsEncodings('gzip', 'identity'),
          encodings: req.acceptsEncodings(),
          language: req.acceptsLanguages('de', 'en'),
          languages: req.acceptsLanguages(),
        });
      });
      return app;
    },
    requests: [
      get('/'),
      get('/', { Accept: 'text/*;q=.5, application/json', 'Accept-Charset': 'iso-8859-1, utf-8;q=0.5' }),
      get('/', {
        Accept: 'image/png',
        'Accept-Encoding': 'br, gzip;q=0',
        'Accept-Language': 'fr, en-GB;q=0.8, de;q=0.1',
      }),
      get('/', { Accept: '', 'Accept-Language': '*', 'Accept-Encoding': '*;q=0' }),
    ],
  }),
  scenario({
    name: 'req.accepts accepts a list in one string',
    clauses: ['F-4.4-03'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => void res.json(req.accepts('json, html')));
      for (const [index, [, offers]] of OFFERS.entries()) {
        app.get(`/${index}`, (req, res) => void res.json(Reflect.apply(req.accepts, req, offers)));
      }
      return app;
    },
    requests: [
      get('/', { Accept: 'text/html' }).expect({ json: 'html' }),
      ...OFFERS.map(([accept, , result], index) =>
        get(`/${index}`, { Accept: accept }).expect({ json: result }),
      ),
    ],
  }),
  scenario({
    name: 'req.get and req.header ignore case and read Referer in both spellings',
    clauses: ['F-4.4-15', 'F-4.4-16', 'F-4.4-17', 'F-4.4-18', 'F-4.4-19'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => {
        const attempt = (name: unknown): unknown => {
          try {
            return req.get(name as string) ?? null;
          } catch (error) {
            return String(error);
          }
        };
        const asked = [
          'content-type',
          'X-ONE',
          'Referer',
          'referrer',
          'absent',
          'set-cookie',
          undefined,
          7,
        ].map(attempt);
        res.json([...asked, req.header('x-one')]);
      });
      app.get('/invalid', (req, res) => {
        const told = ['', ['a']].map((name) => {
          try {
            return req.get(name as string);
          } catch (error) {
            return String(error);
          }
        });
        res.json([...told, req.header === req.get]);
      });
      return app;
    },
    requests: [
      get('/', { 'X-One': ['1', '2'], Referer: '/from' }).expect({
        json: [null, '1, 2', '/from', '/from', null, null, NAME_REQUIRED, NAME_NO_STRING, '1, 2'],
      }),
      get('/', { 'Content-Type': 'a/b', Referrer: '/also' }).expect({
        json: ['a/b', null, '/also', '/also', null, null, NAME_REQUIRED, NAME_NO_STRING, null],
      }),
      get('/', { Referer: '/from', Referrer: '/also' }).expect({
        json: [null, null, '/also', '/also', null, null, NAME_REQUIRED, NAME_NO_STRING, null],
      }),
      get('/invalid').expect({ json: [NAME_REQUIRED, NAME_NO_STRING, true] }),
    ],
  }),
  scenario({
    name: 'req.is compares the type of the request body',
    clauses: ['F-4.4-20', 'F-4.4-21', 'F-4.4-22', 'F-4.4-23', 'F-4.4-24', 'F-4.4-25'],
    build({ framework }) {
      const app = framework();
      app.post('/', (req, res) => {
        res.json(
          ['text/html', 'html', 'text/*', '*/html', 'json', '+json', ['json', 'html']].map((type) =>
            req.is(type),
          ),
        );
      });
      return app;
    },
    requests: [
      post('/', 'x', { 'Content-Type': HTML }).expect({ json: READ }),
      post('/', 'x', { 'Content-Type': 'application/vnd.api+json' }).expect({
        json: [false, false, false, false, false, 'application/vnd.api+json', false],
      }),
      post('/', 'x').expect({ json: UNREAD.map(() => false) }),
      post('/', undefined, { 'Content-Type': 'text/html' }).expect({ json: UNREAD }),
      post('/', ['x'], { 'Content-Type': 'text/html' }).expect({ json: READ }),
      post('/', '', { 'Content-Type': 'text/html' }).expect({ json: READ }),
    ],
  }),
  scenario({
    name: 'req.range parses ranges and distinguishes malformed from unsatisfiable ones',
    clauses: ['F-4.4-26', 'F-4.4-27', 'F-4.4-28', 'F-4.4-29', 'F-4.4-30', 'F-4.4-31', 'F-4.4-32', 'F-7-13'],
    build({ framework }) {
      const app = framework();
      app.get('/', (req, res) => {
        const combine = req.query.combine === 'yes';
        const ranges = req.range(120, { combine });
        res.json({ ranges: ranges ?? null, type: typeof ranges === 'object' ? ranges.type : undefined });
      });
      return app;
    },
    requests: [
      get('/').expect({ json: { ranges: null } }),
      ...RANGES.flatMap(([range, separate, combined = separate]) => [
        get('/', { Range: range }).expect({ json: separate }),
        get('/?combine=yes', { Range: range }).expect({ json: combined }),
      ]),
    ],
  }),
  scenario({
    name: 'req.accepts, req.is and similar methods return the best of their arguments, or false',
    // biome-ignore format: a table
    clauses: [
      'F-4.4-01', 'F-4.4-02', 'F-4.4-04', 'F-4.4-05', 'F-4.4-06', 'F-4.4-07', 'F-4.4-08', 'F-4.4-09',
      'F-4.4-10', 'F-4.4-11', 'F-4.4-12', 'F-4.4-13', 'F-4.4-14', 'F-4.4-20', 'F-4.4-21', 'F-4.4-22',
      'F-4.4-23', 'F-4.4-25', 'F-7-10',
    ],
    build({ framework }) {
      const app = framework();
      for (const [index, [member, , args]] of CALLS.entries()) {
        app.post(`/${index}`, (req, res) => void res.json(Reflect.apply(req[member], req, args)));
      }
      return app;
    },
    requests: CALLS.map(([member, header, , result], index) =>
      post(`/${index}`, 'x', header === undefined ? {} : { [HEADERS[member]]: header }).expect({
        json: result,
      }),
    ),
  }),
];
