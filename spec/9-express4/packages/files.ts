/** Requests for files: `express.static`, `res.sendFile`, `res.sendfile` and `res.download`. */
import { join } from 'node:path';
import fc from 'fast-check';
import type express4 from 'nozomi/4';
import { type Area, application, calling, draw, drawn, type Headers, hit, showError, values } from './cases';

const OPTIONS: Readonly<Record<string, object>> = {
  plain: {},
  deny: { dotfiles: 'deny' },
  allow: { dotfiles: 'allow' },
  ignore: { dotfiles: 'ignore' },
  hidden: { hidden: true },
  extensions: { extensions: ['txt', 'html'] },
  'no-index': { index: false },
  index: { index: ['none.html', 'index.html'] },
  'no-redirect': { redirect: false },
  strict: { fallthrough: false },
  cached: { maxAge: '1d', immutable: true, etag: false, lastModified: false },
  bare: { cacheControl: false, acceptRanges: false },
  ...Object.fromEntries(
    [...values('maxAge'), 1.5, -1, Number.NaN, 1e12].map((maxAge, index) => [`age-${index}`, { maxAge }]),
  ),
};

const MOUNTS = Object.keys(OPTIONS).filter((name) => !name.startsWith('age-'));
const AGES = Object.keys(OPTIONS).filter((name) => name.startsWith('age-'));
const CALLS = ['send', 'sendfile', 'download', 'callback'];

/** Random options of `res.sendFile`, with the headers of a request. */
const COMBINED = draw(
  fc.record({
    options: fc.record(
      {
        maxAge: fc.constantFrom<string | number>(...values('maxAge'), 0, 1.5),
        immutable: fc.boolean(),
        lastModified: fc.boolean(),
        etag: fc.boolean(),
        cacheControl: fc.boolean(),
        acceptRanges: fc.boolean(),
        dotfiles: fc.constantFrom('allow', 'deny', 'ignore', 'x', undefined),
        hidden: fc.boolean(),
        start: fc.constantFrom(0, 1, 3, 4, 9),
        end: fc.constantFrom(0, 1, 3, 4, 9),
        headers: fc.constantFrom({ 'X-A': 'b' }, { ETag: '"a"' }, { 'Content-Type': 'a/b' }, {}),
      },
      { requiredKeys: [] },
    ),
    headers: fc.record(
      {
        range: fc.constantFrom(...values('range')),
        'if-range': fc.constantFrom('"a"', 'W/"4-18df4bc5600"', 'Thu, 29 Feb 2024 12:00:00 GMT', 'x'),
        'if-none-match': fc.constantFrom('*', 'W/"4-18df4bc5600"', '"4-18df4bc5600"', '"a"'),
        'if-match': fc.constantFrom('*', 'W/"4-18df4bc5600"', '"4-18df4bc5600"', '"a"'),
        'if-modified-since': fc.constantFrom('Thu, 29 Feb 2024 12:00:00 GMT', ...values('if-modified-since')),
        'if-unmodified-since': fc.constantFrom(
          'Thu, 29 Feb 2024 12:00:00 GMT',
          ...values('if-modified-since'),
        ),
      },
      { requiredKeys: [] },
    ),
    path: fc.constantFrom('a.txt', '.hidden', 'dir', 'none', '.dir/x', 'a.js'),
    method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST'),
    member: fc.constantFrom('sendFile', 'sendFile', 'sendfile', 'download'),
  }),
  400,
);

/** @param root A folder with files and folders, some of them hidden. */
export function fileArea(root: string): Area {
  return {
    packages: 'send, serve-static, ms, mime',
    build(framework) {
      const app = application(framework);
      for (const [name, options] of Object.entries(OPTIONS)) {
        const setHeaders = (res: express4.Response, path: string): unknown =>
          res.set('X-Path', path.slice(root.length));
        app.use(`/${name}`, framework.static(root, { setHeaders, ...options }));
        app.use(`/sent-${name}`, (_req, res) => res.sendFile('a.txt', { root, ...options }));
      }
      app.use('/send', (req, res) => res.sendFile(decodeURIComponent(req.path), { root }));
      app.use('/sendfile', (req, res) => res.sendfile(req.path, { root, dotfiles: 'deny' }));
      app.use('/download', (req, res) => res.download(root + decodeURIComponent(req.path), 'é".txt'));
      app.use('/callback', (req, res) => {
        const options = { maxAge: 5, headers: { 'X-A': 'b' }, dotfiles: 'allow' } as const;
        res.sendFile(root + decodeURIComponent(req.path), options, (err) => {
          if (err && !res.headersSent) res.status(409).end(`${err.message} ${Reflect.get(err, 'code')}`);
        });
      });
      app.use('/combined/:index', (req, res) => {
        const { member, path, options } = COMBINED[Number(req.params.index)] ?? {};
        if (member === 'download') res.download(join(root, `${path}`), 'name', options as object);
        else calling(`${member}`, path, { root, ...options })(req, res);
      });
      app.use((_req, res) => res.status(404).end('no file'));
      app.use(showError);
      return app;
    },
    requests: [
      ...[...MOUNTS, ...CALLS].flatMap((mount) => values('path').map((path) => hit(`/${mount}${path}`))),
      ...drawn(values('pieces of path'), 120).flatMap((path) =>
        ['plain', 'strict', 'deny', 'extensions', 'send'].map((mount) => hit(`/${mount}/${path}`)),
      ),
      ...COMBINED.map(({ method, headers }, index) => hit(`/combined/${index}`, headers as Headers, method)),
      ...AGES.flatMap((mount) => [hit(`/${mount}/a.txt`), hit(`/sent-${mount}/`)]),
      ...['HEAD', 'POST', 'OPTIONS', 'PUT'].flatMap((method) =>
        ['plain', 'strict', 'send', 'download'].flatMap((mount) =>
          ['/a.txt', '/none', '/dir'].map((path) => hit(`/${mount}${path}`, {}, method)),
        ),
      ),
    ],
  };
}
