/** Scenarios for res.sendfile() and res.download() of Express 3. §9.3 */
import { join, relative } from 'node:path';
import { get, head, post } from '../../parity/client/request';
import { expectGets } from '../../parity/scenario/routes';
import { express3Scenario } from '../../parity/scenario/scenario';

export default [
  express3Scenario({
    name: 'res.sendfile sends a file, or passes the error to its callback or next',
    clauses: ['F-9.3-87', 'F-9.3-88', 'F-9.3-89', 'F-9.3-90'],
    build({ framework, files }) {
      const app = framework();
      const told: string[] = [];
      const hello = join(files, 'hello.txt');
      app.get('/absolute', (_req, res) => res.sendfile(hello));
      app.get('/relative', (_req, res) => res.sendfile(relative(process.cwd(), hello)));
      app.get('/root', (_req, res) => res.sendfile('shelf/page.html', { root: files }));
      app.get('/age', (_req, res) => res.sendfile(hello, { maxAge: 3600000 }));
      app.get('/type', (_req, res) => {
        res.set('Content-Type', 'text/x-own');
        res.sendfile(hello);
      });
      app.get('/status', (_req, res) => {
        res.status(202);
        res.sendfile(hello);
      });
      app.get('/callback', (_req, res) => res.sendfile(hello, (err) => told.push(`sent ${String(err)}`)));
      app.get('/both', (_req, res) =>
        res.sendfile('data.json', { root: files }, (err) => told.push(`sent ${String(err)}`)),
      );
      app.get('/missing', (_req, res) => res.sendfile(join(files, 'none.txt')));
      app.get('/missed', (_req, res) =>
        res.sendfile(join(files, 'none.txt'), (err) => res.send(err.status, 'told')),
      );
      app.get('/up', (_req, res) => res.sendfile('../hello.txt', { root: join(files, 'shelf') }));
      app.get('/folder', (_req, res) => res.sendfile(files));
      app.get('/escaped', (_req, res) => res.sendfile(join(files, 'hello%2Etxt')));
      app.get('/malformed', (_req, res) => res.sendfile(join(files, 'shelf', '100%.txt')));
      app.get('/told', (_req, res) => res.send(told));
      return app;
    },
    requests: expectGets({
      '/absolute': {
        status: 200,
        'content-type': 'text/plain; charset=UTF-8',
        'cache-control': 'public, max-age=0',
      },
      '/relative': { status: 200 },
      '/root': { status: 200, 'content-type': 'text/html; charset=UTF-8' },
      '/age': { status: 200, 'cache-control': 'public, max-age=3600' },
      '/type': { 'content-type': 'text/x-own' },
      '/status': { status: 202 },
      '/callback': { status: 200 },
      '/both': { status: 200 },
      '/missing': { status: 404 },
      '/missed': { status: 404, body: 'told' },
      '/up': { status: 403 },
      '/folder': { status: 404 },
      '/escaped': {},
      '/malformed': {},
      '/told': { json: ['sent undefined', 'sent undefined'] },
    }),
  }),
  express3Scenario({
    name: 'res.sendfile handles Range and conditional requests',
    clauses: ['F-9.3-87', 'F-9.3-91'],
    build({ framework, files }) {
      const app = framework();
      app.all('/', (_req, res) => res.sendfile(join(files, 'hello.txt')));
      return app;
    },
    requests: [
      get('/').expect({ status: 200 }),
      head('/'),
      (seen) => get('/', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }).expect({ status: 304 }),
      (seen) => get('/', { 'If-Modified-Since': seen[0]?.header('Last-Modified') ?? '' }),
      get('/', { Range: 'bytes=0-1' }),
      get('/', { Range: 'bytes=-2' }),
      get('/', { Range: 'bytes=999-' }),
      get('/', { 'If-Match': '"other"' }).expect({ status: 200 }),
      get('/', { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' }).expect({ status: 200 }),
      post('/', ''),
    ],
  }),
  express3Scenario({
    name: 'res.sendfile reads malformed ranges, and ranges of any unit, as req.range does',
    clauses: ['F-9.3-87'],
    build({ framework, files }) {
      const app = framework();
      app.get('/', (_req, res) => res.sendfile(join(files, 'hello.txt')));
      app.get('/part', (_req, res) => res.sendfile('hello.txt', { root: files, start: 1, end: 3 } as object));
      return app;
    },
    requests: [
      get('/', { Range: 'bytes=a-b' }).expect({ status: 416 }),
      get('/', { Range: 'bytes=0-1,a' }).expect({ status: 416 }),
      get('/', { Range: 'bytes=-0' }).expect({ status: 416 }),
      get('/', { Range: 'bytes=0-1,2-3' }).expect({ status: 200 }),
      get('/', { Range: 'items=0-1' }).expect({ status: 206, body: 'He' }),
      get('/', { Range: 'BYTES=1' }).expect({ status: 206 }),
      get('/', { Range: 'bytes=0x1-0x2' }).expect({ status: 206, body: 'H' }),
      get('/', { Range: 'bytes' }).expect({ status: 200 }),
      get('/part', { Range: 'bytes=1-9' }).expect({ status: 206, body: 'll' }),
    ],
  }),
  express3Scenario({
    name: 'res.sendfile hides a file whose name begins with a dot, but not files in such a folder',
    clauses: ['F-9.3-87'],
    build({ framework, files }) {
      const app = framework();
      app.get('/file', (_req, res) => res.sendfile('.hidden', { root: join(files, 'shelf') }));
      app.get('/asked', (_req, res) => res.sendfile('.none', { root: files, hidden: true }));
      return app;
    },
    requests: [get('/file').expect({ status: 404 }), get('/asked')],
  }),
  express3Scenario({
    name: 'res.sendfile sends a hidden file if hidden is true, and tells its callback the code of an error',
    clauses: ['F-9.3-87', 'F-9.3-90'],
    alone: true,
    build({ framework, files }) {
      const app = framework();
      app.get('/hidden', (_req, res) =>
        res.sendfile('.hidden', { root: join(files, 'shelf'), hidden: true }),
      );
      app.get('/missed', (_req, res) => res.sendfile('/none', (err) => res.send(200, `told ${err.code}`)));
      return app;
    },
    requests: [get('/hidden').expect({ status: 200 }), get('/missed').expect({ body: 'told ENOENT' })],
  }),
  express3Scenario({
    name: 'res.download sends the name of the file or a given name',
    clauses: ['F-9.3-92'],
    build({ framework, files }) {
      const app = framework();
      const told: string[] = [];
      const hello = join(files, 'hello.txt');
      app.get('/own', (_req, res) => res.download(hello));
      app.get('/other', (_req, res) => res.download(hello, 'report 2013.txt'));
      app.get('/callback', (_req, res) => res.download(hello, (err) => told.push(`sent ${String(err)}`)));
      app.get('/both', (_req, res) =>
        res.download(hello, 'x.bin', (err) => told.push(`sent ${String(err)}`)),
      );
      app.get('/missing', (_req, res) => res.download(join(files, 'none.txt')));
      app.get('/missed', (_req, res) => {
        res.download(join(files, 'none.txt'), 'x', () =>
          res.send(404, String(res.get('Content-Disposition'))),
        );
      });
      app.get('/told', (_req, res) => res.send(told));
      return app;
    },
    requests: expectGets({
      '/own': { 'content-disposition': 'attachment; filename="hello.txt"' },
      '/other': { 'content-disposition': 'attachment; filename="report 2013.txt"' },
      '/callback': { status: 200 },
      '/both': { 'content-disposition': 'attachment; filename="x.bin"' },
      '/missing': { status: 404 },
      '/missed': { status: 404, body: 'undefined' },
      '/told': { json: ['sent undefined', 'sent undefined'] },
    }),
  }),
];
