/** Scenarios for res.sendFile() and res.download(). §4.5 */
import { truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { RequestHandler } from 'express';
import { aborted, get, head, onOneConnection, post } from '../../parity/client/request';
import { gets, routes } from '../../parity/scenario/routes';
import { type Kit, scenario } from '../../parity/scenario/scenario';

const MODIFIED = 'Thu, 29 Feb 2024 12:00:00 GMT';

/** The route `/letters`, which sends a file with the 26 letters of the alphabet. */
const letters = ({ files }: Kit): Record<string, RequestHandler> => ({
  '/letters': (_req, res) => res.sendFile(join(files, 'shelf/letters.txt')),
});

/** Creates a callback for `sendFile` and `download` that responds with the error, or with `sent`. */
const tell = (res: Parameters<RequestHandler>[1]) => (err?: Error & { code?: string; status?: number }) => {
  if (res.headersSent) return;
  res.json(
    err ? { name: err.name, code: err.code, status: err.status, headers: res.getHeaderNames() } : 'sent',
  );
};

/** Writes a file of 64 MB, more than fits in socket buffers, so that the client can disconnect before the end. */
function largeFile(folder: string): string {
  const path = join(folder, 'large.bin');
  writeFileSync(path, '');
  truncateSync(path, 64 * 1024 * 1024);
  utimesSync(path, new Date(MODIFIED), new Date(MODIFIED));
  return path;
}

export default [
  scenario({
    name: 'res.sendFile sends a file with the type of its extension',
    clauses: ['F-4.5-76', 'F-4.5-77'],
    build: routes(({ files }) => ({
      '/type/:name': (req, res) => res.sendFile(join(files, 'shelf', String(req.params.name))),
      '/typed': (_req, res) => res.type('text/x-own').sendFile(join(files, 'shelf/page.html')),
      '/status': (_req, res) => res.status(404).sendFile(join(files, 'shelf/page.html')),
      '/length': (_req, res) => res.set('Content-Length', '3').sendFile(join(files, 'shelf/page.html')),
      '/relative': (_req, res) => res.sendFile('shelf/page.html'),
      '/relative-to-here': (_req, res) => res.sendFile(relative(process.cwd(), join(files, 'hello.txt'))),
      '/nothing': (_req, res) => (res.sendFile as () => void)(),
      '/bound': (_req, res) => res.sendFile(undefined as never),
      '/number': (_req, res) => res.sendFile(7 as never),
      '/surrogate': (_req, res) => res.sendFile('/\ud800'),
      '/nul': (_req, res) => res.sendFile('/a\u0000b'),
      '/text-options': (_req, res) => res.sendFile(join(files, 'hello.txt'), 'text' as never),
    })),
    requests: [
      ...gets(
        ...['page.html', 'data.json', 'pixel.png', 'LICENCE', 'empty.txt', '100%25.txt'].map(
          (n) => `/type/${n}`,
        ),
      ),
      ...gets(
        '/typed',
        '/status',
        '/length',
        '/relative',
        '/relative-to-here',
        '/nothing',
        '/bound',
        '/number',
      ),
      ...gets('/surrogate', '/nul', '/text-options'),
      head('/type/page.html'),
      onOneConnection(get('/type/page.html'), get('/type/pixel.png')),
    ],
  }),
  scenario({
    name: 'res.sendFile refuses a path outside of root',
    clauses: ['F-4.5-76', 'F-4.5-80', 'F-4.5-81'],
    build: routes(({ files }) => ({
      '/': (req, res) => res.sendFile(String(req.query.path), { root: join(files, 'shelf') }),
      '/absolute': (_req, res) => res.sendFile(join(files, 'hello.txt'), { root: files }),
    })),
    requests: [
      ...gets(
        '/?path=page.html',
        '/?path=inner/../page.html',
        '/?path=../hello.txt',
        '/?path=inner/../../hello.txt',
      ),
      ...gets('/?path=/page.html', '/?path=//page.html', '/?path=page.html%00', '/?path=%2e%2e/hello.txt'),
      ...gets(
        '/?path=..%5Chello.txt',
        '/?path=./page.html',
        '/?path=',
        '/?path=%25',
        '/?path=a%20b',
        '/absolute',
      ),
      ...gets('/?path=missing.txt', '/?path=inner', '/?path=inner/', '/?path=page.html/'),
    ],
  }),
  scenario({
    name: 'res.sendFile responds to Range requests',
    clauses: ['F-2.9-11', 'F-4.5-76'],
    build: routes(letters),
    requests: [
      ...[
        '0-4',
        '20-',
        '-5',
        '0-0',
        '25-25',
        '0-100',
        '-100',
        '5-2',
        '26-',
        '100-200',
        '0-1,3-4',
        '0-1,1-4',
        '-0',
      ].map((range) => get('/letters', { Range: `bytes=${range}` })),
      ...[
        'items=0-4',
        'bytes',
        'bytes=',
        'bytes=a-b',
        'bytes=0-4,',
        'BYTES=0-4',
        'bytes =0-4',
        'bytes=-',
      ].map((range) => get('/letters', { Range: range })),
      head('/letters', { Range: 'bytes=0-4' }),
      post('/letters', 'x', { Range: 'bytes=0-4' }),
    ],
  }),
  scenario({
    name: 'res.sendFile handles conditional requests',
    clauses: ['F-2.9-05', 'F-2.9-11', 'F-4.5-76'],
    build: routes(letters),
    requests: [
      get('/letters'),
      (seen) => get('/letters', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }),
      (seen) => head('/letters', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }),
      (seen) => get('/letters', { 'If-Match': seen[0]?.header('ETag') ?? '' }),
      (seen) => get('/letters', { 'If-Range': seen[0]?.header('ETag') ?? '', Range: 'bytes=0-4' }),
      get('/letters', { 'If-None-Match': '*' }),
      get('/letters', { 'If-None-Match': '"other"' }),
      get('/letters', { 'If-Match': '"other"' }),
      get('/letters', { 'If-Match': '*' }),
      get('/letters', { 'If-Modified-Since': MODIFIED }),
      get('/letters', { 'If-Modified-Since': 'Thu, 29 Feb 2024 11:59:59 GMT' }),
      get('/letters', { 'If-Unmodified-Since': MODIFIED }),
      get('/letters', { 'If-Unmodified-Since': 'Thu, 29 Feb 2024 11:59:59 GMT' }),
      get('/letters', { 'If-Range': MODIFIED, Range: 'bytes=0-4' }),
      get('/letters', { 'If-Range': 'Thu, 29 Feb 2024 11:59:59 GMT', Range: 'bytes=0-4' }),
      get('/letters', { 'If-Range': '"other"', Range: 'bytes=0-4' }),
      get('/letters', { 'If-None-Match': '*', 'Cache-Control': 'no-cache' }),
      get('/letters', { 'If-None-Match': '*', Range: 'bytes=0-4' }),
    ],
  }),
  scenario({
    name: 'res.sendFile follows the setting etag',
    clauses: ['F-4.5-76'],
    build({ framework, files }) {
      const app = framework();
      for (const [name, etag] of Object.entries({ off: false, strong: 'strong', own: () => '"mine"' })) {
        const sub = framework();
        sub.set('etag', etag);
        sub.get('/', (_req, res) => res.sendFile(join(files, 'hello.txt'), { etag: name === 'off' }));
        app.use(`/${name}`, sub);
      }
      return app;
    },
    requests: gets('/off', '/strong', '/own'),
  }),
  scenario({
    name: 'res.sendFile passes an error to next without a callback',
    clauses: ['F-4.5-79', 'F-4.5-81', 'F-7-20'],
    build({ framework, files }) {
      const app = framework();
      app.get('/missing', (_req, res) => res.sendFile(join(files, 'missing.txt')));
      app.get('/directory', (_req, res) => res.sendFile(join(files, 'shelf')));
      app.get('/too-long', (_req, res) => res.sendFile(`/${'a'.repeat(5000)}`));
      app.get('/not-a-directory', (_req, res) => res.sendFile(join(files, 'hello.txt/inside')));
      app.get('/download', (_req, res) => res.download(join(files, 'missing.txt')));
      app.use((req, res) => void res.status(404).send(`nobody answered ${req.path}`));
      return app;
    },
    requests: gets('/missing', '/directory', '/too-long', '/not-a-directory', '/download'),
  }),
  scenario({
    name: 'res.sendFile and res.download call their callback once, on success or failure',
    clauses: ['F-4.5-22', 'F-4.5-23', 'F-4.5-78', 'F-4.5-79', 'F-7-20'],
    build({ framework, files, log }) {
      const app = framework();
      const logged = (name: string, res: Parameters<typeof tell>[0]) => (err?: Error & { code?: string }) => {
        log.write(
          `${name} ${err ? `${err.code} ${err.message.replace(files, '')}` : 'sent'} ${res.headersSent}\n`,
        );
        tell(res)(err);
      };
      const paths = [
        'hello.txt',
        'missing.txt',
        'shelf',
        'shelf/',
        'shelf/empty.txt',
        'shelf/.hidden',
        '../package.json',
      ];
      for (const [index, path] of paths.entries()) {
        app.get(`/file/${index}`, (_req, res) =>
          res.sendFile(path, { root: files }, logged(`file ${path}`, res)),
        );
        app.get(`/download/${index}`, (_req, res) => {
          res.download(path, 'name.txt', { root: files }, logged(`download ${path}`, res));
        });
      }
      app.get('/second', (_req, res) => res.sendFile(join(files, 'hello.txt'), logged('second', res)));
      app.get('/sent', (_req, res) => {
        res.write('already');
        res.sendFile(join(files, 'hello.txt'), (err) => {
          log.write(`sent ${err}\n`);
          res.end();
        });
      });
      return app;
    },
    requests: [
      ...[0, 1, 2, 3, 4, 5, 6].flatMap((index) => gets(`/file/${index}`, `/download/${index}`)),
      ...gets('/second', '/sent'),
      head('/file/0'),
      get('/file/0', { Range: 'bytes=99-' }),
      get('/file/0', { 'If-None-Match': '*' }),
      get('/file/0', { 'If-Match': '"other"' }),
    ],
  }),
  scenario({
    name: 'res.sendFile reports a disconnected client to its callback, and res.download does not call next',
    clauses: ['F-7-21', 'F-4.5-78'],
    build({ framework, log, folder }) {
      const path = largeFile(folder);
      const app = framework();
      app.get('/callback', (_req, res) => {
        res.sendFile(path, (err) => {
          log.write(`${(err as NodeJS.ErrnoException).code} ${err?.message} ${res.headersSent}\n`);
        });
      });
      app.get('/next', (_req, res) => res.download(path));
      app.use((err: Error, _req: unknown, _res: unknown, next: (err: Error) => void) => {
        log.write(`never ${err}\n`);
        next(err);
      });
      return app;
    },
    requests: [
      aborted(get('/callback', { Range: 'bytes=0-60000000' }), 'head'),
      aborted(get('/next', { Range: 'bytes=0-60000000' }), 'head'),
    ],
  }),
  scenario({
    name: 'res.download sends the file name with each form of its arguments',
    clauses: ['F-4.5-16', 'F-4.5-17', 'F-4.5-18', 'F-4.5-19', 'F-4.5-20', 'F-4.5-21', 'F-2.9-22'],
    build: routes(({ files }) => {
      const path = join(files, 'hello.txt');
      const own = { headers: { 'X-Own': 'yes', 'content-disposition': 'inline' } };
      return {
        '/path': (_req, res) => res.download(path),
        '/path-fn': (_req, res) => res.download(path, tell(res)),
        '/name': (_req, res) => res.download(path, 'other.html'),
        '/name-fn': (_req, res) => res.download(path, 'other.html', tell(res)),
        '/options': (_req, res) => res.download(path, own as never),
        '/options-fn': (_req, res) => res.download(path, own as never, tell(res)),
        '/all': (_req, res) => res.download(path, 'grün.txt', own, tell(res)),
        '/null-name': (_req, res) => res.download(path, null as never, tell(res)),
        '/null-name-options': (_req, res) => res.download(path, null as never, own),
        '/undefined-name': (_req, res) => res.download(path, undefined as never, own),
        '/false-options': (_req, res) => res.download(path, 'other.html', false as never),
        '/text-options': (_req, res) => res.download(path, 'other.html', 'text' as never),
        '/object-name': (_req, res) => res.download(path, own as never, null as never),
        '/fn-then-options': (_req, res) =>
          (res.download as (...all: unknown[]) => void)(path, tell(res), own),
        '/path-in-name': (_req, res) => res.download(path, '../../etc/passwd'),
        '/root': (_req, res) => res.download('hello.txt', { root: files } as never),
        '/root-name': (_req, res) => res.download('hello.txt', 'a b.txt', { root: files }),
        '/root-outside': (_req, res) => res.download('../package.json', 'a.txt', { root: files }),
        '/relative': (_req, res) => res.download(relative(process.cwd(), path)),
        '/nothing': (_req, res) => res.download(undefined as never),
        '/empty': (_req, res) => res.download(''),
        '/again': (_req, res) => res.attachment('first.png').download(path),
        '/inherited': (_req, res) =>
          res.download(path, Object.create({ maxAge: 1000, headers: { 'X-Far': '1' } })),
      };
    }),
    requests: [
      ...gets('/path', '/path-fn', '/name', '/name-fn', '/options', '/options-fn', '/all', '/null-name'),
      ...gets('/null-name-options', '/undefined-name', '/false-options', '/text-options', '/object-name'),
      ...gets(
        '/fn-then-options',
        '/path-in-name',
        '/root',
        '/root-name',
        '/root-outside',
        '/relative',
        '/nothing',
      ),
      ...gets('/empty', '/again', '/inherited'),
      head('/name'),
    ],
  }),
];
