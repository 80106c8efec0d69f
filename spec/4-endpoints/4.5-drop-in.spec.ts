import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import compression from 'compression';
import cors from 'cors';
import type { Express, RequestHandler } from 'express';
import session from 'express-session';
import helmet from 'helmet';
import onFinished from 'on-finished';
import onHeaders from 'on-headers';
import responseTime from 'response-time';
import type { Exchange } from '../../parity/client/messages';
import { get, head, onOneConnection, options, request, type Step } from '../../parity/client/request';
import { type Framework, IMPLEMENTATIONS, play, playBoth } from '../support/both';

const FILES = join(__dirname, '../../fixtures/files');
const LONG = 'grün '.repeat(500);

/** Adds routes that respond in different ways, to an application that has middleware already. */
function withResponses(app: Express): Express {
  app.set('views', join(FILES, '../views')).set('view engine', 'ejs').set('env', 'test');
  app.get('/text', (_req, res) => res.send('short'));
  app.get('/long', (_req, res) => res.send(LONG));
  app.get('/bytes', (_req, res) => res.send(Buffer.from(LONG)));
  app.get('/json', (_req, res) => res.json({ LONG }));
  app.get('/jsonp', (_req, res) => res.jsonp({ LONG }));
  app.get('/status', (_req, res) => res.sendStatus(202));
  app.get('/none', (_req, res) => res.status(204).send(LONG));
  app.get('/redirect', (_req, res) => res.redirect('/text'));
  app.get('/file', (_req, res) => res.sendFile(join(FILES, 'shelf/page.html')));
  app.get('/download', (_req, res) => res.download(join(FILES, 'hello.txt')));
  app.get('/view', (_req, res) => res.render('users', { name: LONG }));
  app.get('/stream', (_req, res) => {
    res.type('text').write(LONG);
    res.end(LONG);
  });
  app.get('/end', (_req, res) => res.end('ended'));
  app.get('/broken', () => {
    throw Object.assign(new Error('broken'), { status: 503, stack: 'no stack' });
  });
  return app;
}

// biome-ignore format: a table
const PATHS = [
  '/text', '/long', '/bytes', '/json', '/jsonp?callback=go', '/status', '/none', '/redirect', '/file',
  '/download', '/view', '/stream', '/end', '/broken', '/missing',
];
const everyResponse = (headers = {}): Step[] => [
  ...PATHS.map((path) => get(path, headers)),
  ...['/long', '/json', '/file'].flatMap((path) => [
    head(path, headers),
    get(path, { 'If-None-Match': '*', ...headers }),
    get(path, { Range: 'bytes=0-9', ...headers }),
  ]),
];

function appWith(...handlers: RequestHandler[]) {
  return (framework: Framework): Express => {
    const app = framework();
    for (const handler of handlers) app.use(handler);
    return withResponses(app);
  };
}

describe('published middleware that wraps the response', () => {
  for (const encoding of ['gzip', 'deflate', 'br', 'identity']) {
    it(`compression sends the same bytes as with Express in ${encoding}`, async () => {
      const build = appWith(compression({ threshold: 100 }) as RequestHandler);

      const { reference, build: own } = await playBoth(
        build,
        ...everyResponse({ 'Accept-Encoding': encoding }),
      );

      expect(own).to.deep.equal(reference);
      const isEncoded = own[1]?.includes(`Content-Encoding: ${encoding}`);
      expect(isEncoded).to.equal(encoding !== 'identity');
    });
  }

  it('compression: a compressed response decodes to the original text', async () => {
    const app = appWith(compression() as RequestHandler)(IMPLEMENTATIONS.build);

    const [response] = await play(app, [get('/long', { 'Accept-Encoding': 'gzip' })]);

    expect(gunzipSync(Buffer.from(response?.at(-3) ?? '', 'latin1')).toString()).to.equal(LONG);
  });

  it('express-session sets its cookie, and saves the session before the response is sent', async () => {
    const build = (framework: Framework) => {
      const app = framework();
      app.use(
        session({ secret: 'secret', resave: false, saveUninitialized: false, genid: () => 'the-only-one' }),
      );
      app.get('/count', (req, res) => {
        const kept = req.session as unknown as { count?: number };
        kept.count = (kept.count ?? 0) + 1;
        res.json(kept.count);
      });
      app.get('/sign-out', (req, res, next) => {
        req.session.destroy((err) => (err ? next(err) : res.redirect('/text')));
      });
      return withResponses(app);
    };
    const again = (path: string) => (seen: readonly Exchange[]) =>
      get(path, { Cookie: seen[0]?.header('Set-Cookie')?.split(';')[0] ?? '' });

    // biome-ignore format: a table
    const { reference, build: own } = await playBoth(
      build,
      get('/count'), again('/count'), again('/count'), again('/sign-out'), again('/count'),
      ...everyResponse(),
    );

    expect(own).to.deep.equal(reference);
    expect([0, 1, 2, 4].map((index) => own[index]?.at(-3))).to.deep.equal(['1', '2', '3', '1']);
  });

  it('response-time, on-headers and on-finished call their listeners once per response', async () => {
    const seen: Record<string, string[]> = { Express: [], Nozomi: [] };
    const build = (name: string) => (framework: Framework) => {
      const app = framework();
      app.use(
        responseTime((_req, res) => void res.setHeader('X-Response-Time', 'measured')) as RequestHandler,
      );
      app.use((req, res, next) => {
        onHeaders(res, function (this: typeof res) {
          seen[name]?.push(`head ${req.url} ${this.statusCode} ${this.getHeaderNames()}`);
          this.setHeader('X-Late', 'yes');
        });
        onFinished(res, (err) => seen[name]?.push(`end ${req.url} ${err}`));
        next();
      });
      return withResponses(app);
    };

    const reference = await play(build('Express')(IMPLEMENTATIONS.reference), everyResponse());
    const own = await play(build('Nozomi')(IMPLEMENTATIONS.build), everyResponse());

    expect(own).to.deep.equal(reference);
    expect(seen.Nozomi).to.deep.equal(seen.Express);
    expect(seen.Nozomi).to.have.lengthOf(2 * everyResponse().length);
    expect(own.every((response) => response.includes('X-Late: yes'))).to.equal(true);
  });

  it('helmet and cors send the same headers in the same order as with Express', async () => {
    const build = appWith(helmet() as RequestHandler, cors({ origin: /parity/, credentials: true }));
    const asked = everyResponse({ Origin: 'http://parity.test' });

    const { reference, build: own } = await playBoth(
      build,
      ...asked,
      options('/text', { Origin: 'http://parity.test', 'Access-Control-Request-Method': 'PUT' }),
    );

    expect(own).to.deep.equal(reference);
    expect(own[0]).to.include('Access-Control-Allow-Origin: http://parity.test');
  });

  it('all of these middlewares together send the same bytes as with Express, on one connection', async () => {
    const build = appWith(
      helmet() as RequestHandler,
      cors(),
      compression({ threshold: 0 }) as RequestHandler,
      session({ secret: 'secret', resave: true, saveUninitialized: true, genid: () => 'one' }),
    );
    const asked = PATHS.filter((path) => path !== '/missing').map((path) =>
      request('GET', path, undefined, { 'Accept-Encoding': 'gzip' }),
    );

    const { reference, build: own } = await playBoth(build, onOneConnection(...asked));

    expect(own).to.deep.equal(reference);
    expect(own).to.have.lengthOf(asked.length);
  });
});
