/** Scenarios for the methods of a request. §4.4 */
import { get, post } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

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
      return app;
    },
    requests: [get('/', { Accept: 'text/html' })],
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
      return app;
    },
    requests: [
      get('/', { 'X-One': ['1', '2'], Referer: '/from' }),
      get('/', { 'Content-Type': 'a/b', Referrer: '/also' }),
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
      post('/', 'x', { 'Content-Type': 'text/html; charset=utf-8' }),
      post('/', 'x', { 'Content-Type': 'application/vnd.api+json' }),
      post('/', 'x'),
      post('/', undefined, { 'Content-Type': 'text/html' }),
      post('/', ['x'], { 'Content-Type': 'text/html' }),
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
      get('/'),
      ...[
        'bytes=0-50,51-100',
        'bytes=0-5,3-9,20-',
        'bytes=-10',
        'bytes=500-',
        'bytes=90-200',
        'bytes',
        'x=0-1',
        'bytes=5-1',
      ].flatMap((range) => [get('/', { Range: range }), get('/?combine=yes', { Range: range })]),
    ],
  }),
];
