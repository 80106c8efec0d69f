/** Advisories of Express 3 and its packages, tested on `nozomi/3`. */
import { execFile } from 'node:child_process';
import crypto from 'node:crypto';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import express3 from 'nozomi/3';
import request from 'supertest';
import { MULTIPART, multipartBody } from '../../../parity/client/multipart';
import { get, post, raw } from '../../../parity/client/request';
import { type Bytes, muteDeprecations, play } from '../../support/both';
import { chain, show } from '../../support/chain';
import { expectLinear } from '../../support/cost';
import { filesOf } from '../../support/files';
import { uploadFolder } from '../../support/uploads';
import { bodyOf, headerOf, statusOf } from './play';

const run = promisify(execFile);

const MARKUP = '<script>alert(1)</script>';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const BOUNDARY = MULTIPART.slice(MULTIPART.indexOf('=') + 1);

type App = ReturnType<typeof express3>;

function application(): App {
  return express3().set('env', 'test');
}

/** Sends requests, and hides the errors that the application prints. */
async function ask(app: App, ...steps: Parameters<typeof play>[1]): Promise<Bytes[]> {
  const { error } = console;
  console.error = () => undefined;
  try {
    return await play(app as unknown as RequestListener, steps);
  } finally {
    console.error = error;
  }
}

const lineOf = (target: string) => raw(`GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);

describe('advisories about uploads with nozomi/3', () => {
  muteDeprecations();

  const part = (disposition: string, value: string): string =>
    `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n\r\n${value}\r\n`;
  const end = `--${BOUNDARY}--\r\n`;
  const upload = multipartBody(
    { name: 'a', filename: 'a.bin', value: 'a'.repeat(600) },
    { name: 'b', value: '1' },
    { name: 'c', filename: 'c.bin', value: 'c'.repeat(600) },
  );

  proves('CVE-2025-47944 CVE-2025-7338 CVE-2025-48997 CVE-2026-8162 F-9.3-34');
  it('a malformed form gets an error, and the next request is served', async () => {
    const { uploadDir, names } = uploadFolder();
    const app = application().use(express3.multipart({ uploadDir }));
    app.post('/', (_req, res) => res.send('read'));
    const bodies = [
      '',
      '--',
      end.slice(0, -4),
      part('form-data', 'x') + end,
      part('form-data; name=""', 'x') + end,
      part('form-data; name=""; filename=""', 'x') + end,
      part('form-data; name="a"; filename="b"', 'x'),
      part('form-data; name="a"; filename*=UTF-8\'\'%', 'x') + end,
      part('form-data; name="a"; filename*=x-none\'%ff', 'x') + end,
      part('form-data; name="a', 'x') + end,
      `--${BOUNDARY}\r\n\r\n${end}`,
      `--${BOUNDARY}\r\n${'X: y\r\n'.repeat(5000)}\r\n${end}`,
    ];
    const responses = await ask(
      app,
      ...bodies.map((body) => post('/', body, { 'Content-Type': MULTIPART })),
      post('/', 'x', { 'Content-Type': 'multipart/form-data' }),
      post('/', upload.toString('latin1'), { 'Content-Type': MULTIPART }),
    );

    for (const response of responses) expect(statusOf(response)).to.be.oneOf([200, 400]);
    expect(bodyOf(responses.at(-1))).to.equal('read');
    // nozomi/3 removes the files of incomplete forms only. The application must remove the others.
    const read = responses.filter((response) => statusOf(response) === 200).length;
    expect(names().length).to.be.at.most(read + 1);
  });

  proves('CVE-2026-8159 F-9.3-39');
  it('express.multipart() parses a hostile file name in linear time', async () => {
    const { uploadDir } = uploadFolder();
    const app = chain(
      express3.multipart({ uploadDir }),
      show(() => 'read'),
    );
    for (const name of ['\\"'.repeat(7000), `${'a;'.repeat(7000)}`, `filename*=${"'".repeat(14_000)}`]) {
      const start = performance.now();
      await request(app)
        .post('/')
        .type(MULTIPART)
        .send(part(`form-data; name="a"; filename="${name}"`, 'x') + end);
      expect(performance.now() - start, name.slice(0, 12)).to.be.below(10_000);
    }
  });
});

describe('advisories about other middleware of nozomi/3', () => {
  muteDeprecations();

  proves('CVE-2024-47178 F-9.3-97');
  it('express.basicAuth() compares name and password in constant time for every request', async () => {
    const { timingSafeEqual } = crypto;
    const compared: number[] = [];
    crypto.timingSafeEqual = (one, other) => {
      compared.push(one.byteLength, other.byteLength);
      return timingSafeEqual(one, other);
    };
    try {
      const app = application().use(express3.basicAuth('Ada', 'secret'));
      app.get('/', (_req, res) => res.send('in'));
      const credentials = ['Ada:secret', 'Ada:secre', 'Ada:x', 'x:secret', ':', `Ada:${'s'.repeat(1000)}`];
      const responses = await ask(
        app,
        ...credentials.map((text) =>
          get('/', { Authorization: `Basic ${Buffer.from(text).toString('base64')}` }),
        ),
      );

      expect(responses.map(statusOf)).to.deep.equal([200, 401, 401, 401, 401, 401]);
      // Each request compares the digests of the names and those of the passwords, for any length of the credentials.
      expect(compared).to.deep.equal(Array(credentials.length * 4).fill(32));
    } finally {
      crypto.timingSafeEqual = timingSafeEqual;
    }
  });

  proves('CVE-2015-8856 CVE-2014-6394 F-9.3-119');
  it('express.directory() escapes names, and lists no directory above its root', async () => {
    const top = filesOf({
      'public/<img src=x onerror=alert(1)>': 'x',
      'public/"\'&.txt': 'x',
      'public-2/secret': 'x',
    });
    const app = application().use(express3.directory(join(top, 'public')));
    const html = { Accept: 'text/html' };
    const [page, ...others] = await ask(
      app,
      get('/', html),
      ...['/..', '/%2e%2e/public-2', '/../public-2/', '/..%2fpublic-2', '/%00'].map(lineOf),
    );

    expect(statusOf(page)).to.equal(200);
    expect(bodyOf(page)).to.include('&lt;img src=x onerror=alert(1)&gt;').and.not.include('<img src=x');
    for (const response of others) {
      expect(bodyOf(response)).to.not.include('secret');
      expect(statusOf(response)).to.be.oneOf([400, 403, 404]);
    }
  });

  proves('CVE-2013-7370 CVE-2013-7371 CVE-2014-6393 F-9.3-126');
  it('pages contain overridden methods and errors as escaped text', async () => {
    const app = application().use(express3.bodyParser()).use(express3.methodOverride());
    app.get('/throw', (req) => {
      throw new Error(String(req.query.why));
    });
    app.use(express3.errorHandler());
    const responses = await ask(
      app,
      post('/', `_method=${encodeURIComponent(MARKUP)}`, FORM),
      post('/', 'a=b', { ...FORM, 'X-HTTP-Method-Override': MARKUP }),
      lineOf(`/${MARKUP}`),
      get(`/throw?why=${encodeURIComponent(MARKUP)}`, { Accept: 'text/html' }),
    );

    expect(responses.map(statusOf)).to.deep.equal([404, 404, 404, 500]);
    for (const response of responses) {
      expect(bodyOf(response)).to.not.include('<script>alert');
      expect(headerOf(response, 'Content-Type')).to.match(/^text\/html; charset=utf-8$/i);
      expect(headerOf(response, 'X-Content-Type-Options')).to.equal('nosniff');
    }
  });

  proves('CVE-2026-12590 F-9.3-34');
  it('body parsers have a limit for every value of the option limit', async () => {
    for (const limit of [Number.NaN, 'abc', '', {}]) {
      expect(() => express3.limit(limit as never), `limit ${limit}`).to.throw();
    }
    for (const limit of [Number.NaN, 'abc', '', {}, true]) {
      expect(() => express3.multipart({ limit: limit as never }), `multipart ${limit}`).to.throw();
      expect(() => express3.bodyParser({ limit: limit as never }), `bodyParser ${limit}`).to.throw();
    }
  });
});

describe('advisories about requests and responses of nozomi/3', () => {
  muteDeprecations();

  proves('CVE-2024-9266 CVE-2024-29041 CVE-2024-43796 F-9.3-74');
  it('res.redirect sends a page without scripts, and a Location without line breaks', async () => {
    // biome-ignore format: a table
    const targets = [
      '//evil.example', '/\\evil.example', 'javascript:alert(1)', `data:text/html,${MARKUP}`,
      `/"${MARKUP}'`, 'http://a/\r\nSet-Cookie: x=1', '/é\u212a',
    ];
    for (const target of targets) {
      const app = application().get('/', (_req, res) => res.redirect(target));
      const [page, text] = await ask(
        app,
        get('/', { Accept: 'text/html' }),
        get('/', { Accept: 'text/plain' }),
      );

      expect(headerOf(page, 'Set-Cookie'), target).to.equal(undefined);
      expect(bodyOf(page), target).to.not.match(/<script|href="javascript:/);
      expect(headerOf(page, 'Location') ?? '', target).to.match(/^[\x21-\x7e]*$/);
      expect(headerOf(text, 'Content-Type'), target).to.match(/^text\/(plain|html); charset=utf-8$/i);
    }
  });

  // Only line breaks are tested: `>` and `,` in a URL end the link, as in Express 3.21.2.
  proves('CVE-2024-10491 F-9.3-93');
  it('res.links sends no line break', async () => {
    const app = application();
    app.get('/', (_req, res) => res.links({ next: 'a\r\nSet-Cookie: x=1' }).end());
    const [response] = await ask(app, get('/'));

    expect(statusOf(response)).to.equal(500);
    expect(headerOf(response, 'Set-Cookie')).to.equal(undefined);
  });

  proves('CVE-2024-47764 GHSA-pxg6-pf52-xh8x F-9.3-71');
  it('res.cookie sends only the given attributes', async () => {
    const cookies: ReadonlyArray<[name: string, value: string, options: object]> = [
      ['a;b', 'v', {}],
      ['a', 'v; Path=/x\r\nSet-Cookie: b=c', {}],
      ['a', 'v', { path: '/; Domain=evil.example' }],
      ['a', 'v', { domain: 'a.example; Secure' }],
    ];
    for (const [name, value, options] of cookies) {
      const app = application().get('/', (_req, res) => void res.cookie(name, value, options).end());
      const [response] = await ask(app, get('/'));
      const attributes = (headerOf(response, 'Set-Cookie') ?? '').split('; ').slice(1);
      for (const attribute of attributes) expect(attribute).to.match(/^Path=\//);
    }
  });

  proves(
    'CVE-2014-7191 CVE-2014-10064 CVE-2017-1000048 CVE-2022-24999 CVE-2024-45590 CVE-2025-13466 F-9.3-30',
  );
  it('req.query and express.urlencoded() parse hostile input in linear time, and do not change Object.prototype', async () => {
    const app = application().use(express3.bodyParser());
    app.all('/', (req, res) => res.json([Object.keys(req.query), Object.keys(req.body), 'polluted' in {}]));
    // biome-ignore format: a table
    const texts = [
      '__proto__[polluted]=1', 'constructor[prototype][polluted]=1', 'a[__proto__][polluted]=1',
      'a[100000000]=x',
      `a${'[b]'.repeat(3000)}=x`, 'a[]=1&'.repeat(1900), 'toString=1&hasOwnProperty=2',
    ];
    const responses = await ask(
      app,
      ...texts.map((text) => get(`/?${text}`)),
      ...texts.map((text) => post('/', text, FORM)),
      post('/', '{"__proto__":{"polluted":1}}', { 'Content-Type': 'application/json' }),
    );
    const depths = [32, 33].map((depth) => post('/', `a${'[b]'.repeat(depth)}=c`, FORM));
    const counts = [1000, 1001].map((count) => post('/', Array(count).fill('a=1').join('&'), FORM));
    const bounds = await ask(app, ...depths, ...counts);

    for (const response of responses) {
      expect(statusOf(response)).to.be.oneOf([200, 400, 413]);
      if (statusOf(response) === 200) expect(bodyOf(response)).to.match(/false\s*\]$/);
    }
    expect(bounds.map(statusOf)).to.deep.equal([200, 400, 200, 413]);
  });

  // biome-ignore format: a table
  const patterns = [
    '/:a-:b', '/:a(\\w+)-:b(\\w+)', '/*-*/*', '/(a+)+b', '/:a?-:b?-:c?', '/(.*)*x', '/:a-:b-:c-:d-:e',
    '/*a*a*a*a*b', ['/*x*y*z', '/:a.:b.:c'],
  ];
  for (const pattern of patterns) {
    proves('CVE-2024-45296 CVE-2024-52798 F-9.3-29');
    it(`the pattern ${pattern} matches a long path in linear time`, () => {
      const route = new express3.Route('get', pattern as string, []);
      for (const piece of ['-', 'a', '/', 'a-', '.', 'a/', 'x'])
        expectLinear(
          (path) => route.match(path),
          (length) => `/${piece.repeat(length / piece.length)}/x/\n`,
        );
    });
  }

  for (const [pattern, path] of [
    ['/:a-:b-:c-:d-:e', `/${'-'.repeat(65_536)}/x/`],
    ['/*a*a*a*a*b', `/${'a'.repeat(65_536)}`],
    [['/*x*y*z', '/:a.:b.:c'], `/${'x'.repeat(65_536)}/`],
  ] as const) {
    proves('CVE-2024-45296 CVE-2024-52798 F-9.3-29');
    it(`the pattern ${pattern} rejects a long path in linear time`, () => {
      const route = new express3.Route('get', pattern as string, []);

      expect(route.match(path)).to.equal(false);
      expectLinear(
        (text) => route.match(text),
        (length) => `${path.slice(0, length)}${path.slice(65_537)}`,
      );
    });
  }

  proves('CVE-2014-6394 CVE-2015-8859 CVE-2015-1164 CVE-2024-43799 CVE-2024-43800 F-9.3-125');
  it('express.static() and res.sendfile serve no file outside the root, and redirect to no other host', async () => {
    const top = filesOf({
      'public/sub/index.html': 'i',
      secret: 'beyond the root',
      'public-2/secret': 'beyond the root',
    });
    const root = join(top, 'public');
    const app = application();
    app.get('/file/*', (req, res) => res.sendfile(String(req.params[0]), { root }));
    app.use(express3.static(root));
    // biome-ignore format: a table
    const targets = [
      '/../secret', '/%2e%2e/secret', '/..%2fsecret', '/..\\secret', '/sub/../../secret',
      '/../public-2/secret',
      '/..%00/secret', '//evil.example/%2e%2e', '//sub', '/\\sub', '/sub', '/%2fsub',
    ];
    const responses = await ask(
      app,
      ...targets.flatMap((target) => [lineOf(target), lineOf(`/file${target}`)]),
    );

    for (const response of responses) {
      expect(bodyOf(response)).to.not.include('beyond the root');
      expect(headerOf(response, 'Location') ?? '/').to.match(/^\/(?![/\\])/);
    }
  });

  for (const env of ['production', 'development']) {
    proves('CVE-2015-1164 F-9.3-125');
    it(`the error pages of files ${env === 'production' ? 'hide' : 'show'} the paths of the server in ${env}`, async () => {
      const root = filesOf({ 'a.txt': 'a' });
      const targets = ['/none', '/file/none', '/file/..%2fsecret', '/file/a.txt/b', '/%00', '/fail'];
      const { stdout } = await run(process.execPath, ['-e', PAGES, root, JSON.stringify(targets)], {
        cwd: join(__dirname, '../../..'),
        env: { ...process.env, NODE_ENV: env },
      });
      const pages = JSON.parse(stdout) as string[];

      expect(pages).to.have.length(targets.length);
      expect(pages.filter((page) => page.includes(root)).length > 0).to.equal(env === 'development');
    });
  }
});

/** Prints the error pages of an application: NODE_ENV counts when `nozomi/3` is loaded. */
const PAGES = `
  const { get } = require('node:http');
  const framework = require('nozomi/3');
  const [root, targets] = process.argv.slice(1);
  const app = framework();
  app.get('/file/*', (req, res) => res.sendfile(req.params[0], { root }));
  app.get('/fail', () => { throw new Error(root); });
  app.use(framework.static(root));
  const server = app.listen(0, async () => {
    const { port } = server.address();
    const page = (path) => new Promise((resolve) => {
      get({ port, path }, async (res) => resolve((await res.toArray()).join('')));
    });
    console.log(JSON.stringify(await Promise.all(JSON.parse(targets).map(page))));
    process.exit();
  });`;
