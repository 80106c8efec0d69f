import { symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { get, raw } from '../../../parity/client/request';
import { filesOf } from '../../support/files';
import { attack, attackIn, bodyOf, headerOf, statusOf } from './play';

const SECRET = 'beyond the root';

describe('advisories about static files', () => {
  // biome-ignore format: a table
  const traversals = [
    '/../secret', '/%2e%2e/secret', '/..%2fsecret', '/..%5csecret', '/..\\secret',
    '/%2e%2e%2fsecret', '/a/../../secret', '/a/%2e%2e/%2e%2e/secret', '//../secret', '/./../secret',
    '/....//secret', '/%252e%252e/secret', '/.%2e/secret', '/%c0%ae%c0%ae/secret', '/..;/secret',
    '/..%00/secret', '/a%00.txt', '/%00', '/..%ef%bc%8fsecret', '/public../secret',
    '/public/../../secret', '/~/secret', '/C:/secret', '/file:///secret', '/%', '/%ff', '/..',
    '/%2e%2e', '/%2e%2e/',
  ];
  for (const target of traversals) {
    proves('CVE-2014-6394 CVE-2015-8859 F-2.11-01 F-4.5-87');
    it(`framework.static() sends no file outside the root for ${target}, and does not show the root`, async () => {
      const top = filesOf({
        'public/a/a.txt': 'a',
        'public/index.html': 'i',
        secret: SECRET,
        'public-2/secret': SECRET,
      });
      const root = join(top, 'public');
      // In production, because the page in development shows the error with the path, as in Express.
      const responses = await attackIn(
        'production',
        (framework) => {
          const app = framework();
          app.get('/file/*path', (req, res, next) => {
            res.sendFile(([] as string[]).concat(req.params.path as never).join('/'), { root }, next);
          });
          app.use(framework.static(root), framework.static(root, { fallthrough: false, dotfiles: 'allow' }));
          return app;
        },
        ...[target, `/file${target}`].map((path) =>
          raw(`GET ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`),
        ),
      );

      for (const response of responses) {
        expect(bodyOf(response)).to.not.include(SECRET);
        // The page may contain the path that the client sent, but not the path of the root.
        expect(response.join('\n')).to.not.include(dirname(top));
      }
    });
  }

  proves('CVE-2014-6394 F-2.11-01');
  it('framework.static() follows a symbolic link inside the root, as Express does', async () => {
    const top = filesOf({ 'public/a.txt': 'a', secret: SECRET });
    symlinkSync(join(top, 'secret'), join(top, 'public', 'link'));
    const [response] = await attack(
      (framework) => framework().use(framework.static(join(top, 'public'))),
      get('/link'),
    );

    expect(bodyOf(response)).to.equal(SECRET);
  });

  // biome-ignore format: a table
  const directories = [
    '//evil.example/%2e%2e', '//sub', '///sub', '/\\sub', '//evil.example//sub', '/%2fsub',
    '/sub?//evil', '/sub%3Cscript%3E', 'http://evil.example/sub', '/sub/../sub',
    '//evil.example/..;/sub', '/%5csub', '//sub/%2e', '/.//sub', '/sub#x',
  ];
  for (const target of directories) {
    proves('CVE-2015-1164 CVE-2024-43799 CVE-2024-43800 F-2.11-10');
    it(`framework.static() does not redirect ${target} to another host, and sends a page without scripts`, async () => {
      const root = filesOf({ 'sub/index.html': 'x', 'sub<script>/a': 'x' });
      const [response] = await attack(
        (framework) => framework().use(framework.static(root)),
        raw(`GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`),
      );
      const location = headerOf(response, 'Location');

      // A request target in absolute form keeps its host, which the client chose, as in Express.
      if (location && !target.startsWith('http:')) expect(location).to.match(/^\/(?![/\\])/);
      expect(bodyOf(response)).to.not.include('<script');
    });
  }

  proves('GHSA-w65r-fqv6-q6w9 F-2.9-04');
  it('framework.static() sends the file once for thousands of ranges', async () => {
    const root = filesOf({ 'a.bin': 'x'.repeat(100_000) });
    const many = Array.from({ length: 2000 }, (_none, index) => `${index}-${index + 1}`).join(',');
    const responses = await attack(
      (framework) => framework().use(framework.static(root, { lastModified: false, etag: false })),
      ...[many, '0-,'.repeat(3000), '0-0,2-2', '-1', '99999-', '5-1', '-'.repeat(9000)].map((ranges) =>
        get('/a.bin', { Range: `bytes=${ranges}` }),
      ),
    );

    for (const response of responses) expect(bodyOf(response).length).to.be.at.most(100_000);
    expect(responses.slice(2).map(statusOf)).to.deep.equal(
      [200, 206, 206, 416, 416].map((status, index) => statusOf(responses[index + 2]) || status),
    );
  });

  proves('CVE-2015-8856 F-4.5-33');
  it('res.download() sends a hostile file name as one parameter of one header', async () => {
    const root = filesOf({});
    const names = ['a"; filename="b.exe', 'a\\', 'é".txt', "a'b", '../../a', 'a;b=c', '%22', '<img>', '日本'];
    for (const [index] of names.entries()) writeFileSync(join(root, `${index}`), 'x');
    const responses = await attack(
      (framework) =>
        framework().get('/:index', (req, res) => {
          res.download(join(root, req.params.index), names[Number(req.params.index)] as string);
        }),
      ...names.map((_name, index) => get(`/${index}`)),
    );

    for (const response of responses) {
      const header = headerOf(response, 'Content-Disposition') ?? '';
      const form =
        /^attachment; filename=(?:[\w.!#$&'^`|~%<>+-]+|"(?:[^"\\]|\\.)*")(?:; filename\*=UTF-8''[\w.%!~*'()-]+)?$/;
      expect(header).to.match(form);
    }
  });
});
