/** Scenarios for the middleware directory and static of Express 3. §9.3 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { get, head, post } from '../../parity/client/request';
import { express3Scenario } from '../../parity/scenario/scenario';
import { outcomeOf } from '../support/outcome';

const AS_JSON = { Accept: 'application/json' };

/** Creates a folder with files only, because versions of serve-index list files and folders in different orders. */
function fill(folder: string): string {
  const root = join(folder, 'listed');
  mkdirSync(root, { recursive: true });
  for (const name of ['.hidden', 'a.txt', 'b.js', 'z.png']) writeFileSync(join(root, name), name);
  return root;
}

export default [
  express3Scenario({
    name: 'directory lists names as JSON and text, and omits hidden files by default',
    clauses: ['F-9.3-118', 'F-9.3-120'],
    build({ framework, folder }) {
      const app = framework();
      app.use('/all', framework.directory(fill(folder), { hidden: true }));
      app.use(framework.directory(fill(folder)));
      return app;
    },
    requests: [
      get('/', AS_JSON).expect({ json: ['a.txt', 'b.js', 'z.png'] }),
      get('/', { Accept: 'text/plain' }).expect({ body: 'a.txt\nb.js\nz.png\n' }),
      get('/all', AS_JSON).expect({ json: ['.hidden', 'a.txt', 'b.js', 'z.png'] }),
      get('/none', AS_JSON).expect({ status: 404 }),
      get('/', { Accept: 'image/png' }),
      post('/'),
    ],
  }),
  express3Scenario({
    name: 'directory lists the files that its filter accepts',
    clauses: ['F-9.3-122'],
    build({ framework, folder }) {
      const app = framework();
      app.use(framework.directory(fill(folder), { filter: (name) => name.endsWith('.txt') }));
      return app;
    },
    requests: [get('/', AS_JSON).expect({ json: ['a.txt'] })],
  }),
  express3Scenario({
    name: 'directory sends a page, with icons if the option icons is set',
    clauses: ['F-9.3-119', 'F-9.3-121'],
    build({ framework, folder }) {
      const app = framework();
      // The default page differs between versions of serve-index, so this template contains only the path and the
      // files.
      const template = join(folder, 'page.html');
      writeFileSync(template, '{directory} {files}');
      const stylesheet = join(folder, 'none.css');
      writeFileSync(stylesheet, '');
      const root = fill(folder);
      app.use((_req, res, next) => {
        const { end } = res;
        res.end = ((page: string | Buffer) => {
          const list = String(page).replace(/<span class="date">[^<]*/g, '<span class="date">');
          res.setHeader('Content-Length', Buffer.byteLength(list));
          return end.call(res, list, 'utf8', () => {});
        }) as typeof res.end;
        next();
      });
      app.use('/icons', framework.directory(root, { icons: true, template, stylesheet }));
      app.use(framework.directory(root, { template, stylesheet }));
      return app;
    },
    requests: [
      get('/', { Accept: 'text/html' }).expect({
        'content-type': /^text\/html/,
        body: /<a href="\/a\.txt" class=""/,
      }),
      get('/icons/', { Accept: 'text/html' }).expect({ body: /<a href="\/icons\/a\.txt" class="icon / }),
    ],
  }),
  express3Scenario({
    name: 'static serves files and handles conditional requests and ranges',
    clauses: ['F-9.3-125'],
    build({ framework, files }) {
      const app = framework();
      app.use('/held', framework.static(files, { maxAge: 60_000 }));
      app.use(framework.static(files));
      app.get('/none', (_req, res) => res.send('next'));
      return app;
    },
    requests: [
      get('/hello.txt').expect({ status: 200, 'cache-control': 'public, max-age=0' }),
      head('/hello.txt'),
      get('/held/hello.txt').expect({ status: 200, 'cache-control': 'public, max-age=60' }),
      (seen) => get('/hello.txt', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }),
      get('/hello.txt', { Range: 'bytes=0-3' }),
      get('/hello.txt', { Range: 'bytes=90-' }),
      get('/none'),
      get('/..%2fpackage.json'),
      get('/hello.txt', { Range: 'items=0-1' }),
    ],
  }),
  express3Scenario({
    name: 'static redirects a directory to its path with a slash',
    clauses: ['F-9.3-125'],
    build({ framework, files }) {
      const app = framework();
      app.use(framework.static(files));
      return app;
    },
    requests: [get('/folder')],
  }),
  express3Scenario({
    name: 'static serves hidden files with the option hidden, and nothing in a hidden folder',
    clauses: ['F-9.3-125'],
    build({ framework, folder }) {
      mkdirSync(join(folder, '.git'), { recursive: true });
      writeFileSync(join(folder, '.git', 'config'), 'secret');
      writeFileSync(join(folder, '.hidden'), 'hidden');
      const app = framework();
      app.use('/all', framework.static(folder, { hidden: true, etag: false, lastModified: false }));
      app.use(framework.static(folder, { etag: false, lastModified: false }));
      return app;
    },
    requests: [
      get('/.hidden').expect({ status: 404 }),
      get('/all/.hidden').expect({ status: 200 }),
      get('/.git/config').expect({ status: 404 }),
    ],
    expect: ({ deprecations }) =>
      expect(deprecations).to.deep.equal(["send: hidden: use dotfiles: 'allow' instead"]),
  }),
  express3Scenario({
    name: 'static and directory throw without a root',
    clauses: ['F-9.3-118', 'F-9.3-125'],
    build({ framework }) {
      const outcomes = [framework.static, framework.directory].map((make) => outcomeOf(() => make('')));
      return framework().use((_req, res) => res.send(outcomes));
    },
    requests: [get('/').expect({ body: /TypeError: root path required.*TypeError: /s })],
  }),
];
