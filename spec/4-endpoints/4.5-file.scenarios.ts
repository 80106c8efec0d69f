/** Scenarios for res.sendFile() and res.download(). §4.5 */
import { rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import type { RequestHandler } from 'express';
import type { Expected } from '../../parity/client/messages';
import { aborted, get, head, onOneConnection, post } from '../../parity/client/request';
import { expectGets, routes } from '../../parity/scenario/routes';
import { type Kit, scenario } from '../../parity/scenario/scenario';

const MODIFIED = 'Thu, 29 Feb 2024 12:00:00 GMT';

const HELLO = { status: 200, 'content-type': 'text/plain; charset=utf-8', body: 'Hello from a file.\n' };
const PAGE = { status: 200, body: '<!doctype html>\n<title>Shelf</title>\n' };
const REFUSED = { status: 403, body: /ForbiddenError: Forbidden/ };
const MISSING = { status: 404, body: /ENOENT/ };

const ALL = { status: 200, 'content-range': undefined, body: 'abcdefghijklmnopqrstuvwxyz' };
const NONE = { status: 416, 'content-range': 'bytes */26', body: /RangeNotSatisfiableError/ };
const partOf = (range: string, body: string) => ({
  status: 206,
  'content-range': `bytes ${range}/26`,
  'content-length': String(body.length),
  body,
});
/** Each Range with the response for a file of the letters a to z. */
const RANGES: ReadonlyArray<readonly [range: string, expected: Expected]> = [
  ['bytes=0-4', partOf('0-4', 'abcde')],
  ['bytes=20-', partOf('20-25', 'uvwxyz')],
  ['bytes=-5', partOf('21-25', 'vwxyz')],
  ['bytes=0-0', partOf('0-0', 'a')],
  ['bytes=25-25', partOf('25-25', 'z')],
  ['bytes=0-100', partOf('0-25', ALL.body)],
  ['bytes=-100', NONE],
  ['bytes=5-2', NONE],
  ['bytes=26-', NONE],
  ['bytes=100-200', NONE],
  ['bytes=0-1,3-4', ALL],
  ['bytes=0-1,1-4', partOf('0-4', 'abcde')],
  ['bytes=-0', NONE],
  ['items=0-4', ALL],
  ['bytes', ALL],
  ['bytes=', ALL],
  ['bytes=a-b', ALL],
  ['bytes=0-4,', ALL],
  ['BYTES=0-4', ALL],
  ['bytes =0-4', ALL],
  ['bytes=-', ALL],
];

const FRESH = { status: 304, 'last-modified': MODIFIED, 'content-type': undefined, body: '' };
const FAILED = { status: 412, body: /PreconditionFailedError/ };

/** Each path below fixtures/files, with the response of `tell` and what is logged. */
const CALLED_BACK: ReadonlyArray<readonly [path: string, expected: Expected, told: string]> = [
  ['hello.txt', HELLO, 'sent'],
  ['missing.txt', toldOf({ name: 'Error', code: 'ENOENT', status: 404 }), 'ENOENT'],
  ['shelf', toldOf({ name: 'Error', code: 'EISDIR' }), 'EISDIR'],
  ['shelf/', toldOf({ name: 'Error', code: 'ENOENT', status: 404 }), 'ENOENT'],
  ['shelf/empty.txt', { status: 200, 'content-length': '0' }, 'sent'],
  ['shelf/.hidden', toldOf({ name: 'NotFoundError', status: 404 }), 'undefined'],
  ['../package.json', toldOf({ name: 'ForbiddenError', status: 403 }), 'undefined'],
];

function toldOf(error: object): Expected {
  return { status: 200, json: { ...error, headers: ['x-powered-by'] } };
}

const savedAs = (name: string) => ({ ...HELLO, 'content-disposition': `attachment; filename=${name}` });

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
      '/array': (_req, res) => res.sendFile(['/etc'] as never),
      '/surrogate': (_req, res) => res.sendFile('/\ud800'),
      '/nul': (_req, res) => res.sendFile('/a\u0000b'),
      '/text-options': (_req, res) => res.sendFile(join(files, 'hello.txt'), 'text' as never),
    })),
    requests: [
      ...expectGets({
        '/type/page.html': {
          ...PAGE,
          'content-type': 'text/html; charset=utf-8',
          'content-length': '37',
          'accept-ranges': 'bytes',
          'cache-control': 'public, max-age=0',
          'last-modified': MODIFIED,
          etag: /^W\//,
        },
        '/type/data.json': { 'content-type': 'application/json; charset=utf-8', body: '{"a":1}\n' },
        '/type/pixel.png': { 'content-type': 'image/png', 'content-length': '16' },
        '/type/LICENCE': { 'content-type': 'application/octet-stream', body: 'no extension\n' },
        '/type/empty.txt': { 'content-type': 'text/plain; charset=utf-8', 'content-length': '0' },
        '/type/100%25.txt': { 'content-type': 'text/plain; charset=utf-8', body: '%' },
        '/typed': { ...PAGE, 'content-type': 'text/x-own; charset=utf-8' },
        '/status': { ...PAGE, status: 404 },
        '/length': { ...PAGE, 'content-length': '37' },
        '/relative': {
          status: 500,
          body: /TypeError: path must be absolute or specify root to res.sendFile/,
        },
        '/relative-to-here': { status: 500, body: /TypeError: path must be absolute or specify root/ },
        '/nothing': { status: 500, body: /TypeError: path argument is required to res.sendFile/ },
        '/bound': { status: 500, body: /TypeError: path argument is required to res.sendFile/ },
        '/number': { status: 500, body: /TypeError: path must be a string to res.sendFile/ },
        '/surrogate': { status: 500, body: /URIError: URI malformed/ },
        '/nul': { status: 400, body: /BadRequestError: Bad Request/ },
        '/text-options': { status: 500, body: /TypeError/ },
      }),
      head('/type/page.html').expect({ status: 200, 'content-length': '37', body: '' }),
      onOneConnection(get('/type/page.html').expect(PAGE), get('/type/pixel.png')),
      get('/array').expect({ status: 500, body: /TypeError: path must be a string to res.sendFile/ }),
    ],
  }),
  scenario({
    name: 'res.sendFile refuses a path outside of root',
    clauses: ['F-4.5-76', 'F-4.5-80', 'F-4.5-81'],
    build: routes(({ files }) => ({
      '/': (req, res) => res.sendFile(String(req.query.path), { root: join(files, 'shelf') }),
      '/absolute': (_req, res) => res.sendFile(join(files, 'hello.txt'), { root: files }),
    })),
    requests: expectGets({
      '/?path=page.html': PAGE,
      '/?path=inner/../page.html': PAGE,
      '/?path=../hello.txt': REFUSED,
      '/?path=inner/../../hello.txt': REFUSED,
      '/?path=/page.html': PAGE,
      '/?path=//page.html': PAGE,
      '/?path=page.html%00': { status: 400 },
      '/?path=%2e%2e/hello.txt': REFUSED,
      '/?path=..%5Chello.txt': REFUSED,
      '/?path=./page.html': PAGE,
      '/?path=': { status: 500, body: /TypeError: path argument is required to res.sendFile/ },
      '/?path=%25': MISSING,
      '/?path=a%20b': MISSING,
      '/absolute': MISSING,
      '/?path=missing.txt': MISSING,
      '/?path=inner': { status: 404, body: /Cannot GET/ },
      '/?path=inner/': { status: 200, body: '<p>index</p>\n' },
      '/?path=page.html/': { status: 404, body: /ENOTDIR/ },
    }),
  }),
  scenario({
    name: 'res.sendFile responds to Range requests',
    clauses: ['F-2.9-11', 'F-4.5-76'],
    build: routes(letters),
    requests: [
      ...RANGES.map(([range, expected]) => get('/letters', { Range: range }).expect(expected)),
      head('/letters', { Range: 'bytes=0-4' }).expect({ ...partOf('0-4', 'abcde'), body: '' }),
      post('/letters', 'x', { Range: 'bytes=0-4' }).expect({ status: 404 }),
      get('/letters', { Range: 'nonsense' }).expect(ALL),
      get('/letters', { Range: 'bytes=0-4,5-9' }).expect(partOf('0-9', 'abcdefghij')),
    ],
  }),
  scenario({
    name: 'res.sendFile handles conditional requests',
    clauses: ['F-2.9-05', 'F-2.9-11', 'F-4.5-76'],
    build: routes(letters),
    requests: [
      get('/letters').expect(ALL),
      (seen) => get('/letters', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }).expect(FRESH),
      (seen) => head('/letters', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }).expect(FRESH),
      (seen) => get('/letters', { 'If-Match': seen[0]?.header('ETag') ?? '' }).expect(ALL),
      (seen) =>
        get('/letters', { 'If-Range': seen[0]?.header('ETag') ?? '', Range: 'bytes=0-4' }).expect(
          partOf('0-4', 'abcde'),
        ),
      get('/letters', { 'If-None-Match': '*' }).expect(FRESH),
      get('/letters', { 'If-None-Match': '"other"' }).expect(ALL),
      get('/letters', { 'If-Match': '"other"' }).expect(FAILED),
      get('/letters', { 'If-Match': '*' }).expect(ALL),
      get('/letters', { 'If-Modified-Since': MODIFIED }).expect(FRESH),
      get('/letters', { 'If-Modified-Since': 'Thu, 29 Feb 2024 11:59:59 GMT' }).expect(ALL),
      get('/letters', { 'If-Unmodified-Since': MODIFIED }).expect(ALL),
      get('/letters', { 'If-Unmodified-Since': 'Thu, 29 Feb 2024 11:59:59 GMT' }).expect(FAILED),
      get('/letters', { 'If-Range': MODIFIED, Range: 'bytes=0-4' }).expect(partOf('0-4', 'abcde')),
      get('/letters', { 'If-Range': 'Thu, 29 Feb 2024 11:59:59 GMT', Range: 'bytes=0-4' }).expect(ALL),
      get('/letters', { 'If-Range': '"other"', Range: 'bytes=0-4' }).expect(ALL),
      get('/letters', { 'If-None-Match': '*', 'Cache-Control': 'no-cache' }).expect(ALL),
      get('/letters', { 'If-None-Match': '*', Range: 'bytes=0-4' }).expect(FRESH),
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
    requests: expectGets({
      '/off': { ...HELLO, etag: undefined },
      '/strong': { ...HELLO, etag: /^W\// },
      '/own': { ...HELLO, etag: /^W\// },
    }),
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
    requests: expectGets({
      '/missing': MISSING,
      '/directory': { status: 404, body: 'nobody answered /directory' },
      '/too-long': { status: 404, body: /ENAMETOOLONG/ },
      '/not-a-directory': { status: 404, body: /ENOTDIR/ },
      '/download': MISSING,
    }),
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
      for (const [index, [path]] of CALLED_BACK.entries()) {
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
      app.get('/sent-status', (_req, res) => {
        res.write('begun, ');
        res.sendFile(join(files, 'hello.txt'), (err) => {
          res.end(`${(err as { status?: number })?.status} ${res.headersSent}`);
        });
      });
      return app;
    },
    requests: [
      ...CALLED_BACK.flatMap(([, expected], index) => [
        get(`/file/${index}`).expect(expected),
        get(`/download/${index}`).expect(expected),
      ]),
      get('/second').expect(HELLO),
      get('/sent').expect({ body: 'already' }),
      head('/file/0').expect({ status: 200, body: '' }),
      get('/file/0', { Range: 'bytes=99-' }).expect({ body: /"RangeNotSatisfiableError","status":416/ }),
      get('/file/0', { 'If-None-Match': '*' }).expect({ status: 304 }),
      get('/file/0', { 'If-Match': '"other"' }).expect({ body: /"PreconditionFailedError","status":412/ }),
      get('/sent-status').expect({ body: 'begun, 500 true' }),
    ],
    expect: ({ log }) => {
      const each = CALLED_BACK.flatMap(([path, , told]) => [
        `file ${path} ${told}`,
        `download ${path} ${told}`,
      ]);
      expect(log.map((line) => line.trim().split(' ').slice(0, 3).join(' '))).to.include.members(each);
      expect(log.filter((line) => line.startsWith('file hello.txt sent'))).to.have.length(3);
      expect(log).to.have.length(2 * CALLED_BACK.length + 6);
    },
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
    expect: ({ log }) => expect(log).to.deep.equal(['ECONNABORTED Request aborted true\n']),
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
        '/frozen': (_req, res) =>
          res.download(path, Object.freeze({ headers: Object.freeze({ 'X-Own': 'yes' }) }) as never),
        '/inherited': (_req, res) =>
          res.download(path, Object.create({ maxAge: 1000, headers: { 'X-Far': '1' } })),
      };
    }),
    requests: [
      ...expectGets({
        '/path': savedAs('hello.txt'),
        '/path-fn': savedAs('hello.txt'),
        '/name': savedAs('other.html'),
        '/name-fn': savedAs('other.html'),
        '/options': { ...savedAs('hello.txt'), 'x-own': 'yes' },
        '/options-fn': { ...savedAs('hello.txt'), 'x-own': 'yes' },
        '/all': {
          ...HELLO,
          'content-disposition': `attachment; filename="gr?n.txt"; filename*=UTF-8''gr%C3%BCn.txt`,
          'x-own': 'yes',
        },
        '/null-name': savedAs('hello.txt'),
        '/null-name-options': { ...savedAs('hello.txt'), 'x-own': 'yes' },
        '/undefined-name': { ...savedAs('hello.txt'), 'x-own': 'yes' },
        '/false-options': savedAs('other.html'),
        '/text-options': { status: 500, body: /TypeError/ },
        '/object-name': { status: 500, body: /TypeError/ },
        '/fn-then-options': { ...savedAs('hello.txt'), 'x-own': undefined },
        '/path-in-name': savedAs('passwd'),
        '/root': savedAs('hello.txt'),
        '/root-name': savedAs('"a b.txt"'),
        '/root-outside': REFUSED,
        '/relative': savedAs('hello.txt'),
        '/nothing': { status: 500, body: /TypeError/ },
        '/empty': { status: 404, body: /Cannot GET/ },
        '/again': { ...savedAs('hello.txt'), 'content-type': 'image/png' },
        '/inherited': { ...savedAs('hello.txt'), 'x-far': '1', 'cache-control': 'public, max-age=1' },
      }),
      head('/name').expect({ 'content-disposition': 'attachment; filename=other.html', body: '' }),
      get('/frozen').expect({ status: 500, body: /Cannot assign to read only property/ }),
    ],
  }),
  scenario({
    name: 'res.sendFile passes ENOENT to its callback if the file is deleted after stat',
    clauses: ['F-4.5-79'],
    build({ framework, folder }) {
      const path = join(folder, 'gone.txt');
      const app = framework();
      app.get('/', (_req, res) => {
        writeFileSync(path, 'soon gone');
        utimesSync(path, new Date(MODIFIED), new Date(MODIFIED));
        const { setHeader } = res;
        // The package send sets headers after stat and before open.
        res.setHeader = (name, value) => {
          if (name === 'Content-Length') rmSync(path, { force: true });
          return setHeader.call(res, name, value) as typeof res;
        };
        res.sendFile(path, (err?: Error & { code?: string }) => res.send(`${err?.code} ${res.headersSent}`));
      });
      return app;
    },
    requests: [get('/').expect({ body: 'ENOENT false' })],
  }),
  scenario({
    name: 'res.sendFile calls no error handler if the client disconnects or a write fails',
    clauses: ['F-7-21'],
    build({ framework, log, folder }) {
      const path = largeFile(folder);
      const app = framework();
      app.get('/left', (_req, res) => {
        res.on('close', () => setImmediate(() => log.write('left closed\n')));
        res.sendFile(path);
      });
      app.get('/write', (req, res) => {
        res.on('close', () => setImmediate(() => log.write('write closed\n')));
        res.sendFile(path);
        const failure = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' });
        res.once('pipe', () => req.socket.destroy(failure));
      });
      app.get('/before', (req, res) => {
        req.socket.destroy();
        res.on('close', () => {
          res.sendFile(path, (err?: Error & { code?: string }) => log.write(`before ${err?.code}\n`));
        });
      });
      app.use((err: Error, _req: unknown, _res: unknown, next: (err: Error) => void) => {
        log.write(`never ${err}\n`);
        next(err);
      });
      return app;
    },
    requests: [aborted(get('/left'), 'head'), get('/write'), get('/before')],
    expect: ({ log }) =>
      expect(log).to.deep.equal(['left closed\n', 'write closed\n', 'before ECONNABORTED\n']),
  }),
];
