/** Scenarios for express.static(). §2.11 */
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServeStaticOptions } from 'serve-static';
import { get, head, post, raw } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

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
      get('/f/hello.txt'),
      head('/f/hello.txt'),
      get('/f/hello.txt?x=1'),
      get('/f/data.json'),
      get('/f/folder'),
      get('/f/folder/'),
      get('/f/'),
      get('/f'),
      get('/f/none.txt'),
      get('/f/hello.txt/'),
      get('/f/%68ello.txt'),
      get('/f/%zz'),
      get('/f/..%2fREADME.md'),
      raw('GET /f/../README.md HTTP/1.1\r\nHost: parity.test\r\n\r\n'),
      get('/f/a%00b'),
      post('/f/hello.txt'),
    ],
  ),
  scenario({
    name: 'express.static redirects a folder on the same host and escapes the URL in the page',
    clauses: ['F-2.11-24'],
    build({ framework, files }) {
      return framework().use(framework.static(files));
    },
    requests: [get('//folder'), get('///folder'), get("/folder?a='1'&b=<2>"), get('//other.test/folder')],
  }),
  served(
    'express.static accepts the option maxage in lower case',
    ['F-2.11-23'],
    { maxage: 5000 } as ServeStaticOptions,
    [get('/f/hello.txt')],
  ),
  served(
    'express.static handles conditional requests and ranges',
    ['F-2.9-11', 'F-2.11-08', 'F-2.11-20'],
    {},
    [
      get('/f/hello.txt', { 'If-Modified-Since': 'Thu, 29 Feb 2024 12:00:00 GMT' }),
      get('/f/hello.txt', { 'If-None-Match': '*' }),
      get('/f/hello.txt', { 'If-Match': '"other"' }),
      get('/f/hello.txt', { 'If-Unmodified-Since': 'Thu, 29 Feb 2024 11:00:00 GMT' }),
      ...['bytes=0-4', 'bytes=-3', 'bytes=10-', 'bytes=0-0,2-3', 'bytes=90-', 'bytes=x', 'lines=1-2'].map(
        (range) => get('/f/hello.txt', { Range: range }),
      ),
      get('/f/hello.txt', { Range: 'bytes=0-4', 'If-Range': 'Thu, 29 Feb 2024 12:00:00 GMT' }),
      get('/f/hello.txt', { Range: 'bytes=0-4', 'If-Range': '"other"' }),
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
      [get('/f/.hidden'), get('/f/.folder/inside.txt'), get('/f/.none')],
    ),
  ),
  served(
    'express.static without fallthrough passes every failure to next as an error',
    ['F-2.11-14', 'F-2.11-15', 'F-2.11-30', 'F-7-08'],
    { fallthrough: false, dotfiles: 'deny' },
    [get('/f/none.txt'), get('/f/%zz'), get('/f/.hidden'), post('/f/hello.txt')],
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
    [get('/f/hello.txt')],
  ),
  served(
    'express.static uses the options index, extensions and redirect',
    ['F-2.11-11', 'F-2.11-18', 'F-2.11-25'],
    { index: ['none.html', 'other.txt'], extensions: ['html', 'txt'], redirect: false },
    [get('/f/folder/'), get('/f/folder'), get('/f/hello')],
  ),
  served('express.static sends no index if index is false', ['F-2.11-19'], { index: false }, [
    get('/f/folder/'),
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
    requests: ['short', 'long', 'short', 'none', 'short', 'folder', 'long', 'device'].flatMap((what) => [
      get(`/become/${what}`),
      get('/changing.txt'),
      get('/changing.txt', { Range: 'bytes=1-3' }),
    ]),
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
    requests: [get('/truncated.txt'), get('/truncated.txt', { Range: 'bytes=2-9' })],
    patience: 800,
  }),
];
