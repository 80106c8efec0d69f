/** Requests for files: `express.static`, `res.sendFile`, `res.sendfile` and `res.download`. */
import type express4 from 'nozomi/4';
import { type Area, application, drawn, hit, showError, values } from './cases';

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
      app.use((_req, res) => res.status(404).end('no file'));
      app.use(showError);
      return app;
    },
    requests: [
      ...[...MOUNTS, ...CALLS].flatMap((mount) => values('path').map((path) => hit(`/${mount}${path}`))),
      ...drawn(values('pieces of path'), 120).flatMap((path) =>
        ['plain', 'strict', 'deny', 'extensions', 'send'].map((mount) => hit(`/${mount}/${path}`)),
      ),
      ...AGES.flatMap((mount) => [hit(`/${mount}/a.txt`), hit(`/sent-${mount}/`)]),
      ...['HEAD', 'POST', 'OPTIONS', 'PUT'].flatMap((method) =>
        ['plain', 'strict', 'send', 'download'].flatMap((mount) =>
          ['/a.txt', '/none', '/dir'].map((path) => hit(`/${mount}${path}`, {}, method)),
        ),
      ),
    ],
  };
}
