/** §4.5: what a response can be told. */
import type { Response } from 'express';
import { get, head, type Step } from '../../request';
import { scenario } from '../../scenario';

type Act = (res: Response) => unknown;

/** One route for each act. */
const acts = (name: string, clauses: string[], table: Record<string, Act>, more: Step[] = []) =>
  scenario({
    name,
    clauses,
    build({ framework }) {
      const app = framework();
      for (const [path, act] of Object.entries(table)) app.get(`/${path}`, (_req, res) => void act(res));
      return app;
    },
    requests: [...Object.keys(table).map((path) => get(`/${path}`)), ...more],
  });

export default [
  acts(
    'send derives type, length and validator from the body',
    [
      'F-4.5-66',
      'F-4.5-67',
      'F-4.5-68',
      'F-4.5-69',
      'F-4.5-70',
      'F-4.5-71',
      'F-4.5-72',
      'F-4.5-73',
      'F-4.5-74',
    ],
    {
      string: (res) => res.send('häl🎉'),
      buffer: (res) => res.send(Buffer.from([0, 255, 128])),
      typed: (res) => res.type('png').send(Buffer.from('png')),
      'typed-string': (res) => res.set('Content-Type', 'text/plain; charset=iso-8859-1').send('ä'),
      'uint8-array': (res) => res.send(new Uint8Array([1, 2])),
      object: (res) => res.send({ a: [1, null] }),
      array: (res) => res.send([1, 'two']),
      true: (res) => res.send(true),
      number: (res) => res.send(404 as unknown as string),
      null: (res) => res.send(null),
      undefined: (res) => res.send(undefined),
      nothing: (res) => res.send(),
      empty: (res) => res.send(''),
      204: (res) => res.status(204).type('text').send('gone'),
      205: (res) => res.status(205).send('reset'),
      304: (res) => res.status(304).type('text').send('kept'),
      chained: (res) => res.status(201).set('X-A', '1').send('made'),
    },
    [head('/string'), head('/object'), head('/204')],
  ),
  scenario({
    name: 'send answers 304 while a validator of the request holds',
    clauses: ['F-4.5-75'],
    build({ framework }) {
      const app = framework();
      app.get('/', (_req, res) => res.set('Last-Modified', 'Thu, 29 Feb 2024 12:00:00 GMT').send('hello'));
      app.get('/error', (_req, res) => res.status(500).send('hello'));
      app.post('/', (_req, res) => void res.send('hello'));
      return app;
    },
    requests: [
      get('/'),
      (seen) => get('/', { 'If-None-Match': seen[0]?.field('ETag') ?? '' }),
      (seen) => head('/', { 'If-None-Match': seen[0]?.field('ETag') ?? '' }),
      (seen) => get('/error', { 'If-None-Match': seen[0]?.field('ETag') ?? '' }),
      get('/', { 'If-Modified-Since': 'Thu, 29 Feb 2024 12:00:00 GMT' }),
      get('/', { 'If-None-Match': '"other"', 'If-Modified-Since': 'Thu, 29 Feb 2024 12:00:00 GMT' }),
    ],
  }),
  acts(
    'json takes every value, jsonp wraps it for a callback',
    [
      'F-4.5-34',
      'F-4.5-35',
      'F-4.5-36',
      'F-4.5-37',
      'F-4.5-38',
      'F-4.5-39',
      'F-4.5-40',
      'F-4.5-41',
      'F-4.5-42',
      'F-4.5-43',
    ],
    {
      null: (res) => res.json(null),
      number: (res) => res.json(500),
      string: (res) => res.json('ä\u2028<'),
      boolean: (res) => res.json(false),
      array: (res) => res.json([]),
      nothing: (res) => res.json(),
      date: (res) => res.json({ at: new Date(0), skip: undefined }),
      typed: (res) => res.type('application/vnd.api+json').json({}),
      bigint: (res) => res.json(1n),
      jsonp: (res) => res.jsonp({ a: '\u2028\u2029' }),
      'jsonp-nothing': (res) => res.jsonp(undefined),
    },
    [
      get('/jsonp?callback=f'),
      get('/jsonp?callback=a.b[0];alert(1)'),
      get('/jsonp?callback='),
      get('/jsonp?callback=one&callback=two'),
      get('/jsonp-nothing?callback=f'),
    ],
  ),
  acts(
    'sendStatus sends the message of the status',
    ['F-4.5-82', 'F-4.5-83', 'F-4.5-87', 'F-4.5-88', 'F-7-11', 'F-7-12', 'F-8-05', 'F-8-06', 'F-8-07'],
    {
      200: (res) => res.sendStatus(200),
      404: (res) => res.sendStatus(404),
      418: (res) => res.sendStatus(418),
      599: (res) => res.sendStatus(599),
      600: (res) => res.sendStatus(600),
      999: (res) => res.status(999).end(),
      99: (res) => res.sendStatus(99),
      1000: (res) => res.status(1000).end(),
      text: (res) => res.status('200' as unknown as number).end(),
      half: (res) => res.status(200.5).end(),
      undefined: (res) => res.status(undefined as unknown as number).end(),
    },
  ),
  acts(
    'set, append, type, links and vary write fields',
    [
      'F-4.5-01',
      'F-4.5-02',
      'F-4.5-03',
      'F-4.5-05',
      'F-4.5-44',
      'F-4.5-84',
      'F-4.5-85',
      'F-4.5-86',
      'F-4.5-89',
      'F-4.5-90',
      'F-4.5-91',
      'F-4.5-94',
      'F-4.5-95',
      'F-4.5-96',
      'F-4.5-97',
    ],
    {
      append: (res) => res.append('X-A', '1').append('x-a', ['2', '3']).end(),
      reset: (res) => res.append('Warning', '1').set('Warning', '2').end(),
      object: (res) => res.set({ 'X-B': 'b', 'X-A': 'a' }).header('X-C', ['1', '2']).end(),
      number: (res) => res.set('X-N', 7 as unknown as string).end(),
      'bad-type': (res) => res.set('Content-Type', ['a/b', 'c/d'] as unknown as string).end(),
      'bad-value': (res) => res.set('X-Bad', 'a\nb').end(),
      links: (res) =>
        res
          .links({ next: '/2', last: '/5' })
          .links({ prev: '/1', all: ['/a', '/b'] } as never)
          .end(),
      vary: (res) =>
        res
          .vary('Accept')
          .vary(['Origin', 'accept'] as never)
          .vary('X-Y')
          .end(),
      'vary-nothing': (res) => res.vary(undefined as unknown as string).end(),
      ...Object.fromEntries(
        [
          'html',
          '.html',
          'png',
          'json',
          'text/html',
          'image/png',
          'text/plain; charset=x',
          'unheard',
          'txt',
        ].map((type) => [`type-${type.replaceAll(/\W/g, '_')}`, (res: Response) => res.type(type).end()]),
      ),
      contentType: (res) => res.contentType('xml').end(),
    },
  ),
  acts(
    'location and redirect encode the target',
    [
      'F-4.5-45',
      'F-4.5-48',
      'F-4.5-49',
      'F-4.5-50',
      'F-4.5-51',
      'F-4.5-52',
      'F-4.5-53',
      'F-4.5-54',
      'F-4.5-55',
    ],
    {
      location: (res) => res.location('/a b?q=ä&%20=%zz').end(),
      full: (res) => res.redirect('http://example.com/x?<y>'),
      root: (res) => res.redirect(301, '/admin'),
      relative: (res) => res.redirect('post/new'),
      parent: (res) => res.redirect('..'),
      odd: (res) => res.redirect(200, '/x'),
      hosts: (res) => res.redirect('//elsewhere.test\\@parity.test'),
      nothing: (res) => res.redirect(undefined as unknown as string),
      swapped: (res) => res.redirect('/x' as unknown as number, 301 as unknown as string),
    },
    [get('/full', { Accept: 'text/html' }), get('/full', { Accept: 'application/json' }), head('/root')],
  ),
  acts(
    'back is the referer, or the root',
    ['F-4.5-46', 'F-4.5-47', 'F-4.5-56', 'F-4.5-57'],
    {
      location: (res) => res.location('back').end(),
      redirect: (res) => res.redirect('back'),
    },
    [get('/location', { Referer: '/from' }), get('/redirect', { Referer: '/from' })],
  ),
  scenario({
    name: 'format chooses by the Accept field',
    clauses: ['F-4.5-25', 'F-4.5-26', 'F-4.5-27', 'F-4.5-28', 'F-4.5-29', 'F-4.5-30', 'F-4.5-31', 'F-7-09'],
    build({ framework }) {
      const app = framework();
      const formats = (res: Response) => ({
        'text/plain': () => void res.send('plain'),
        html: () => void res.send('<p>html</p>'),
        json: () => void res.send({ json: true }),
      });
      app.get('/', (_req, res) => void res.format(formats(res)));
      app.get(
        '/default',
        (_req, res) => void res.format({ ...formats(res), default: () => void res.send('default') }),
      );
      return app;
    },
    requests: ['/', '/default'].flatMap((path) => [
      get(path),
      ...['text/html', 'application/json;q=.5, text/plain;q=.1', '*/*', 'image/png', 'text/*'].map((accept) =>
        get(path, { Accept: accept }),
      ),
    ]),
  }),
  acts('attachment names the file', ['F-4.5-06', 'F-4.5-07', 'F-4.5-08'], {
    bare: (res) => res.attachment().send('x'),
    plain: (res) => res.attachment('dir/a.txt').send('x'),
    quoted: (res) => res.attachment('a "b".png').send('x'),
    unicode: (res) => res.attachment('ä€.json').send('x'),
  }),
  scenario({
    name: 'sendFile and download send files, and tell of errors',
    clauses: [
      'F-2.9-01',
      'F-2.9-02',
      'F-2.9-04',
      'F-2.9-06',
      'F-2.9-07',
      'F-2.9-08',
      'F-2.9-10',
      'F-2.9-14',
      'F-2.9-22',
      'F-4.5-16',
      'F-4.5-17',
      'F-4.5-18',
      'F-4.5-20',
      'F-4.5-76',
      'F-4.5-77',
      'F-4.5-79',
      'F-4.5-80',
      'F-4.5-81',
    ],
    build({ framework, files: root }) {
      const app = framework();
      const refused = (res: Response) => (error?: NodeJS.ErrnoException & { status?: number }) => {
        if (error) res.status(error.status ?? 500).send(`${error.name} ${error.code} ${error.message}`);
      };
      app.get('/absolute', (_req, res) => res.sendFile(`${root}/hello.txt`));
      app.get('/relative', (_req, res) => res.sendFile('hello.txt'));
      app.get('/inside', (_req, res) => res.sendFile('folder/../hello.txt', { root }));
      app.get('/outside', (_req, res) => res.sendFile('../README.md', { root }, refused(res)));
      app.get('/missing', (_req, res) => res.sendFile('none', { root }, refused(res)));
      app.get('/missing-uncaught', (_req, res) => res.sendFile('none', { root }));
      app.get('/folder', (_req, res) => res.sendFile('folder', { root }));
      app.get('/hidden', (_req, res) => res.sendFile('.hidden', { root }));
      app.get('/denied', (_req, res) => res.sendFile('.hidden', { root, dotfiles: 'deny' }));
      app.get('/options', (_req, res) => {
        res.sendFile('data.json', {
          root,
          maxAge: 60_000,
          immutable: true,
          lastModified: false,
          headers: { 'X-A': 'a' },
        });
      });
      app.get('/download', (_req, res) => res.download('hello.txt', { root } as never));
      app.get('/named', (_req, res) => {
        res.download('hello.txt', 'bye "ä".txt', {
          root,
          headers: { 'Content-Disposition': 'inline', 'content-type': 'a/b' },
        });
      });
      app.get('/none', (_req, res) => res.download('none', refused(res)));
      return app;
    },
    requests: [
      ...[
        'absolute',
        'relative',
        'inside',
        'outside',
        'missing',
        'missing-uncaught',
        'folder',
        'hidden',
        'denied',
        'options',
        'download',
        'named',
        'none',
      ].map((path) => get(`/${path}`)),
      head('/absolute'),
      get('/absolute', { Range: 'bytes=2-5' }),
      (seen) => get('/absolute', { 'If-None-Match': seen[0]?.field('ETag') ?? '' }),
    ],
  }),
  scenario({
    name: 'render finds the view, gives it the locals, and passes errors on',
    clauses: [
      'F-1-09',
      'F-2.1-02',
      'F-2.7-03',
      'F-4.2-61',
      'F-4.2-62',
      'F-4.2-67',
      'F-4.5-58',
      'F-4.5-59',
      'F-4.5-61',
      'F-4.5-62',
      'F-4.5-63',
      'F-4.5-64',
      'F-7-22',
    ],
    build({ framework, files }) {
      const app = framework();
      app.engine('txt', (path, options, done) => {
        const { settings: _settings, ...locals } = options as { settings: unknown };
        done(null, `${path.slice(files.length)} ${JSON.stringify(locals)}`);
      });
      app.engine('json', (_path, _options, done) => done(new Error('engine failed')));
      app.set('views', [`${files}/none`, files]).set('view engine', 'txt');
      app.locals.title = 'app';
      app.get('/', (_req, res) => {
        res.locals.who = 'response';
        res.render('hello', { who: 'call', deep: { a: 1 } });
      });
      app.get('/extension', (_req, res) => res.render('folder/other.txt'));
      app.get('/absolute', (_req, res) => res.render(`${files}/hello.txt`));
      app.get('/callback', (_req, res) =>
        res.render('hello', (error: Error | null, html: string) => res.type('text').send(`${error} ${html}`)),
      );
      app.get('/missing', (_req, res) => res.render('none'));
      app.get('/failing', (_req, res) => res.render('data.json'));
      app.get('/app', (_req, res) => app.render('none', (error: Error | null) => res.send(String(error))));
      return app;
    },
    requests: ['/', '/extension', '/absolute', '/callback', '/missing', '/failing', '/app'].map((path) =>
      get(path),
    ),
  }),
  scenario({
    name: 'the members of the runtime keep their behaviour',
    clauses: ['F-2.7-02', 'F-4.5-24', 'F-4.5-98'],
    build({ framework }) {
      const app = framework();
      app.get('/end', (_req, res) => void res.end('ended'));
      app.get('/stream', (_req, res) => {
        res.writeHead(206, 'Some', { 'X-Raw': '1', Trailer: 'X-End' });
        res.write('one ');
        res.write('two');
        res.addTrailers({ 'X-End': String(res.headersSent) });
        res.end();
      });
      app.get('/hints', (_req, res) => {
        res.writeEarlyHints({ link: '</a.css>; rel=preload' });
        res.send('after the hints');
      });
      app.get('/twice', (_req, res) => {
        res.send('once');
        try {
          res.send('twice');
        } catch (error) {
          console.error(String(error));
        }
      });
      return app;
    },
    requests: ['/end', '/stream', '/hints', '/twice'].map((path) => get(path)),
  }),
];
