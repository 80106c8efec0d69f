/** Scenarios for express.static(). §2.11 */
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { ServeStaticOptions } from 'serve-static';
import type { Expected } from '../../parity/client/messages';
import { get, type HeaderRecord, head, post, raw } from '../../parity/client/request';
import { type Framework, scenario } from '../../parity/scenario/scenario';

const TEXT = 'Hello from a file.\n';
const MODIFIED = 'Thu, 29 Feb 2024 12:00:00 GMT';
const BEFORE = 'Thu, 29 Feb 2024 11:59:59 GMT';
const NOT_SERVED = { status: 404, body: 'not served' };

const FILE = { status: 200, body: TEXT };
/** `next` was called, with the status unchanged. */
const PASSED = { status: 200, body: 'passed at 200' };
const failed = (status: number, name: string): Expected => ({ status, body: new RegExp(`"name":"${name}"`) });
const cached = (value: string | undefined): Expected => ({ ...FILE, 'cache-control': value });

/** Options, with requests and what is expected of the responses. */
const OPTIONS: ReadonlyArray<
  readonly [
    options: object | undefined,
    rows: ReadonlyArray<readonly [target: string, expected: Expected, headers?: HeaderRecord]>,
  ]
> = [
  [
    undefined,
    [
      ['/hello.txt', cached('public, max-age=0')],
      ['/shelf/100%25.txt', { status: 200 }],
      ['/shelf/empty.txt', { status: 200, body: '' }],
      ['/shelf/LICENCE', { status: 200, 'content-type': 'application/octet-stream' }],
      ['/folder/', { status: 200, body: '<h1>Index of a folder</h1>\n' }],
      ['/folder/index.html?x=/y', { status: 200, body: '<h1>Index of a folder</h1>\n' }],
      ['/.hidden', PASSED],
      ['/.folder/inside.txt', PASSED],
      ['/.folder/', PASSED],
      ['/./hello.txt', FILE],
      ['/hello', PASSED],
      ['/none', PASSED],
      ['/hello.txt/', PASSED],
      ['/hello.txt/x', PASSED],
      ['/shelf/', PASSED],
      [`/${'x'.repeat(400)}`, PASSED],
      ...['/%', '/%00', '/..%2f', '/%c0%ae'].map((target) => [target, PASSED] as const),
    ],
  ],
  [{ dotfiles: 'ignore' }, [['/.hidden', PASSED]]],
  [
    { dotfiles: 'allow' },
    [
      ['/.hidden', { status: 200, body: 'Hidden.\n' }],
      ['/.folder/inside.txt', { status: 200, body: 'Inside.\n' }],
    ],
  ],
  [
    { dotfiles: 'deny' },
    [
      ['/.hidden', PASSED],
      ['/.none', PASSED],
    ],
  ],
  [{ dotfiles: 'deny', fallthrough: false }, [['/.hidden', failed(403, 'ForbiddenError')]]],
  [
    { dotfiles: 'hide' },
    [
      [
        '/hello.txt',
        {
          status: 500,
          json: { name: 'TypeError', message: 'dotfiles option must be "allow", "deny", or "ignore"' },
        },
      ],
    ],
  ],
  [
    { fallthrough: false },
    [
      ['/.hidden', failed(404, 'NotFoundError')],
      ['/none', { status: 404 }],
      ['/%', { status: 400 }],
      ['/..%2f', { status: 403 }],
      ['/hello.txt/', { status: 404 }],
      ['/shelf/', { status: 404 }],
    ],
  ],
  [{ extensions: false }, [['/hello', PASSED]]],
  [
    { extensions: ['html', 'txt', 'json'] },
    [
      ['/hello', FILE],
      ['/none', PASSED],
      ['/folder', { status: 301 }],
    ],
  ],
  [{ extensions: 'txt' }, [['/hello', FILE]]],
  [{ maxAge: 1500 }, [['/hello.txt', cached('public, max-age=1')]]],
  [{ maxAge: '2 days' }, [['/hello.txt', cached('public, max-age=172800')]]],
  [{ maxAge: '10y', immutable: true }, [['/hello.txt', cached('public, max-age=31536000, immutable')]]],
  [{ maxAge: -1 }, [['/hello.txt', cached('public, max-age=0')]]],
  [{ maxAge: 'soon' }, [['/hello.txt', cached('public, max-age=0')]]],
  [{ cacheControl: false }, [['/hello.txt', cached(undefined)]]],
  [{ index: 'other.txt' }, [['/folder/', { status: 200, body: 'Other.\n' }]]],
  [
    { index: ['none', 'other.txt', 'index.html'] },
    [
      ['/folder/', { status: 200, body: 'Other.\n' }],
      ['/shelf/', PASSED],
    ],
  ],
  [{ index: false }, [['/folder/', PASSED]]],
  [
    { redirect: false },
    [
      ['/folder', PASSED],
      ['/folder/', { status: 200, body: '<h1>Index of a folder</h1>\n' }],
    ],
  ],
  [
    { acceptRanges: false },
    [['/hello.txt', { ...FILE, 'accept-ranges': undefined }, { Range: 'bytes=0-1' }]],
  ],
  ...[
    [{ start: 3 }, TEXT.slice(3)] as const,
    [{ start: 3, end: 5 }, TEXT.slice(3, 6)] as const,
    [{ end: 4 }, TEXT.slice(0, 5)] as const,
  ].map(
    ([options, body]) =>
      [
        options,
        [
          ['/hello.txt', { status: 200, body }],
          ['/hello.txt', { status: 206, body: body.slice(1, 3) }, { Range: 'bytes=1-2' }],
        ],
      ] as const,
  ),
  [{ start: 99 }, [['/hello.txt', { status: 200, body: '' }]]],
];

/** Headers of requests for a file of 19 bytes, with the status of the response. */
const CONDITIONS: ReadonlyArray<readonly [headers: HeaderRecord, status: number]> = [
  ...(
    [
      ['bytes=0-4', 206],
      ['bytes=7-', 206],
      ['bytes=-3', 206],
      ['bytes=0-0', 206],
      ['bytes=18-18', 206],
      ['bytes=0-999', 206],
      ['bytes=19-', 416],
      ['bytes=-0', 416],
      ['bytes=5-2', 416],
      ['bytes=0-1,3-4', 200],
      ['bytes=0-4,2-8', 206],
      ['bytes=0-1,2-3', 206],
      ['bytes= 0-4', 206],
      ['BYTES=0-4', 200],
      ['lines=0-4', 200],
      ['bytes=', 200],
      ['bytes=a-b', 200],
      ['bytes=-999', 416],
      ['bytes=0-4,', 200],
      ['bytes=99-,0-1', 206],
      [`bytes=${'0-1,'.repeat(500)}0-1`, 206],
    ] as const
  ).map(([Range, status]) => [{ Range }, status] as const),
  [{ 'If-Modified-Since': MODIFIED }, 304],
  [{ 'If-Modified-Since': BEFORE }, 200],
  [{ 'If-Modified-Since': 'yesterday' }, 200],
  [{ 'If-None-Match': '*' }, 304],
  [{ 'If-None-Match': '"other"' }, 200],
  [{ 'If-None-Match': '"other"', 'If-Modified-Since': MODIFIED }, 200],
  [{ 'If-None-Match': '*', 'Cache-Control': 'no-cache' }, 200],
  [{ 'If-Match': '*' }, 200],
  [{ 'If-Match': '"other"' }, 412],
  [{ 'If-Match': ' , "a" ,"b"' }, 412],
  [{ 'If-Unmodified-Since': MODIFIED }, 200],
  [{ 'If-Unmodified-Since': BEFORE }, 412],
  [{ Range: 'bytes=0-1', 'If-Range': MODIFIED }, 206],
  [{ Range: 'bytes=0-1', 'If-Range': BEFORE }, 200],
  [{ Range: 'bytes=0-1', 'If-Range': '"other"' }, 200],
  [{ Range: 'bytes=0-1', 'If-None-Match': '*' }, 304],
];

/** Creates an application with a handler on each of the paths `/0`, `/1` … It responds with errors as JSON. */
function onEachPath(framework: Framework, handlerOf: (index: number) => RequestHandler, count: number) {
  const app = framework();
  for (let index = 0; index < count; index++) app.use(`/${index}`, handlerOf(index));
  app.use((_req, res) => void res.send(`passed at ${res.statusCode}`));
  app.use(((err, _req, res, _next) => {
    res.status(err.status ?? 500).json({ name: err.name, message: err.message });
  }) as ErrorRequestHandler);
  return app;
}

const served = (
  name: string,
  clauses: string[],
  options: ServeStaticOptions,
  requests: ReturnType<typeof get>[],
) =>
  scenario({
    name,
    clauses,
    build({ framework, files }) {
      const app = framework();
      app.use('/f', framework.static(files, options));
      app.use((_req, res) => void res.status(404).send('not served'));
      return app;
    },
    requests,
  });

export default [
  served(
    'express.static serves files, redirects folders and passes missing files on',
    [
      'F-2.11-08',
      'F-2.11-10',
      'F-2.11-12',
      'F-2.11-17',
      'F-2.11-20',
      'F-2.11-22',
      'F-2.11-24',
      'F-2.11-28',
      'F-7-07',
    ],
    {},
    [
      get('/f/hello.txt').expect({
        status: 200,
        body: TEXT,
        'content-type': 'text/plain; charset=utf-8',
        etag: /^W\/"13-[0-9a-f]+"$/,
        'last-modified': MODIFIED,
        'cache-control': 'public, max-age=0',
      }),
      head('/f/hello.txt').expect({ status: 200, 'content-length': '19', body: '' }),
      get('/f/hello.txt?x=1').expect({ body: TEXT }),
      get('/f/data.json').expect({ 'content-type': 'application/json; charset=utf-8' }),
      get('/f/folder').expect({ status: 301, location: '/f/folder/' }),
      get('/f/folder/').expect({ body: '<h1>Index of a folder</h1>\n' }),
      get('/f/').expect(NOT_SERVED),
      get('/f').expect({ status: 301, location: '/f/' }),
      get('/f/none.txt').expect(NOT_SERVED),
      get('/f/hello.txt/').expect(NOT_SERVED),
      get('/f/%68ello.txt').expect({ body: TEXT }),
      get('/f/%zz').expect(NOT_SERVED),
      get('/f/..%2fREADME.md').expect(NOT_SERVED),
      raw('GET /f/../README.md HTTP/1.1\r\nHost: parity.test\r\n\r\n').expect(NOT_SERVED),
      get('/f/a%00b').expect(NOT_SERVED),
      post('/f/hello.txt').expect(NOT_SERVED),
    ],
  ),
  scenario({
    name: 'express.static redirects a folder on the same host and escapes the URL in the page',
    clauses: ['F-2.11-24'],
    build({ framework, files }) {
      return framework().use(framework.static(files));
    },
    requests: [
      get('//folder').expect({ status: 301, location: '/folder/' }),
      get('///folder').expect({ status: 301, location: '/folder/' }),
      get("/folder?a='1'&b=<2>").expect({
        location: "/folder/?a='1'&b=%3C2%3E",
        body: /Redirecting to \/folder\/\?a=&#39;1&#39;&amp;b=%3C2%3E</,
      }),
      get('//other.test/folder').expect({ status: 404, location: undefined }),
      get('///folder?x').expect({ location: '/folder/?x' }),
      get('/./folder').expect({ location: '/./folder/' }),
      get('/%66older').expect({ location: '/%66older/' }),
      get('/shelf').expect({ location: '/shelf/' }),
      head('/folder').expect({ status: 301, location: '/folder/' }),
      raw('GET //folder%3Cscript%3E/..%2f../folder HTTP/1.1\r\nHost: x\r\n\r\n').expect({
        location: undefined,
      }),
    ],
  }),
  served(
    'express.static accepts the option maxage in lower case',
    ['F-2.11-23'],
    { maxage: 5000 } as ServeStaticOptions,
    [get('/f/hello.txt').expect({ 'cache-control': 'public, max-age=5' })],
  ),
  served(
    'express.static handles conditional requests and ranges',
    ['F-2.9-11', 'F-2.11-08', 'F-2.11-20'],
    {},
    [
      get('/f/hello.txt', { 'If-Modified-Since': MODIFIED }).expect({ status: 304, body: '' }),
      get('/f/hello.txt', { 'If-None-Match': '*' }).expect({ status: 304 }),
      get('/f/hello.txt', { 'If-Match': '"other"' }).expect({ status: 412 }),
      get('/f/hello.txt', { 'If-Unmodified-Since': 'Thu, 29 Feb 2024 11:00:00 GMT' }).expect({ status: 412 }),
      get('/f/hello.txt', { Range: 'bytes=0-4' }).expect({
        status: 206,
        'content-range': 'bytes 0-4/19',
        body: 'Hello',
      }),
      get('/f/hello.txt', { Range: 'bytes=-3' }).expect({ status: 206, body: 'e.\n' }),
      get('/f/hello.txt', { Range: 'bytes=10-' }).expect({ status: 206, body: ' a file.\n' }),
      get('/f/hello.txt', { Range: 'bytes=0-0,2-3' }).expect({ status: 200, body: TEXT }),
      get('/f/hello.txt', { Range: 'bytes=90-' }).expect({ status: 416, 'content-range': 'bytes */19' }),
      get('/f/hello.txt', { Range: 'bytes=x' }).expect({ status: 200 }),
      get('/f/hello.txt', { Range: 'lines=1-2' }).expect({ status: 200 }),
      get('/f/hello.txt', { Range: 'bytes=0-4', 'If-Range': MODIFIED }).expect({ status: 206 }),
      get('/f/hello.txt', { Range: 'bytes=0-4', 'If-Range': '"other"' }).expect({ status: 200 }),
    ],
  ),
  ...(['allow', 'deny', 'ignore'] as const).map((dotfiles) =>
    served(
      `express.static handles hidden files with dotfiles: ${dotfiles}`,
      [
        'F-2.11-01',
        'F-2.11-02',
        'F-2.11-03',
        'F-2.11-04',
        'F-2.11-05',
        'F-2.11-06',
        'F-2.11-07',
        'F-7-05',
        'F-7-06',
      ],
      { dotfiles },
      [
        get('/f/.hidden').expect(dotfiles === 'allow' ? { status: 200, body: 'Hidden.\n' } : NOT_SERVED),
        get('/f/.folder/inside.txt').expect(dotfiles === 'allow' ? { status: 200 } : NOT_SERVED),
        get('/f/.none').expect(NOT_SERVED),
      ],
    ),
  ),
  served(
    'express.static without fallthrough passes every failure to next as an error',
    ['F-2.11-14', 'F-2.11-15', 'F-2.11-30', 'F-7-08'],
    { fallthrough: false, dotfiles: 'deny' },
    [
      get('/f/none.txt').expect({ status: 404 }),
      get('/f/%zz').expect({ status: 400 }),
      get('/f/.hidden').expect({ status: 403 }),
      post('/f/hello.txt').expect({ status: 405, allow: 'GET, HEAD' }),
    ],
  ),
  served(
    'express.static options change ETag, Last-Modified, Cache-Control and custom headers',
    ['F-2.11-09', 'F-2.11-16', 'F-2.11-21', 'F-2.11-23', 'F-2.11-26'],
    {
      etag: false,
      immutable: true,
      lastModified: false,
      maxAge: '1 day',
      setHeaders: (res, path, stat) => res.setHeader('X-File', `${path.slice(-9)} ${stat.size}`),
    },
    [
      get('/f/hello.txt').expect({
        etag: undefined,
        'last-modified': undefined,
        'x-file': 'hello.txt 19',
        'cache-control': 'public, max-age=86400, immutable',
      }),
    ],
  ),
  served(
    'express.static uses the options index, extensions and redirect',
    ['F-2.11-11', 'F-2.11-18', 'F-2.11-25'],
    { index: ['none.html', 'other.txt'], extensions: ['html', 'txt'], redirect: false },
    [
      get('/f/folder/').expect({ body: 'Other.\n' }),
      get('/f/folder').expect(NOT_SERVED),
      get('/f/hello').expect({ body: TEXT }),
    ],
  ),
  served('express.static sends no index if index is false', ['F-2.11-19'], { index: false }, [
    get('/f/folder/').expect(NOT_SERVED),
  ]),
  scenario({
    name: 'express.static notices that a file was replaced or removed after an earlier response',
    clauses: ['F-2.11-28', 'F-2.11-29'],
    build({ framework, folder }) {
      const path = join(folder, 'changing.txt');
      const become: Readonly<Record<string, () => void>> = {
        short: () => writeFileSync(path, 'short'),
        long: () => writeFileSync(path, 'long '.repeat(40_000)),
        none: () => {},
        folder: () => mkdirSync(path),
        device: () => symlinkSync('/dev/null', path),
      };
      const app = framework();
      app.use('/become', (req, res) => {
        rmSync(path, { recursive: true, force: true });
        become[req.url.slice(1)]?.();
        res.end();
      });
      app.use(framework.static(folder, { etag: false, lastModified: false }));
      return app;
    },
    requests: ['short', 'long', 'short', 'none', 'short', 'folder', 'long', 'device'].flatMap((what) => {
      const [whole, part] = {
        short: [
          { status: 200, body: 'short' },
          { status: 206, body: 'hor' },
        ],
        long: [
          { status: 200, 'content-length': '200000' },
          { status: 206, body: 'ong' },
        ],
        none: [{ status: 404 }, { status: 404 }],
        folder: [{ status: 301 }, { status: 301 }],
        device: [{ status: 200, body: '' }, { status: 416 }],
      }[what] as unknown as [Expected, Expected];
      return [
        get(`/become/${what}`),
        get('/changing.txt').expect(whole),
        get('/changing.txt', { Range: 'bytes=1-3' }).expect(part),
      ];
    }),
  }),
  scenario({
    name: 'express.static closes the connection if a file is truncated while it is sent',
    clauses: ['F-2.11-28'],
    build({ framework, folder }) {
      const path = join(folder, 'truncated.txt');
      const truncate = () => truncateSync(path, 4);
      const app = framework();
      app.use((_req, _res, next) => {
        writeFileSync(path, 'x'.repeat(100));
        next();
      });
      return app.use(framework.static(folder, { etag: false, lastModified: false, setHeaders: truncate }));
    },
    requests: [
      get('/truncated.txt').expect({ body: 'xxxx', outcome: 'closed' }),
      get('/truncated.txt', { Range: 'bytes=2-9' }).expect({ body: 'xx', outcome: 'closed' }),
    ],
    patience: 800,
  }),
  scenario({
    name: 'express.static sends a file, redirects, or calls next, as its options say',
    // biome-ignore format: a table
    clauses: [
      'F-2.11-01', 'F-2.11-04', 'F-2.11-06', 'F-2.11-07', 'F-2.11-10', 'F-2.11-11', 'F-2.11-12',
      'F-2.11-14', 'F-2.11-16', 'F-2.11-18', 'F-2.11-22', 'F-2.11-23', 'F-2.11-25', 'F-2.11-28',
      'F-7-05', 'F-7-06', 'F-8-04',
    ],
    build: ({ framework, files }) =>
      onEachPath(framework, (index) => framework.static(files, OPTIONS[index]?.[0] as never), OPTIONS.length),
    requests: OPTIONS.flatMap(([, rows], index) =>
      rows.map(([target, expected, headers]) => get(`/${index}${target}`, headers).expect(expected)),
    ),
  }),
  scenario({
    name: 'express.static responds to GET and HEAD with ranges and conditions',
    clauses: ['F-2.11-08', 'F-2.11-20', 'F-2.11-28'],
    build: ({ framework, files }) => onEachPath(framework, () => framework.static(files), 1),
    requests: [
      ...CONDITIONS.flatMap(([headers, status]) => [
        get('/0/hello.txt', headers).expect({ status }),
        head('/0/hello.txt', headers).expect({ status }),
      ]),
      get('/0/hello.txt'),
      (seen) =>
        get('/0/hello.txt', { 'If-None-Match': `"x", ${seen.at(-1)?.header('ETag')}` }).expect({
          status: 304,
        }),
      (seen) => get('/0/hello.txt', { 'If-Match': `${seen.at(-1)?.header('ETag')}` }).expect({ status: 200 }),
      (seen) =>
        get('/0/hello.txt', { Range: 'bytes=0-1', 'If-Range': `${seen.at(-1)?.header('ETag')}` }).expect({
          status: 206,
        }),
    ],
  }),
  scenario({
    name: 'express.static looks files up below its mount path, in one root after the other',
    clauses: ['F-2.11-28'],
    build({ framework, files }) {
      const roots = [join(files, 'folder'), files, 'fixtures/files/shelf'];
      return framework().use('/f', ...roots.map((root) => framework.static(root)));
    },
    requests: [
      get('/f/other.txt').expect({ body: 'Other.\n' }),
      get('/f/hello.txt').expect({ body: TEXT }),
      // The root of this file is relative to the working directory.
      get('/f/LICENCE').expect({ status: 200 }),
      get('/f/index.html').expect({ body: '<h1>Index of a folder</h1>\n' }),
      get('/hello.txt').expect({ status: 404 }),
      get('/f').expect({ status: 301 }),
    ],
  }),
  scenario({
    name: 'express.static follows symbolic links, and reads its options for each request',
    clauses: ['F-2.11-22', 'F-2.11-28'],
    build({ framework, files, folder }) {
      symlinkSync(join(files, 'hello.txt'), join(folder, 'link.txt'));
      symlinkSync(join(files, 'none.txt'), join(folder, 'broken.txt'));
      symlinkSync('loop.txt', join(folder, 'loop.txt'));
      const options: ServeStaticOptions = {};
      const frozen = Object.freeze({ dotfiles: 'allow' as const });
      const app = framework();
      app.use(framework.static(folder, options), framework.static(files, frozen));
      options.etag = false;
      app.use((_req, res) => void res.json(options));
      // The message has the path of the folder.
      return app.use(
        ((err, _req, res, _next) => void res.status(err.status).send(err.code)) as ErrorRequestHandler,
      );
    },
    requests: [
      get('/link.txt').expect({ status: 200, body: TEXT, etag: undefined }),
      get('/broken.txt').expect({ json: { etag: false } }),
      get('/.hidden').expect({ body: 'Hidden.\n' }),
      get('/loop.txt').expect({ status: 500, body: 'ELOOP' }),
    ],
  }),
  scenario({
    name: 'express.static throws at creation for an invalid argument, and has the names of serve-static',
    clauses: ['F-2.11-28'],
    build({ framework }) {
      const make = framework.static as unknown as (...args: unknown[]) => CallableFunction;
      return framework().use((_req, res) => {
        const refused = [[''], [7], ['.', { setHeaders: 'no' }]].map((args) => {
          try {
            return make(...args).name;
          } catch (error) {
            return String(error);
          }
        });
        res.json([...refused, ...[make, make('.')].map(({ name, length }) => [name, length])]);
      });
    },
    requests: [
      get('/').expect({
        json: [
          'TypeError: root path required',
          'TypeError: root path must be a string',
          'TypeError: option setHeaders must be function',
          ['serveStatic', 2],
          ['serveStatic', 3],
        ],
      }),
    ],
  }),
  scenario({
    name: 'express.static calls setHeaders with response, path and stat, before it sets its own headers',
    clauses: ['F-2.11-26'],
    build: ({ framework, files }) =>
      framework().use(
        framework.static(files, {
          setHeaders(res, path, stat) {
            res.setHeader('X-File', `${path.slice(files.length)} ${stat.size}`);
            res.setHeader('Cache-Control', 'private');
            res.setHeader('Content-Type', 'text/x-own');
          },
        }),
      ),
    requests: [
      get('/hello.txt').expect({
        'x-file': '/hello.txt 19',
        'cache-control': 'private',
        'content-type': 'text/x-own',
      }),
    ],
  }),
  scenario({
    name: 'express.static calls next if setHeaders throws, and sends no file after a response in setHeaders',
    clauses: ['F-2.11-26'],
    build({ framework, files }) {
      const app = framework();
      const setHeaders = (): void => {
        throw new Error('setHeaders');
      };
      app.use('/thrown', framework.static(files, { setHeaders }));
      app.use('/ended', framework.static(files, { setHeaders: (res) => res.end('early') }));
      return app;
    },
    requests: [
      get('/thrown/hello.txt').expect({ status: 500 }),
      get('/ended/hello.txt').expect({ status: 200 }),
    ],
    env: { NODE_ENV: 'test' },
    patience: 800,
  }),
  scenario({
    name: 'a redirect of express.static leaves the parsed URLs of parseurl on the request',
    clauses: ['F-2.11-24'],
    build({ framework, files, log }) {
      const app = framework();
      app.use('/files', (req, res, next) => {
        res.on('finish', () => {
          const { _parsedUrl, _parsedOriginalUrl } = req as unknown as Record<string, URL & { path: string }>;
          const parsed = [_parsedUrl, _parsedOriginalUrl].flatMap((url) => [url?.pathname, url?.path]);
          log.write(`${JSON.stringify(parsed)}\n`);
        });
        next();
      });
      return app.use('/files', framework.static(files));
    },
    requests: [get('/files/folder?x')],
    expect: ({ log }) => expect(log).to.deep.equal(['["/folder","/folder?x","/files/folder/",null]\n']),
  }),
];
