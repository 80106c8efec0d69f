import { expect } from 'chai';
import type { Response } from 'express';
import morgan from 'morgan';
import nozomiLogger from 'nozomi/logger';
import { get, raw } from '../../../parity/client/request';
import { IMPLEMENTATIONS, muteDeprecations, play } from '../../support/both';
import { filesOf } from '../../support/files';
import { attack, bodyOf, headerOf, statusOf } from './play';

const MARKUP = '<script>alert(1)</script>';

describe('advisories about generated pages and redirects', () => {
  muteDeprecations();

  proves('CVE-2014-6393 F-7-01');
  it('generated pages have a charset, and error pages a Content-Security-Policy', async () => {
    const root = filesOf({ 'sub/a.txt': 'a' });
    const responses = await attack(
      (framework) =>
        framework()
          .get('/redirect', (_req, res) => res.redirect('/x'))
          .get('/throw', () => {
            throw Object.assign(new Error(MARKUP), { stack: MARKUP });
          })
          .use(framework.static(root)),
      get('/none'),
      get('/throw'),
      get('/sub'),
      get('/redirect', { Accept: 'text/html' }),
    );

    expect(responses.map(statusOf)).to.deep.equal([404, 500, 301, 302]);
    for (const response of responses)
      expect(headerOf(response, 'Content-Type')).to.match(/; charset=utf-8$/i);
    for (const response of responses.slice(0, 3)) {
      expect(headerOf(response, 'Content-Security-Policy')).to.equal("default-src 'none'");
      expect(headerOf(response, 'X-Content-Type-Options')).to.equal('nosniff');
    }
  });

  proves('GHSA-rqg5-h5qr-gp89 CVE-2013-7370 CVE-2013-7371');
  it('error pages contain no markup of the request or the error', async () => {
    const responses = await attack(
      (framework) =>
        framework().get('/throw', (req) => {
          throw Object.assign(new Error(String(req.get('X-Why'))), { stack: String(req.get('X-Why')) });
        }),
      raw(`GET /${MARKUP} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`),
      raw(`GET /"'><img/src=x> HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`),
      raw(`GET http://${MARKUP}/ HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`),
      get('/throw', { 'X-Why': `${MARKUP}"'&` }),
    );

    for (const response of responses) expect(bodyOf(response)).to.not.match(/<script|<img/);
    expect(bodyOf(responses[3])).to.include('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
  });

  // biome-ignore format: a table
  const targets = [
    '//evil.example', '///evil.example', '/\\evil.example', '\\\\evil.example', '\\/evil.example',
    'http:///evil.example', 'http:\\\\evil.example', 'http://good@evil.example', 'https:evil.example',
    'http://evil.example\\@good.example', 'http://good.example%00@evil.example',
    '/%2f/evil.example', '\t//evil', 'javascript:alert(1)',
      `data:text/html,${MARKUP}`,
      `/"${MARKUP}'`,
      'http://[::1', 'http://\u212a.example/é',
  ];
  // Some of these targets lead to another host in a browser, as with Express: applications must check URLs of clients.
  for (const target of targets) {
    proves('CVE-2024-29041 CVE-2024-9266 CVE-2024-43796 GHSA-8q4p-mhxr-fq83 CVE-2025-32379 F-4.5-50');
    it(`res.redirect to ${JSON.stringify(target)} sends the response of Express, without scripts in the page`, async () => {
      const [page, text, location] = await attack(
        (framework) => {
          const app = framework();
          app.get('/location', (_req, res) => void res.location(target).end());
          return app.get('/', (_req, res) => res.redirect(target));
        },
        get('/', { Accept: 'text/html' }),
        get('/', { Accept: 'text/plain' }),
        get('/location'),
      );

      expect(bodyOf(page)).to.not.match(/<(?!\/?(?:!DOCTYPE html|html|head|title|body|p)>)/);
      expect(headerOf(page, 'Location')).to.equal(headerOf(location, 'Location'));
      expect(headerOf(page, 'Location')).to.match(/^[\x21-\x7e]*$/);
      // Browsers find no markup in plain text.
      expect(headerOf(text, 'Content-Type')).to.equal('text/plain; charset=utf-8');
    });
  }

  proves('CVE-2025-54420 CVE-2025-8129 F-4.5-46');
  it('res.redirect("back") sends the encoded Referer, and a page without scripts', async () => {
    // Only Nozomi is tested: Express sends the word `back`, and Nozomi the Referer as the specification says.
    const app = IMPLEMENTATIONS.build()
      .set('env', 'test')
      .get('/', (_req, res) => res.redirect('back'));
    const [elsewhere, markup, none] = await play(app, [
      get('/', { Referer: 'https://evil.example/x' }),
      get('/', { Referer: `/"${MARKUP}`, Accept: 'text/html' }),
      get('/'),
    ]);

    expect(headerOf(elsewhere, 'Location')).to.equal('https://evil.example/x');
    expect(headerOf(markup, 'Location')).to.equal('/%22%3Cscript%3Ealert(1)%3C/script%3E');
    expect(bodyOf(markup)).to.not.include('<script');
    expect(headerOf(none, 'Location')).to.equal('/');
  });

  // `>` and `,` in a URL end the link, a weakness of Express too. Node.js throws for line breaks.
  proves('CVE-2024-10491 F-4.5-40');
  it('res.links sends no line break, and other characters as Express does', async () => {
    const links = (next: string) => (res: Response) => void res.links({ next }).end();
    const values = [
      'http://a/>; rel="stylesheet", <http://evil/',
      'a\r\nSet-Cookie: x=1',
      'a\nb',
      'a\0b',
      'a;b',
      'a"b',
    ];
    const responses = await attack(
      (framework) =>
        values.reduce(
          (app, value, index) => app.get(`/${index}`, (_req, res) => links(value)(res)),
          framework(),
        ),
      ...values.map((_value, index) => get(`/${index}`)),
    );

    expect(responses.map(statusOf)).to.deep.equal([200, 500, 500, 500, 200, 200]);
    expect(headerOf(responses[0], 'Link')).to.equal(`<${values[0]}>; rel="next"`);
    for (const response of responses) expect(headerOf(response, 'Set-Cookie')).to.equal(undefined);
  });

  const cookies: ReadonlyArray<[name: string, value: string, options: object]> = [
    ['a;b', 'v', {}],
    ['a=b', 'v', {}],
    ['a\r\nb', 'v', {}],
    ['__proto__', 'v', {}],
    ['a', 'v; Path=/x\r\nSet-Cookie: b=c', {}],
    ['a', 'v', { path: '/; Domain=evil.example' }],
    ['a', 'v', { path: '/\r\nX: y' }],
    ['a', 'v', { domain: 'a.example; Secure' }],
    ['a', 'v', { domain: 'a.example, b.example' }],
    ['a', 'v', { sameSite: 'none; Secure' }],
    ['a', 'v', { priority: 'high; x' }],
    ['a', 'v', { expires: 'tomorrow' }],
    ['a', 'v', { maxAge: Number.NaN }],
  ];
  for (const [name, value, options] of cookies) {
    proves(
      'CVE-2024-47764 GHSA-pxg6-pf52-xh8x CVE-2026-47673 CVE-2026-47674 CVE-2026-47675 CVE-2026-47676 F-2.8-13 F-4.5-24',
    );
    it(`res.cookie with ${JSON.stringify([name, value, options])} sends only the given attributes`, async () => {
      const [response] = await attack(
        (framework) => framework().get('/', (_req, res) => void res.cookie(name, value, options).end()),
        get('/'),
      );

      expect(response?.filter((line) => /^(Set-Cookie|X): /.test(line))).to.have.lengthOf.at.most(1);
      const attributes = (headerOf(response, 'Set-Cookie') ?? '').split('; ').slice(1);
      for (const attribute of attributes) expect(attribute).to.match(/^(Path=\/|Max-Age=|Expires=)/);
    });
  }

  proves('CVE-2025-7339 F-4.5-98');
  it('res.writeHead sends a list of headers unchanged, also with a logger', async () => {
    const logger = { reference: morgan, build: nozomiLogger };
    const lists = [
      ['X-A', '1', 'X-B', '2'],
      ['X-A', '1', 'X-A', '2'],
    ];
    const responses = await Promise.all(
      (['reference', 'build'] as const).map(async (implementation) => {
        const lines: string[] = [];
        const app = IMPLEMENTATIONS[implementation]().disable('x-powered-by');
        const stream = { write: (line: string) => void lines.push(line) };
        app.use(logger[implementation](':status :res[x-a] :res[x-b]', { stream }) as never);
        app.get(
          '/:list',
          (req, res) => void res.writeHead(200, lists[Number(req.params.list)] as never).end(),
        );
        return [await play(app, [get('/0'), get('/1')]), lines];
      }),
    );

    expect(responses[1]).to.deep.equal(responses[0]);
    expect(responses[0]?.[0]?.[0]).to.include('X-B: 2');
  });
});
