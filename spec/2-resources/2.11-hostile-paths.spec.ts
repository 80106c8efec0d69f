/**
 * Requests each hostile path, with each set of options, from this package and from Express. The responses must be
 * equal. None may contain the name of the root, or a byte from outside the root.
 */
import { symlinkSync } from 'node:fs';
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { raw } from '../../parity/client/request';
import { attackIn } from '../security/advisories/play';
import { filesOf } from '../support/files';
import { type Framework, playBeside, textOf } from '../support/play';

const OUTSIDE = 'OUTSIDE';

const OPTIONS: Readonly<Record<string, object>> = {
  default: {},
  allow: { dotfiles: 'allow' },
  deny: { dotfiles: 'deny', fallthrough: false },
  strict: { fallthrough: false },
  bare: { redirect: false, index: false },
  extended: { extensions: ['txt', 'html'], dotfiles: 'allow' },
};

const UPS = [
  '..',
  '%2e%2e',
  '%2E%2E',
  '.%2e',
  '%2e.',
  '%252e%252e',
  '%c0%ae%c0%ae',
  '%ef%bc%8e%ef%bc%8e',
  '%u002e%u002e',
  '...',
  '....',
  '..;',
  '..%00',
  '..%20',
  '. .',
  '%2e%2e%2e',
];
const SLASHES = ['/', '//', '%2f', '%2F', '\\', '%5c', '%252f', '%c0%af', '%ef%bc%8f', '%e2%88%95'];

const SPELLINGS: readonly string[] = [
  // Paths to a file beside the root, with dots and slashes in several encodings.
  ...UPS.flatMap((up) => ['/', '%2f', '\\', '%5c'].map((slash) => `/${up}${slash}secret.txt`)),
  ...SLASHES.flatMap((slash) => [
    `/sub${slash}..${slash}..${slash}secret.txt`,
    `/..${slash}root-evil${slash}secret.txt`,
  ]),
  // Paths with dot segments. Some leave the root, some leave it and enter it again, and some stay inside.
  `/${'../'.repeat(40)}etc/passwd`,
  `/${'..%2f'.repeat(40)}etc/passwd`,
  `/${'%2e%2e/'.repeat(40)}etc/passwd`,
  '/sub/../../root/hello.txt',
  '/sub/../hello.txt',
  '/sub/%2e%2e/hello.txt',
  '/sub/..%2fhello.txt',
  '/./././hello.txt',
  '/%2e/hello.txt',
  '/hello.txt/..',
  '/hello.txt/../hello.txt',
  '/..',
  '/../',
  '/%2e%2e',
  '/sub/..',
  // Absolute paths, home directories, and drives, streams and devices of Windows.
  '//etc/passwd',
  '///etc/passwd',
  '/%2fetc/passwd',
  '/%2f%2fetc/passwd',
  '/C:/secret.txt',
  '/c:%5csecret.txt',
  '/C:..%5csecret.txt',
  '/file:///etc/passwd',
  '/hello.txt::$DATA',
  '/hello.txt:stream',
  '/CON',
  '/%5c%5chost%5cshare%5csecret.txt',
  '/~root/secret.txt',
  '/public../secret.txt',
  '/~',
  // Characters after a file name, and a name in upper case: a file system may ignore either.
  '/hello.txt.',
  '/hello.txt%20',
  '/hello.txt%00',
  '/hello.txt%00.html',
  '/%00',
  '/hello.txt%0a',
  '/hello.txt%0d%0aX-Injected:%201',
  '/hello.txt/',
  '/hello.txt//',
  '/hello.txt/.',
  '/HELLO.TXT',
  '/hello.txt;x=y',
  '/hello.txt%3fx',
  '/hello.txt%23x',
  '/hello.txt?../../secret.txt',
  '/hello.txt#/../../secret.txt',
  // Paths with segments that begin with a dot.
  '/.env',
  '/%2eenv',
  '/.git/config',
  '/sub/.hidden',
  '/.git%2fconfig',
  '/.git/../hello.txt',
  '/.',
  '/./',
  // Symbolic links in the root that are broken or lead to themselves.
  '/broken',
  '/loop',
  // Paths with escapes, of which some cannot be decoded.
  '/%',
  '/%2',
  '/%zz',
  '/%ff',
  '/%f0%9f%98',
  '/%ed%a0%80',
  '/hello%2etxt',
  '/%68ello.txt',
  '/%2568ello.txt',
  '/h%c3%a9llo.txt',
  // Paths whose redirect must not lead to another host, or contain another header or markup.
  '//sub',
  '//sub/..',
  '//sub/%2e',
  '///sub',
  '/.//sub',
  '/sub#x',
  '/%5csub',
  '//example.com//sub',
  '//example.com/..;/sub',
  '//example.com/%2e%2e',
  '//example.com/..',
  '/%5cexample.com/%2e%2e',
  '/\\example.com/sub/..',
  '//sub?//example.com',
  '/sub',
  '/sub%2f',
  '/sub%0d%0aX-Injected:%201',
  '/%0d%0aX-Injected:%201/..',
  '/sub"><script>',
  '/sub%3Cscript%3E',
  // Request targets in absolute form, without a slash at the start, with a query or with backslashes.
  'http://example.com/hello.txt',
  'http://example.com/../secret.txt',
  'http://example.com/%2e%2e%2fsecret.txt',
  'http://example.com',
  'http://example.com//sub',
  'HTTP://example.com/sub',
  'https:hello.txt',
  'file:///etc/passwd',
  '*',
  '?',
  '/?',
  '/?/../secret.txt',
  '/hello.txt\\..\\..\\secret.txt',
  // Long paths.
  `/${'a'.repeat(300)}`,
  `/${'a/'.repeat(3000)}`,
  `/${'../'.repeat(3000)}secret.txt`,
  `/${'%2e%2e%2f'.repeat(1000)}secret.txt`,
  `/${'%00'.repeat(2000)}`,
  `/${'x'.repeat(9000)}.txt`,
  `/sub/${'./'.repeat(2000)}page.txt`,
];

/** @returns A listener that serves `root` with the options that the header X-Options names. */
function site(root: string) {
  return (nozomi: Framework): RequestListener => {
    const apps = new Map<string | undefined, RequestListener>();
    for (const [name, options] of Object.entries(OPTIONS)) {
      const app = nozomi();
      app.use('/files', nozomi.static(root, options));
      app.use(nozomi.static(root, options));
      app.use(
        (err: { status: number; code?: string }, _req: unknown, res: ServerResponse, _next: unknown) => {
          res.statusCode = err.status;
          res.end(`${STATUS_CODES[err.status]} ${err.code}`);
        },
      );
      apps.set(name, app);
    }
    return (req: IncomingMessage, res) => apps.get(req.headers['x-options'] as string)?.(req as never, res);
  };
}

/** @returns A function that makes an application with `static` and `res.sendFile`, and the error page of the framework. */
function sent(root: string) {
  return (nozomi: Framework) => {
    const app = nozomi();
    app.get('/file/*path', (req, res, next) => {
      res.sendFile(([] as string[]).concat(req.params.path as never).join('/'), { root }, next);
    });
    return app.use(nozomi.static(root), nozomi.static(root, { fallthrough: false, dotfiles: 'allow' }));
  };
}

/** @returns The path of a directory to serve, which has secret files beside it. */
function rootOf(): string {
  const parent = filesOf({
    'root/hello.txt': 'hello',
    'root/index.html': '<p>index',
    'root/.env': 'dotfile',
    'root/.git/config': 'dotfile',
    'root/sub/index.html': '<p>sub',
    'root/sub/page.txt': 'page',
    'root/sub/.hidden': 'dotfile',
    'root/sub<script>/page.txt': 'page',
    'root/héllo.txt': 'unicode',
    'secret.txt': OUTSIDE,
    'root-evil/secret.txt': OUTSIDE,
  });
  const root = join(parent, 'root');
  symlinkSync('none', join(root, 'broken'));
  symlinkSync('loop', join(root, 'loop'));
  return root;
}

describe('framework.static() and hostile paths', () => {
  for (const spelling of SPELLINGS) {
    const title = JSON.stringify(
      spelling.length > 60 ? `${spelling.slice(0, 40)}… (${spelling.length})` : spelling,
    );
    proves(
      'CVE-2014-6394 CVE-2015-8859 CVE-2015-1164 CVE-2024-43799 CVE-2024-43800 F-2.11-01 F-2.11-10 F-2.11-13 F-2.11-15 F-2.11-28 F-4.5-87',
    );
    it(`serves no file outside the root for ${title}`, async () => {
      const root = rootOf();
      const ask = (target: string, name: string) =>
        raw(`GET ${target} HTTP/1.1\r\nHost: spec\r\nX-Options: ${name}\r\n\r\n`);
      const requests = Object.keys(OPTIONS).map((name) => ask(spelling, name));
      if (spelling.startsWith('/'))
        requests.push(ask(`/files${spelling}`, 'default'), ask(`/files${spelling}`, 'strict'));

      const exchanges = await playBeside(site(root), ...requests);
      const targets = spelling.startsWith('/') ? [spelling, `/file${spelling}`] : [spelling];
      // In production, because the page in development shows the error with the path, as in Express.
      const pages = await attackIn('production', sent(root), ...targets.map((target) => ask(target, 'none')));

      for (const page of pages)
        expect(page.join('\n')).not.to.include(OUTSIDE).and.not.to.include(dirname(root));
      for (const exchange of exchanges) {
        const text = `${JSON.stringify(exchange.response.headers)}\n${textOf(exchange)}`;
        expect(text)
          .not.to.include(OUTSIDE)
          .and.not.to.match(/root:.*:0:/);
        expect(text)
          .not.to.include(root)
          .and.not.to.include(basename(join(root, '..')));
        expect(exchange.header('X-Injected')).to.equal(undefined);
        expect(text).not.to.include('<script');
        expect(exchange.header('Location') ?? '/').to.match(/^(\/(?![/\\])|https?:\/\/example\.com\/)/i);
      }
    });
  }
});
