import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import {
  createServer as createSecureServer,
  get,
  type RequestOptions,
  Server as SecureServer,
} from 'node:https';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import framework from 'nozomi';
import request from 'supertest';
import { muteDeprecations } from '../support/both';
import { serving } from '../support/serve';
import { thenable } from '../support/thenable';

/** @returns Middleware that records its name and calls `next`, with `err` if given. */
const note =
  (name: string, ...err: unknown[]): RequestHandler =>
  (_req, res, next) => {
    res.append('X-Seen', name);
    next(...(err as []));
  };

const sendSeen: RequestHandler = (_req, res) => void res.send(String(res.get('X-Seen')));
const sendError: ErrorRequestHandler = (err, _req, res, _next) => void res.status(500).send(String(err));

describe('an application (§1)', () => {
  it('is a request listener for http.createServer(app) [F-1-01 F-1-02]', async () => {
    const app = framework();
    app.get('/', (_req, res) => void res.send('here'));

    expect(app).to.be.a('function').with.lengthOf(3);
    const res = await request(createServer(app)).get('/');
    expect(res.text).to.equal('here');
  });

  it('handles requests of an HTTP and an HTTPS server at the same time, and is not a server itself [F-1-03 F-1-04]', async () => {
    const app = framework();
    app.get('/', (req, res) => void res.send(req.protocol));
    // The TLS server uses a shared key instead of a certificate.
    const psk = Buffer.from('0123456789abcdef');
    await serving(createSecureServer({ pskCallback: () => psk, ciphers: 'PSK' }, app), async (port) => {
      const [response] = await once(
        get({
          port,
          pskCallback: () => ({ psk, identity: 'spec' }),
          ciphers: 'PSK',
          checkServerIdentity: () => undefined,
        } as RequestOptions),
        'response',
      );
      const texts = [await text(response), (await request(createServer(app)).get('/')).text];

      expect(texts).to.deep.equal(['https', 'http']);
    });
    expect(app).to.not.be.instanceOf(Server);
    expect(app).to.not.be.instanceOf(SecureServer);
  });

  it('routes requests by method and path [F-1-05]', async () => {
    const app = framework();
    app.get('/a', (_req, res) => void res.send('get a'));
    app.post('/a', (_req, res) => void res.send('post a'));
    app.get('/b', (_req, res) => void res.send('get b'));

    expect((await request(app).get('/a')).text).to.equal('get a');
    expect((await request(app).post('/a')).text).to.equal('post a');
    expect((await request(app).get('/b')).text).to.equal('get b');
    expect((await request(app).post('/b')).status).to.equal(404);
  });

  it('runs mounted applications and routers [F-1-07 F-1-08]', async () => {
    const [app, sub] = [framework(), framework()];
    const router = framework.Router();
    sub.get('/x', (_req, res) => void res.send('sub-application'));
    router.get('/x', (_req, res) => void res.send('router'));
    app.use('/sub', sub).use('/router', router);

    expect((await request(app).get('/sub/x')).text).to.equal('sub-application');
    expect((await request(app).get('/router/x')).text).to.equal('router');
  });

  it('renders views, has helper methods on request and response, and built-in middleware [F-1-09 F-1-10 F-1-11 F-1-12]', async () => {
    const app = framework();
    app.engine('txt', (_path, options, done) => done(null, `hello ${(options as { name: string }).name}`));
    app.set('views', __dirname).set('view engine', 'txt');
    app.set(
      'view',
      class {
        path = __filename;
        render(options: object, done: () => void): void {
          (app as unknown as { engines: Record<string, (...args: unknown[]) => void> }).engines['.txt']?.(
            this.path,
            options,
            done,
          );
        }
      },
    );
    app.get('/', (req, res) => void res.status(201).render('any', { name: req.path }));

    const res = await request(app).get('/');

    expect([res.status, res.text]).to.deep.equal([201, 'hello /']);
    for (const name of ['json', 'raw', 'text', 'urlencoded', 'static', 'Router'] as const) {
      expect(framework[name]).to.be.a('function');
    }
  });

  it('responds 404 to every request if it has no handlers [F-1-13]', async () => {
    const app = framework();

    for (const method of ['get', 'post', 'options', 'delete'] as const) {
      expect((await request(app)[method]('/')).status).to.equal(404);
    }
  });
});

describe('order of handlers and next(), rules 1 to 3 (§1)', () => {
  it('matching handlers run in order of registration until one responds [F-1-06 F-1-14 F-1-15 F-1-16 F-1-20]', async () => {
    const app = framework();
    app.use(note('use'));
    app.get('/', note('route'), note('second'));
    app.use('/elsewhere', note('never'));
    app.all('/', note('all'));
    app.get('/', sendSeen);
    app.get('/', () => expect.fail('a later responder ran'));

    expect((await request(app).get('/')).text).to.equal('use,route,second,all');
  });

  it('functions with four parameters are called only for errors [F-1-17 F-1-18 F-1-19]', async () => {
    const app = framework();
    const many = ((_err: unknown, _req: unknown, _res: unknown, _next: unknown, _more: unknown) =>
      expect.fail('five parameters are neither')) as unknown as RequestHandler;
    app.use(((_err, _req, _res, _next) => expect.fail('no error yet')) as ErrorRequestHandler);
    app.use(many);
    app.get('/', note('one', new Error('broken')));
    app.use(note('skipped'), many);
    app.use(((err, _req, _res) => expect.fail(String(err))) as RequestHandler);
    app.use(((err, _req, res, next) => {
      res.append('X-Seen', 'handler');
      next(err);
    }) as ErrorRequestHandler);
    app.use(((err, _req, res, _next) => void res.send(`${res.get('X-Seen')} ${err}`)) as ErrorRequestHandler);

    expect((await request(app).get('/')).text).to.equal('one,handler Error: broken');
  });

  it('next(err) skips regular handlers and earlier error handlers [F-1-21 F-7-01 F-7-04]', async () => {
    const app = framework();
    app.use(((_err, _req, _res, _next) => expect.fail('too early')) as ErrorRequestHandler);
    app.get('/', note('first', 'trouble'), note('skipped'));
    app.use(note('skipped'));
    app.use(sendError);

    const res = await request(app).get('/');

    expect([res.text, res.get('X-Seen')]).to.deep.equal(['trouble', 'first']);
  });

  it('next("route") continues with the next matching route [F-1-22]', async () => {
    const app = framework();
    app.get('/', note('one', 'route'), note('skipped'));
    app.get('/', note('two'), sendSeen);

    expect((await request(app).get('/')).text).to.equal('one,two');
  });

  it('next("router") leaves the router and continues in its parent [F-1-23]', async () => {
    const app = framework();
    const router = framework.Router();
    router.get('/', note('one', 'router'), note('skipped'));
    router.use(note('skipped'));
    app.use(router, sendSeen);

    expect((await request(app).get('/')).text).to.equal('one');
  });

  it('next("router") in an application continues in its parent, or with the final 404 [F-1-24]', async () => {
    const [app, sub] = [framework(), framework()];
    sub.use(note('sub', 'router'), note('skipped'));
    app.use('/sub', sub, sendSeen);
    app.use(note('app', 'router'), note('skipped'));

    expect((await request(app).get('/sub')).text).to.equal('sub');
    const res = await request(app).get('/');
    expect([res.status, res.get('X-Seen')]).to.deep.equal([404, 'app']);
  });
});

describe('handlers that throw or reject, rule 4 (§1)', () => {
  muteDeprecations();

  const failing: Array<[string, RequestHandler, string]> = [
    [
      'a thrown error [F-1-25 F-7-02]',
      () => {
        throw new Error('thrown');
      },
      'Error: thrown',
    ],
    [
      'a rejected promise [F-1-26 F-7-03]',
      async () => {
        throw new Error('rejected');
      },
      'Error: rejected',
    ],
    ['a rejection without a reason [F-1-26]', () => Promise.reject(), 'Error: Rejected promise'],
    [
      'a promise of another make [F-1-26]',
      (() => thenable((_resolve, reject) => reject('foreign'))) as RequestHandler,
      'foreign',
    ],
    [
      'a then that throws [F-1-26]',
      (() =>
        thenable(() => {
          throw new Error('then');
        })) as RequestHandler,
      'Error: then',
    ],
  ];
  for (const [what, handler, message] of failing) {
    it(`an error handler receives the error of a route or middleware: ${what} [F-1-27]`, async () => {
      const app = framework();
      app.get('/route', handler, note('skipped'));
      app.use('/use', handler, note('skipped'));
      app.use(sendError);

      const texts = [(await request(app).get('/route')).text, (await request(app).get('/use')).text];

      expect(texts).to.deep.equal([message, message]);
    });
  }

  it('a handler that throws undefined continues like next() [F-1-25]', async () => {
    const app = framework();
    app.get(
      '/',
      () => {
        throw undefined;
      },
      note('after'),
      sendSeen,
    );

    expect((await request(app).get('/')).text).to.equal('after');
  });

  it('an error that an error handler throws or rejects with goes to the next error handler [F-1-28]', async () => {
    const app = framework();
    app.get('/', note('', 'first'));
    app.use(((err, _req, _res, _next) => {
      throw new Error(`${err}, second`);
    }) as ErrorRequestHandler);
    app.use((async (err, _req, _res, _next) => {
      throw new Error(`${err}, third`);
    }) as ErrorRequestHandler);
    app.use(sendError);

    expect((await request(app).get('/')).text).to.equal('Error: Error: first, second, third');
  });
});

describe('query strings and HEAD requests, rules 5 and 6 (§1)', () => {
  it('paths match without the query string [F-1-29]', async () => {
    const app = framework();
    app.get('/', (req, res) => void res.send(req.url));

    expect((await request(app).get('/?x=/y')).text).to.equal('/?x=/y');
  });

  it('a GET handler responds to HEAD with the same headers and no body [F-1-30]', async () => {
    const app = framework();
    app.get('/', (_req, res) => void res.send('hello'));

    const res = await request(app).head('/');

    expect([res.status, res.get('Content-Length'), res.text]).to.deep.equal([200, '5', undefined]);
  });

  it('a route for HEAD runs only if it is registered before the GET route [F-1-31 F-1-32 F-4.3-03]', async () => {
    const app = framework();
    app.head('/before', note('head'), (_req, res) => res.end());
    app.get('/before', note('get'), (_req, res) => res.end());
    app.get('/after', note('get'), (_req, res) => res.end());
    app.head('/after', note('head'), (_req, res) => res.end());
    app
      .route('/same')
      .get(note('get'), (_req, res) => res.end())
      .head(note('head'), (_req, res) => res.end());

    const seen = async (path: string): Promise<unknown> => (await request(app).head(path)).get('X-Seen');

    expect(await seen('/before')).to.equal('head');
    expect(await seen('/after')).to.equal('get');
    expect(await seen('/same')).to.equal('head');
  });
});

describe('mounted middleware, rule 7 (§1)', () => {
  it('middleware with a path runs for this path and paths below it, by whole segments [F-1-33 F-1-34]', async () => {
    const app = framework();
    app.use('/apple', (_req, res) => void res.send('apple'));

    for (const path of ['/apple', '/apple/', '/apple/images/news', '/APPLE/x', '/apple?x']) {
      expect((await request(app).get(path)).text).to.equal('apple');
    }
    for (const path of ['/apples', '/applejack/x', '/x/apple']) {
      expect((await request(app).get(path)).status).to.equal(404);
    }
  });

  it('middleware without a path runs for every request [F-1-35 F-4.2-30]', async () => {
    const app = framework();
    app.use((req, res) => void res.send(req.url));

    for (const path of ['/', '/a/b', '//']) expect((await request(app).get(path)).text).to.equal(path);
  });

  it('mounted middleware receives req.url without the mount path [F-1-36 F-1-37 F-1-38 F-1-39]', async () => {
    const app = framework();
    const seen: unknown[] = [];
    const look: RequestHandler = (req, _res, next) => {
      seen.push([req.url, req.baseUrl, req.originalUrl]);
      next();
    };
    const router = framework.Router().use('/:deep', look);
    app.use('/mount', look, router, look);
    app.use(look);
    app.use((_req, res) => void res.json(seen));

    const res = await request(app).get('/mount/b/c?q=1');

    expect(res.body).to.deep.equal([
      ['/b/c?q=1', '/mount', '/mount/b/c?q=1'],
      ['/c?q=1', '/mount/b', '/mount/b/c?q=1'],
      ['/b/c?q=1', '/mount', '/mount/b/c?q=1'],
      ['/mount/b/c?q=1', '', '/mount/b/c?q=1'],
    ]);
  });
});

describe('two routers on one path, rule 8 (§1)', () => {
  it('middleware of the first router also runs before routes of the second [F-1-40 F-1-42]', async () => {
    const app = framework();
    const [one, two] = [framework.Router(), framework.Router()];
    one.use(note('one'));
    two.get('/b', sendSeen);
    app.use('/x', one).use('/x', two);

    expect((await request(app).get('/x/b')).text).to.equal('one');
  });

  it('middleware of the second router does not run if a route of the first responded [F-1-41]', async () => {
    const app = framework();
    const [one, two] = [framework.Router(), framework.Router()];
    one.get('/a', note('one'), (_req, res) => res.end());
    two.use(note('two'));
    app.use('/x', one).use('/x', two);

    expect((await request(app).get('/x/a')).get('X-Seen')).to.equal('one');
  });
});

describe('long chains of handlers (§1)', () => {
  it('10,000 synchronous middlewares, or handlers of one route, do not overflow the stack [F-1-20]', async () => {
    const app = framework();
    let calls = 0;
    const count: RequestHandler = (_req, _res, next) => {
      calls++;
      next();
    };
    for (let i = 0; i < 10_000; i++) app.use(count);
    app.get(
      '/',
      Array(10_000).fill(count) as RequestHandler[],
      ((_req, res) => void res.send(String(calls))) as RequestHandler,
    );

    expect((await request(app).get('/')).text).to.equal('20000');
  });
});
