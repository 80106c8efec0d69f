import { symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { NextFunction, Request, Response } from 'express';
import framework from 'nozomi';
import { get, head, post, raw } from '../../parity/client/request';
import { filesOf } from '../support/files';
import { type Framework, play, playBeside, textOf } from '../support/play';

const MODIFIED = new Date('2024-02-29T12:00:00Z');

/** @returns The path of a directory with files, directories and dotfiles. */
function rootOf(): string {
  const root = filesOf({
    'hello.txt': 'hello, world\n',
    'page.html': '<p>page',
    'page.htm': '<p>old page',
    'sub/index.html': '<p>sub',
    'sub/default.txt': 'default',
    'bare/file.txt': 'file',
    '.env': 'SECRET=1',
    '.git/config': 'secret',
    'empty.txt': '',
    'a b.txt': 'blank',
    'data.xyz': 'unknown',
  });
  for (const name of ['hello.txt', 'sub/index.html']) utimesSync(join(root, name), MODIFIED, MODIFIED);
  return root;
}

/** Serves `root`. A later handler responds with `next at` and the status; an error handler responds with JSON. */
function site(root: string, options?: object) {
  return (nozomi: Framework) => {
    const app = nozomi();
    app.use(nozomi.static(root, options));
    app.use((_req: Request, res: Response) => void res.send(`next at ${res.statusCode}`));
    app.use((err: Error & { status?: number }, _req: Request, res: Response, _next: NextFunction) => {
      const { name, message } = err;
      res.status(err.status ?? 500).json(Object.assign({ name, message }, err));
    });
    return app;
  };
}

/** Sends requests to both implementations, and compares the responses. @returns Status and body of each response. */
async function ask(options: object | undefined, ...targets: string[]): Promise<string[]> {
  const exchanges = await playBeside(site(rootOf(), options), ...targets.map((target) => get(target)));
  return exchanges.map((exchange) => `${exchange.response.status} ${textOf(exchange)}`);
}

describe('framework.static() (§2.11)', () => {
  it('serves the file at req.url below root, and index.html for a directory [F-2.11-28 F-2.11-17]', async () => {
    expect(
      await ask(
        undefined,
        '/hello.txt',
        '/a%20b.txt',
        '/sub/',
        '/sub/index.html?x=/y',
        '/data.xyz',
        '/empty.txt',
      ),
    ).to.deep.equal(['200 hello, world\n', '200 blank', '200 <p>sub', '200 <p>sub', '200 unknown', '200 ']);
  });

  it('looks files up without the mount path; several static layers are tried in order [F-2.11-28]', async () => {
    const [first, second] = [
      filesOf({ 'a.txt': 'first' }),
      filesOf({ 'a.txt': 'shadowed', 'b.txt': 'second' }),
    ];
    const exchanges = await playBeside(
      (nozomi) => {
        const app = nozomi();
        app.use('/files', nozomi.static(first), nozomi.static(second));
        return app;
      },
      get('/files/a.txt'),
      get('/files/b.txt'),
      get('/a.txt'),
      get('/files'),
      get('/files/'),
    );

    expect(exchanges.slice(0, 2).map(textOf)).to.deep.equal(['first', 'second']);
    expect(exchanges.map(({ response }) => response.status)).to.deep.equal([200, 200, 404, 301, 404]);
  });

  it('resolves a relative root against the working directory [F-2.11-28]', async () => {
    const [exchange] = await play(framework().use(framework.static('spec')) as never, get('/clauses.json'));

    expect(exchange?.response.status).to.equal(200);
  });

  it('calls next() for dotfiles by default, with the status unchanged [F-2.11-01 F-2.11-05 F-2.11-06 F-7-06]', async () => {
    for (const options of [undefined, { dotfiles: 'ignore' }]) {
      expect(await ask(options, '/.env')).to.deep.equal(['200 next at 200']);
    }
    const [response] = await ask({ fallthrough: false }, '/.env');
    expect(response).to.match(/^404 .*NotFoundError/);
  });

  it('serves dotfiles if dotfiles is allow [F-2.11-02]', async () => {
    expect(await ask({ dotfiles: 'allow' }, '/.env', '/.git/config')).to.deep.equal([
      '200 SECRET=1',
      '200 secret',
    ]);
  });

  it('calls next() if dotfiles is deny, and responds 403 if fallthrough is false too [F-2.11-03 F-2.11-04 F-7-05]', async () => {
    expect(await ask({ dotfiles: 'deny' }, '/.env', '/.none')).to.deep.equal([
      '200 next at 200',
      '200 next at 200',
    ]);
    const [response] = await ask({ dotfiles: 'deny', fallthrough: false }, '/.env');
    expect(response).to.match(/^403 .*ForbiddenError/);
  });

  it('applies the option dotfiles to files in directories whose names begin with a dot [F-2.11-07]', async () => {
    expect(await ask(undefined, '/.git/config', '/.git/', '/./hello.txt')).to.deep.equal([
      '200 next at 200',
      '200 next at 200',
      '200 hello, world\n',
    ]);
  });

  it('throws for an unknown value of dotfiles [F-2.11-01]', async () => {
    const [response] = await ask({ dotfiles: 'hide' }, '/hello.txt');

    expect(response).to.equal(
      '500 {"name":"TypeError","message":"dotfiles option must be \\"allow\\", \\"deny\\", or \\"ignore\\""}',
    );
  });

  it('sends a weak ETag and Last-Modified [F-2.11-08 F-2.11-20]', async () => {
    const [exchange] = await playBeside(site(rootOf()), get('/hello.txt'));

    expect(exchange?.header('ETag')).to.match(/^W\/"d-[0-9a-f]+"$/);
    expect(exchange?.header('Last-Modified')).to.equal('Thu, 29 Feb 2024 12:00:00 GMT');
  });

  it('omits ETag if etag is false, and Last-Modified if lastModified is false [F-2.11-09 F-2.11-21]', async () => {
    const [exchange] = await playBeside(
      site(rootOf(), { etag: false, lastModified: false }),
      get('/hello.txt'),
    );

    expect([exchange?.header('ETag'), exchange?.header('Last-Modified')]).to.deep.equal([
      undefined,
      undefined,
    ]);
  });

  it('tries the values of extensions in order for a missing file [F-2.11-10 F-2.11-11]', async () => {
    expect(await ask(undefined, '/page')).to.deep.equal(['200 next at 200']);
    expect(await ask({ extensions: false }, '/page')).to.deep.equal(['200 next at 200']);
    expect(await ask({ extensions: ['txt', 'htm', 'html'] }, '/page', '/none', '/sub')).to.deep.equal([
      '200 <p>old page',
      '200 next at 200',
      (await ask(undefined, '/sub'))[0],
    ]);
    expect(await ask({ extensions: 'html' }, '/page')).to.deep.equal(['200 <p>page']);
  });

  it('calls next() for a missing file [F-2.11-12 F-2.11-29 F-7-07]', async () => {
    expect(
      await ask(undefined, '/none', '/hello.txt/', '/hello.txt/x', `/${'x'.repeat(400)}`, '/bare/'),
    ).to.deep.equal(Array(5).fill('200 next at 200'));
  });

  it('calls next() for a bad request [F-2.11-13]', async () => {
    expect(await ask(undefined, '/%', '/%00', '/..%2f', '/%c0%ae')).to.deep.equal(
      Array(4).fill('200 next at 200'),
    );
  });

  it('calls next(err) for a missing file and a bad request if fallthrough is false [F-2.11-14 F-2.11-15 F-7-08]', async () => {
    const responses = await ask({ fallthrough: false }, '/none', '/%', '/..%2f', '/hello.txt/', '/bare/');

    expect(responses.map((response) => response.slice(0, 3))).to.deep.equal([
      '404',
      '400',
      '403',
      '404',
      '404',
    ]);
  });

  it('sends Cache-Control with maxAge, in milliseconds or as a string, at most a year, by default 0 [F-2.11-16 F-2.11-22 F-2.11-23 F-8-04]', async () => {
    for (const [options, value] of [
      [undefined, 'public, max-age=0'],
      [{ maxAge: 1500 }, 'public, max-age=1'],
      [{ maxAge: '2 days' }, 'public, max-age=172800'],
      [{ maxAge: '10y', immutable: true }, 'public, max-age=31536000, immutable'],
      [{ maxAge: -1 }, 'public, max-age=0'],
      [{ maxAge: 'soon' }, 'public, max-age=0'],
      [{ maxage: 3000 }, 'public, max-age=3'],
      [{ cacheControl: false }, undefined],
    ] as const) {
      const [exchange] = await playBeside(site(rootOf(), options), get('/hello.txt'));
      expect(exchange?.header('Cache-Control'), JSON.stringify(options)).to.equal(value);
    }
  });

  it('sends the first existing file of the option index for a directory, or none if false [F-2.11-18 F-2.11-19]', async () => {
    expect(await ask({ index: 'default.txt' }, '/sub/')).to.deep.equal(['200 default']);
    expect(await ask({ index: ['none', 'default.txt', 'index.html'] }, '/sub/', '/bare/')).to.deep.equal([
      '200 default',
      '200 next at 200',
    ]);
    expect(await ask({ index: false }, '/sub/')).to.deep.equal(['200 next at 200']);
  });

  it('redirects a directory to its URL with a slash and the query, never to another host [F-2.11-24]', async () => {
    const exchanges = await playBeside(
      site(rootOf()),
      ...['/sub', '/sub?a=1&b=%3C', '//sub', '///sub?x', '/./sub', '/bare', '/%73ub'].map((target) =>
        get(target),
      ),
      raw('GET //sub%3Cscript%3E/..%2f../sub HTTP/1.1\r\nHost: x\r\n\r\n'),
      head('/sub'),
    );

    expect(exchanges.map((exchange) => exchange.header('Location'))).to.deep.equal([
      '/sub/',
      '/sub/?a=1&b=%3C',
      '/sub/',
      '/sub/?x',
      '/./sub/',
      '/bare/',
      '/%73ub/',
      undefined,
      '/sub/',
    ]);
    expect(textOf(exchanges[1])).to.include('Redirecting to /sub/?a=1&amp;b=%3C');
  });

  it('leaves the same req._parsedUrl and req._parsedOriginalUrl as Express after a redirect [F-2.11-24]', async () => {
    const targets: unknown[] = [];
    const root = rootOf();
    const build = (nozomi: Framework) => {
      const app = nozomi();
      app.use(
        '/files',
        (req, res, next) => {
          res.on('finish', () => {
            const { _parsedUrl, _parsedOriginalUrl } = req as unknown as Record<
              string,
              { pathname: string; path: string }
            >;
            targets.push([
              _parsedUrl?.pathname,
              _parsedUrl?.path,
              _parsedOriginalUrl?.pathname,
              _parsedOriginalUrl?.path,
            ]);
          });
          next();
        },
        nozomi.static(root),
      );
      return app;
    };

    await playBeside(build, get('/files/sub?x'));

    expect(targets).to.deep.equal([
      ['/sub', '/sub?x', '/files/sub/', null],
      ['/sub', '/sub?x', '/files/sub/', null],
    ]);
  });

  it('does not redirect if redirect is false [F-2.11-25]', async () => {
    expect(await ask({ redirect: false }, '/sub', '/sub/')).to.deep.equal(['200 next at 200', '200 <p>sub']);
  });

  it('calls setHeaders with response, path and stat before it sets its own headers [F-2.11-26]', async () => {
    const root = rootOf();
    const setHeaders = (res: Response, path: string, stat: { size: number }): void => {
      res.setHeader('X-File', `${path.slice(root.length)} ${stat.size}`);
      res.setHeader('Cache-Control', 'private');
      res.setHeader('Content-Type', 'text/x-own');
    };

    const [exchange] = await playBeside(site(root, { setHeaders }), get('/hello.txt'));

    expect(['X-File', 'Cache-Control', 'Content-Type'].map((name) => exchange?.header(name))).to.deep.equal([
      '/hello.txt 13',
      'private',
      'text/x-own',
    ]);
  });

  it('sends the headers after setHeaders has returned [F-2.11-27]', async () => {
    const late: unknown[] = [];
    const setHeaders = (res: Response): void => {
      res.on('finish', () => {
        try {
          res.setHeader('X-Late', '1');
        } catch (err) {
          late.push((err as { code: string }).code);
        }
      });
    };

    await playBeside(site(rootOf(), { setHeaders }), get('/hello.txt'));

    expect(late).to.deep.equal(['ERR_HTTP_HEADERS_SENT', 'ERR_HTTP_HEADERS_SENT']);
  });

  it('responds 405 to all methods but GET and HEAD if fallthrough is false [F-2.11-30]', async () => {
    const [refused, headed] = await playBeside(
      site(rootOf(), { fallthrough: false }),
      post('/hello.txt', 'x'),
      head('/hello.txt'),
    );
    const [passed] = await playBeside(site(rootOf()), post('/hello.txt', 'x'));

    expect([refused?.response.status, refused?.header('Allow')]).to.deep.equal([405, 'GET, HEAD']);
    expect([headed?.response.status, headed?.header('Content-Length'), textOf(headed)]).to.deep.equal([
      200,
      '13',
      '',
    ]);
    expect(textOf(passed)).to.equal('next at 200');
  });

  it('throws at creation for an invalid root or setHeaders [F-2.11-28]', () => {
    expect(() => framework.static('')).to.throw(TypeError, 'root path required');
    expect(() => framework.static(7 as never)).to.throw(TypeError, 'root path must be a string');
    expect(() => framework.static('.', { setHeaders: 'no' } as never)).to.throw(
      TypeError,
      'option setHeaders must be function',
    );
  });

  it('has the function name of Express, and so has its middleware [F-2.11-28]', () => {
    const serve = framework.static('.');

    expect([framework.static.name, framework.static.length, serve.name, serve.length]).to.deep.equal([
      'serveStatic',
      2,
      'serveStatic',
      3,
    ]);
  });

  it('reads the options for each request, and never changes them [F-2.11-22]', async () => {
    const options: { maxAge?: number; dotfiles: string } = Object.freeze({ dotfiles: 'allow' });
    const live: { etag?: boolean } = {};
    const app = framework();
    app.use(framework.static(rootOf(), live));
    live.etag = false;

    const [exchange] = await play(app, get('/hello.txt'));

    expect(exchange?.header('ETag')).to.equal(undefined);
    expect(live).to.deep.equal({ etag: false });
    expect(await ask(options, '/.env')).to.deep.equal(['200 SECRET=1']);
  });

  it('follows symbolic links inside the root [F-2.11-28]', async () => {
    const [root, elsewhere] = [rootOf(), filesOf({ 'shared.txt': 'shared' })];
    symlinkSync(join(elsewhere, 'shared.txt'), join(root, 'link.txt'));
    symlinkSync(join(elsewhere, 'none'), join(root, 'broken.txt'));
    symlinkSync('loop.txt', join(root, 'loop.txt'));

    const exchanges = await playBeside(site(root), get('/link.txt'), get('/broken.txt'), get('/loop.txt'));

    expect(exchanges.map(({ response }) => response.status)).to.deep.equal([200, 200, 500]);
  });
});

describe('framework.static(), ranges and conditional requests (§2.11)', () => {
  const LENGTH = 13;

  for (const range of [
    'bytes=0-4',
    'bytes=7-',
    'bytes=-3',
    'bytes=0-0',
    'bytes=12-12',
    'bytes=0-999',
    'bytes=13-',
    'bytes=-0',
    'bytes=5-2',
    'bytes=0-1,3-4',
    'bytes=0-4,2-8',
    'bytes=0-1,2-3',
    'bytes= 0-4',
    ' bytes=0-4',
    'BYTES=0-4',
    'lines=0-4',
    'bytes=',
    'bytes=a-b',
    'bytes=-999',
    'bytes=0-4,',
    'bytes=99-,0-1',
    `bytes=${'0-1,'.repeat(500)}0-1`,
  ]) {
    it(`responds to Range: ${range.slice(0, 40)} as Express does, with part of the file or all of it [F-2.11-28]`, async () => {
      const [got, headed] = await playBeside(
        site(rootOf()),
        get('/hello.txt', { Range: range }),
        head('/hello.txt', { Range: range }),
      );

      expect(got?.response.status).to.be.oneOf([200, 206, 416]);
      expect(headed?.response.status).to.equal(got?.response.status);
      if (got?.response.status !== 416) expect(Number(got?.header('Content-Length'))).to.be.within(1, LENGTH);
    });
  }

  it('sends the whole file if acceptRanges is false [F-2.11-28]', async () => {
    const [exchange] = await playBeside(
      site(rootOf(), { acceptRanges: false }),
      get('/hello.txt', { Range: 'bytes=0-1' }),
    );

    expect([exchange?.response.status, exchange?.header('Accept-Ranges')]).to.deep.equal([200, undefined]);
  });

  it('passes its options start and end to send [F-2.11-28]', async () => {
    for (const options of [{ start: 3 }, { start: 3, end: 5 }, { end: 4 }, { start: 99 }]) {
      await playBeside(site(rootOf(), options), get('/hello.txt'), get('/hello.txt', { Range: 'bytes=1-2' }));
    }
  });

  const AT = 'Thu, 29 Feb 2024 12:00:00 GMT';
  const BEFORE = 'Thu, 29 Feb 2024 11:59:59 GMT';
  for (const [headers, status] of [
    [{ 'If-Modified-Since': AT }, 304],
    [{ 'If-Modified-Since': BEFORE }, 200],
    [{ 'If-Modified-Since': 'yesterday' }, 200],
    [{ 'If-None-Match': '*' }, 304],
    [{ 'If-None-Match': '"other"' }, 200],
    [{ 'If-None-Match': '"other"', 'If-Modified-Since': AT }, 200],
    [{ 'If-None-Match': '*', 'Cache-Control': 'no-cache' }, 200],
    [{ 'If-Match': '*' }, 200],
    [{ 'If-Match': '"other"' }, 412],
    [{ 'If-Match': ' , "a" ,"b"' }, 412],
    [{ 'If-Unmodified-Since': AT }, 200],
    [{ 'If-Unmodified-Since': BEFORE }, 412],
    [{ Range: 'bytes=0-1', 'If-Range': AT }, 206],
    [{ Range: 'bytes=0-1', 'If-Range': BEFORE }, 200],
    [{ Range: 'bytes=0-1', 'If-Range': '"other"' }, 200],
    [{ Range: 'bytes=0-1', 'If-None-Match': '*' }, 304],
  ] as const) {
    it(`responds ${status} to ${JSON.stringify(headers)} [F-2.11-08 F-2.11-20]`, async () => {
      const exchanges = await playBeside(
        site(rootOf()),
        get('/hello.txt', headers as never),
        head('/hello.txt', headers as never),
      );

      expect(exchanges.map(({ response }) => response.status)).to.deep.equal([status, status]);
    });
  }

  it('responds 304 to the ETag that it has sent [F-2.11-08]', async () => {
    const exchanges = await playBeside(
      site(rootOf()),
      get('/hello.txt'),
      (seen) => get('/hello.txt', { 'If-None-Match': `"x", ${seen[0]?.header('ETag')}` }),
      (seen) => get('/hello.txt', { 'If-Match': seen[0]?.header('ETag') ?? '' }),
      (seen) => get('/hello.txt', { Range: 'bytes=0-1', 'If-Range': seen[0]?.header('ETag') ?? '' }),
    );

    expect(exchanges.map(({ response }) => response.status)).to.deep.equal([200, 304, 200, 206]);
  });
});
