/** The option `preCompressed` of `static`, which Express does not have. Also beside recordings of nginx. */
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import framework, { type ErrorRequestHandler } from 'nozomi';
import framework4 from 'nozomi/4';
import { ROOT } from '../support/command';
import { descriptors, descriptorsBeyond } from '../support/descriptors';
import { filesOf } from '../support/files';
import { serving } from '../support/serve';
import { askHttp1 } from '../transports/support';
import { askForFiles, copySite, RECORDING } from './gzip-static';

const TEXT = 'The train now arriving at platform 14 is the Nozomi super express.\n'.repeat(30);
const WHEN = new Date('2026-01-01T00:00:00Z');

/** Creates a directory whose files all have the same time. */
function siteOf(files: Readonly<Record<string, string | Buffer>>): string {
  const root = filesOf({});
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(root, name), content);
    utimesSync(join(root, name), WHEN, WHEN);
  }
  return root;
}

const site = (): string =>
  siteOf({
    'app.js': TEXT,
    'app.js.br': brotliCompressSync(TEXT),
    'app.js.gz': gzipSync(TEXT),
    'app.js.zst': 'not read by this spec',
    'index.html': TEXT,
    'index.html.gz': gzipSync(TEXT),
    'plain.txt': TEXT,
  });

const ask = (port: number, path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') =>
  askHttp1(port, { path, headers, method });
const accept = (codings: string): OutgoingHttpHeaders => ({ 'Accept-Encoding': codings });
const app = (root: string, options: object = {}) =>
  framework()
    .set('env', 'test')
    .use(framework.static(root, { preCompressed: true, ...options }));
const codingOf = async (port: number, codings: string): Promise<string | undefined> =>
  (await ask(port, '/app.js', accept(codings))).headers['content-encoding'];

describe('static, option preCompressed', () => {
  const { br, gzip } = { br: brotliCompressSync(TEXT), gzip: gzipSync(TEXT) };

  for (const [name, make] of Object.entries({ nozomi: framework, 'nozomi/4': framework4 }))
    it(`${name}: sends the file with the coding, the type of the original and Vary, again and again`, () => {
      const serve = make.static as typeof framework.static;
      return serving(make().use(serve(site(), { preCompressed: true }) as never), async (port) => {
        for (let turn = 0; turn < 3; turn++) {
          const { status, headers, body } = await ask(port, '/app.js', accept('gzip, deflate, br'));
          expect([status, headers['content-encoding'], headers.vary]).to.deep.equal([
            200,
            'br',
            'Accept-Encoding',
          ]);
          expect(headers['content-type']).to.match(/^(text|application)\/javascript/);
          expect(brotliDecompressSync(body).toString()).to.equal(TEXT);
          expect(headers['content-length']).to.equal(`${br.length}`);
        }
      });
    });

  it('sends the coding that the client prefers, and among equals br, zstd, gzip', () =>
    serving(app(site()), async (port) => {
      for (const [codings, expected] of Object.entries({
        'gzip, deflate, br, zstd': 'br',
        'gzip, zstd': 'zstd',
        gzip: 'gzip',
        'GZIP;Q=0.5': 'gzip',
        'br;q=0.1, gzip;q=0.9': 'gzip',
        'br;q=0, *': 'zstd',
        '*;q=0': undefined,
        'gzip;q=0': undefined,
        'gzip;q=x': undefined,
        'identity, gzip;q=0.5': undefined,
        deflate: undefined,
        'xgzip, brotli': undefined,
        ',;q=1;;,': undefined,
      }))
        expect(await codingOf(port, codings), codings).to.equal(expected);
      expect((await ask(port, '/app.js')).headers).to.not.have.property('content-encoding');
    }));

  it('looks only for the given codings, in their order', () =>
    serving(app(site(), { preCompressed: ['gzip', 'br'] }), async (port) => {
      expect(await codingOf(port, 'br, gzip, zstd')).to.equal('gzip');
      expect(await codingOf(port, 'zstd')).to.equal(undefined);
    }));

  it('throws for a coding that it does not know', () => {
    for (const preCompressed of [['deflate'], ['toString'], 'gzip', 1])
      expect(() => app('.', { preCompressed })).to.throw(
        TypeError,
        'option preCompressed: use true or an array',
      );
  });

  it('changes nothing without the option, or with false', async () => {
    for (const options of [undefined, { preCompressed: false }])
      await serving(framework().use(framework.static(site(), options)), async (port) => {
        const { headers, body } = await ask(port, '/app.js', accept('br'));
        expect(headers).to.not.have.any.keys('content-encoding', 'vary');
        expect(body.toString()).to.equal(TEXT);
      });
  });

  it('sends Vary with each response of a file that has another coding, and with no other', () =>
    serving(app(site()), async (port) => {
      for (const codings of ['br', 'identity'])
        expect((await ask(port, '/app.js', accept(codings))).headers.vary).to.equal('Accept-Encoding');
      expect((await ask(port, '/plain.txt', accept('br'))).headers).to.not.have.property('vary');
      expect((await ask(port, '/missing.js', accept('br'))).headers).to.not.have.property('vary');
    }));

  it('sends a different ETag for each coding, even for files of the same size and time', () => {
    const root = siteOf({ 'a.txt': 'four', 'a.txt.br': 'quad', 'a.txt.gz': 'kvar' });
    return serving(app(root), async (port) => {
      const tags = new Set<string | undefined>();
      for (const codings of ['br', 'gzip', 'identity'])
        tags.add((await ask(port, '/a.txt', accept(codings))).headers.etag);
      expect(tags).to.have.property('size', 3);
    });
  });

  it('sends 304 only for the ETag of the coding that the client gets', () =>
    serving(app(site()), async (port) => {
      const tagOf = async (codings: string) => (await ask(port, '/app.js', accept(codings))).headers.etag;
      const [ofBrotli, ofGzip] = [await tagOf('br'), await tagOf('gzip')];
      const status = async (codings: string, tag: string | undefined) => {
        const { status, headers } = await ask(port, '/app.js', { ...accept(codings), 'If-None-Match': tag });
        expect(headers.vary).to.equal('Accept-Encoding');
        return [status, headers['content-encoding']];
      };
      expect(await status('br', ofBrotli)).to.deep.equal([304, undefined]);
      expect(await status('br', ofGzip)).to.deep.equal([200, 'br']);
      expect(await status('gzip', ofGzip)).to.deep.equal([304, undefined]);
    }));

  it('sends ranges of the compressed file, and 416 and 412 without Content-Encoding', () =>
    serving(app(site()), async (port) => {
      const range = await ask(port, '/app.js', { ...accept('gzip'), Range: 'bytes=1-4' });
      expect([range.status, range.headers['content-range']]).to.deep.equal([206, `bytes 1-4/${gzip.length}`]);
      expect(range.body).to.deep.equal(gzip.subarray(1, 5));
      for (const [status, headers] of [
        [416, { Range: 'bytes=999999-' }],
        [412, { 'If-Match': '"x"' }],
      ] as const) {
        const failed = await ask(port, '/app.js', { ...accept('gzip'), ...headers });
        expect(failed.status).to.equal(status);
        expect(failed.headers).to.not.have.property('content-encoding');
      }
    }));

  it('sends an error handler no Content-Encoding', () => {
    const respond: ErrorRequestHandler = (_err, _req, res, _next) => void res.status(400).json({});
    return serving(app(site()).use(respond), async (port) => {
      const { headers, body } = await ask(port, '/app.js', { ...accept('br'), Range: 'bytes=999999-' });
      expect(headers).to.not.have.property('content-encoding');
      expect(body.toString()).to.equal('{}');
    });
  });

  it('sends the same headers for HEAD', () =>
    serving(app(site()), async (port) => {
      const [got, headed] = [
        await ask(port, '/app.js', accept('br')),
        await ask(port, '/app.js', accept('br'), 'HEAD'),
      ];
      expect({ ...headed.headers, date: '' }).to.deep.equal({ ...got.headers, date: '' });
      expect(headed.body).to.have.property('length', 0);
    }));

  it('works for the index of a directory and for added extensions', () =>
    serving(app(site(), { extensions: ['html'] }), async (port) => {
      for (const path of ['/', '/index', '/index.html']) {
        const { headers, body } = await ask(port, path, accept('gzip'));
        expect([headers['content-encoding'], headers['content-type']], path).to.deep.equal([
          'gzip',
          'text/html; charset=utf-8',
        ]);
        expect(gunzipSync(body).toString()).to.equal(TEXT);
      }
    }));

  it('calls setHeaders with the path of the original, so that it can choose Cache-Control by pattern', () => {
    const setHeaders = (res: ServerResponse, path: string): void => {
      if (/-[\da-f]{8}\.js$/.test(path))
        res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    };
    const root = siteOf({
      'app-0123abcd.js': TEXT,
      'app-0123abcd.js.br': br,
      'app.js': TEXT,
      'app.js.br': br,
    });
    return serving(app(root, { setHeaders }), async (port) => {
      for (let turn = 0; turn < 2; turn++) {
        const { headers } = await ask(port, '/app-0123abcd.js', accept('br'));
        expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
        expect((await ask(port, '/app.js', accept('br'))).headers['cache-control']).to.equal(
          'public, max-age=0',
        );
      }
    });
  });

  it('finds files that are removed at once, and new ones within two seconds', async () => {
    const root = site();
    await serving(app(root), async (port) => {
      expect(await codingOf(port, 'br')).to.equal('br');
      expect(await codingOf(port, 'br')).to.equal('br');
      rmSync(join(root, 'app.js.br'));
      expect(await codingOf(port, 'br')).to.equal(undefined);
      writeFileSync(join(root, 'app.js.br'), br);
      const end = Date.now() + 10_000;
      while ((await codingOf(port, 'br')) !== 'br') expect(Date.now()).to.be.below(end);
    });
  });

  it('finds new files although the clock of the machine is set back', async () => {
    const root = siteOf({ 'a.txt': TEXT });
    const { now } = Date;
    await serving(app(root), async (port) => {
      const coding = async () => (await ask(port, '/a.txt', accept('br'))).headers['content-encoding'];
      expect(await coding()).to.equal(undefined);
      Date.now = () => now() - 3_600_000;
      writeFileSync(join(root, 'a.txt.br'), br);
      const end = performance.now() + 10_000;
      while ((await coding()) !== 'br') expect(performance.now()).to.be.below(end);
    }).finally(() => {
      Date.now = now;
    });
  });

  it('sends the original if the compressed file is a directory', () => {
    const root = siteOf({ 'a.txt': TEXT });
    mkdirSync(join(root, 'a.txt.gz'));
    return serving(app(root), async (port) => {
      for (let turn = 0; turn < 2; turn++) {
        const { status, body } = await ask(port, '/a.txt', accept('gzip'));
        expect([status, body.toString()]).to.deep.equal([200, TEXT]);
      }
    });
  });

  it('never leaves the root, and keeps no file open, for any path and Accept-Encoding', async function () {
    this.timeout(60_000);
    const root = site();
    await serving(app(root), async (port) => {
      await ask(port, '/app.js', accept('br'));
      const open = descriptors();
      const word = fc.constantFrom(
        '..',
        '%2e%2e',
        'app.js',
        'app.js.br',
        '.br',
        '%00',
        'index.html',
        '',
        'a'.repeat(300),
      );
      const coding = fc.constantFrom(
        'br',
        'gzip',
        'zstd',
        '*',
        'identity',
        'br;q=0',
        ';q=;',
        'q=1',
        '"',
        '\t',
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(word, { maxLength: 4 }),
          fc.array(coding, { maxLength: 5 }),
          async (words, codings) => {
            const { status, headers, body } = await ask(
              port,
              `/${words.join('/')}`,
              accept(codings.join(', ')),
            );
            expect(status).to.be.oneOf([200, 301, 400, 403, 404]);
            if (status === 200 && headers['content-encoding'] === 'br') expect(body).to.deep.equal(br);
          },
        ),
      );
      expect(await descriptorsBeyond(open)).to.equal(0);
    });
  });

  // The recording has no ranges of compressed files: nginx sends none.
  describe('beside the recorded gzip_static of nginx', () => {
    const { exchanges } = JSON.parse(readFileSync(join(ROOT, RECORDING), 'utf8'));

    it('sends the same bytes, status and headers', () =>
      serving(
        app(copySite(), { preCompressed: ['gzip'], cacheControl: false, etag: false }),
        async (port) => {
          expect(await askForFiles(port)).to.deep.equal(exchanges);
        },
      ));
  });
});
