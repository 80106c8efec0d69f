import { METHODS } from 'node:http';
import { expect } from 'chai';
import type { IRouter, RequestHandler } from 'express';
import framework from 'nozomi';
import request from 'supertest';
import { request as ask, get } from '../../parity/client/request';
import { play } from '../support/both';
import { seenBy, type Verb } from './ask-router';

const DOCUMENTED = [
  'checkout',
  'copy',
  'delete',
  'get',
  'head',
  'lock',
  'merge',
  'mkactivity',
  'mkcol',
  'move',
  'm-search',
  'notify',
  'options',
  'patch',
  'post',
  'purge',
  'put',
  'report',
  'search',
  'subscribe',
  'trace',
  'unlock',
  'unsubscribe',
];

const respond =
  (text: string): RequestHandler =>
  (_req, res) =>
    void res.send(text);

const add =
  (name: string): RequestHandler =>
  (_req, res, next) => {
    res.append('X-Seen', name);
    next();
  };

const sendSeen: RequestHandler = (_req, res) => void res.send(String(res.get('X-Seen')));
const sendParams: RequestHandler = (req, res) => void res.json(req.params);

describe('app.METHOD() and app.all() (§4.2)', () => {
  for (const [index, method] of DOCUMENTED.entries()) {
    const id = `F-4.2-${String(index + 1).padStart(2, '0')}`;
    it(`${method}() exists on application, router and route, and handles only requests of that method [${id}]`, async () => {
      const made: Array<[string, (path: string, handler: RequestHandler) => unknown]> = [];
      const app = framework();
      const router = framework.Router();
      made.push(['/app', (path, handler) => (app as unknown as Verb)[method]?.(path, handler)]);
      made.push(['/router', (path, handler) => (router as unknown as Verb)[method]?.(path, handler)]);
      made.push(['/route', (path, handler) => (router.route(path) as unknown as Verb)[method]?.(handler)]);
      for (const [path, register] of made) register(path, respond('taken'));
      app.use(router);

      for (const [path] of made) {
        const [taken, other] = await play(app, [
          ask(method.toUpperCase(), path),
          ask(method === 'post' ? 'PUT' : 'POST', path),
        ]);
        expect(taken?.[0]).to.equal('HTTP/1.1 200 OK');
        expect(other?.[0]).to.equal('HTTP/1.1 404 Not Found');
      }
    });
  }

  it('every method of Node.js has a function, also m-search [F-4.2-24 F-4.2-25]', () => {
    const app = framework() as unknown as Record<string, unknown>;
    const router = framework.Router() as unknown as Record<string, unknown>;

    for (const method of METHODS.map((name) => name.toLowerCase())) {
      expect(app[method], method).to.be.a('function');
      expect(router[method], method).to.be.a('function');
    }
    expect(app['m-search']).to.be.a('function');
  });

  for (const [id, method] of [
    ['F-4.2-42', 'get'],
    ['F-4.2-43', 'post'],
    ['F-4.2-44', 'put'],
    ['F-4.2-45', 'delete'],
  ] as const) {
    it(`app.${method}(path, ...callbacks) handles requests of that method [${id}]`, async () => {
      const app = framework();
      app[method]('/x', add('one'), add('two'), sendSeen);

      expect((await request(app)[method]('/x')).text).to.equal('one,two');
      expect((await request(app).patch('/x')).status).to.equal(404);
    });
  }

  it('app.all handles every method, with several callbacks [F-4.2-39 F-4.2-41]', async () => {
    const app = framework();
    app.all('/x', add('one'), [add('two')], sendSeen);

    for (const method of ['get', 'post', 'delete', 'options', 'patch'] as const) {
      expect((await request(app)[method]('/x')).text).to.equal('one,two');
    }
  });

  it('OPTIONS without a handler gets a response with the methods of all matching routes [F-4.2-39]', async () => {
    const app = framework();
    app.get('/x', respond('')).post('/x', respond('')).get('/:y', respond('')).all('/z', respond(''));
    app.use('/sub', framework.Router().put('/x', respond('')));

    const [x, sub, none] = await play(app, [
      ask('OPTIONS', '/x'),
      ask('OPTIONS', '/sub/x'),
      ask('OPTIONS', '/a/b'),
    ]);

    expect(x).to.include.members([
      'Allow: GET, HEAD, POST',
      'GET, HEAD, POST',
      'X-Content-Type-Options: nosniff',
    ]);
    expect(sub).to.include('Allow: PUT');
    expect(none?.[0]).to.equal('HTTP/1.1 404 Not Found');
  });
});

describe('paths of routes (§4.2)', () => {
  const matching: Array<[title: string, path: unknown, requests: Record<string, object | undefined>]> = [
    [
      'a string [F-4.2-26]',
      '/about',
      { '/about': {}, '/about/': {}, '/ABOUT': {}, '/abou': undefined, '/about/x': undefined },
    ],
    [
      'named parameters [F-4.2-27]',
      '/u/:user-:id/:file.:ext',
      {
        '/u/tj-7/a.txt': { user: 'tj', id: '7', file: 'a', ext: 'txt' },
        '/u/tj/a.txt': undefined,
      },
    ],
    ['decoded parameters [F-4.2-27]', '/:a/:b', { '/%20/%C3%A9': { a: ' ', b: 'é' }, '/a': undefined }],
    [
      'a regular expression [F-4.2-28]',
      /^\/(\d+)-(?<word>\w+)$/,
      { '/12-ab': { 0: '12', word: 'ab' }, '/ab-12': undefined },
    ],
    [
      'nested lists of all of them [F-4.2-29]',
      ['/a', ['/b/:id', [/^\/c(.)/]]],
      {
        '/a': {},
        '/b/1': { id: '1' },
        '/cd': { 0: 'd' },
        '/d': undefined,
      },
    ],
    [
      'a wildcard [F-4.2-37]',
      '/api/{*splat}',
      {
        '/api/': {},
        '/api/a/b%20c': { splat: ['a', 'b c'] },
        '/apis': undefined,
      },
    ],
    [
      'a wildcard that must hold something [F-4.2-37]',
      '/*path/end',
      { '/a/b/end': { path: ['a', 'b'] }, '/end': undefined },
    ],
    [
      'an optional segment [F-4.2-38]',
      '/:a{/:b}',
      { '/1': { a: '1' }, '/1/2': { a: '1', b: '2' }, '/1/2/3': undefined },
    ],
    [
      'an optional group beside a wildcard [F-4.2-38]',
      '/f{/*dirs}/:name',
      {
        '/f/x': { name: 'x' },
        '/f/a/b/x': { dirs: ['a', 'b'], name: 'x' },
      },
    ],
  ];
  for (const [title, path, requests] of matching) {
    it(`${title}`, () => {
      const router = framework.Router().get(path as string, sendParams);

      for (const [url, params] of Object.entries(requests)) {
        expect(seenBy(router, url)?.params, url).to.deep.equal(params);
      }
    });
  }

  it('req.params of a pattern has no prototype [F-4.2-27]', () => {
    const seen = seenBy(framework.Router().get('/:toString/:__proto__', sendParams), '/a/b');

    expect(Object.getPrototypeOf(seen?.params)).to.equal(null);
    expect(Object.entries(seen?.params ?? {})).to.deep.equal([
      ['toString', 'a'],
      ['__proto__', 'b'],
    ]);
  });

  for (const path of ['/*', '/:', '/(a)', '/a?', '/a+', '/[a]', '/{a', '/a}', '/:a:b', '/!', '/\\', '/:"a']) {
    it(`app.get throws for the malformed pattern ${path} [F-4.2-27]`, () => {
      expect(() => framework().get(path, sendParams)).to.throw(TypeError, /visit https:/);
      expect(() => framework().use(path, sendParams)).to.throw(TypeError, /visit https:/);
    });
  }

  for (const method of ['all', 'post', 'get'] as const) {
    it(`the default path of ${method} is / [F-4.2-31]`, async () => {
      for (const make of [framework, framework.Router]) {
        const routes = make() as unknown as Record<string, (...handlers: unknown[]) => void>;
        routes[method]?.(add('one'), [sendSeen]);
        routes[method]?.([add('never')], sendSeen);
        const app = framework().use(routes as unknown as IRouter);
        const verb = method === 'post' ? 'POST' : 'GET';

        const [root, below] = await play(app, [ask(verb, '/'), ask(verb, '/x')]);

        expect(root).to.include('one');
        expect(below?.[0]).to.equal('HTTP/1.1 404 Not Found');
      }
    });
  }
});

describe('handlers of routes and middleware (§4.2)', () => {
  it('app.get accepts one handler, several, a list, or nested lists [F-4.2-32 F-4.2-33 F-4.2-34 F-4.2-35]', async () => {
    const app = framework();
    app.get('/one', sendSeen);
    app.get('/several', add('a'), add('b'), sendSeen);
    app.get('/list', [add('a'), add('b'), sendSeen]);
    app.get('/nested', add('a'), [add('b'), [add('c'), [add('d')]]] as RequestHandler[], sendSeen);

    const texts = await Promise.all(
      ['one', 'several', 'list', 'nested'].map(async (path) => (await request(app).get(`/${path}`)).text),
    );
    expect(texts).to.deep.equal(['undefined', 'a,b', 'a,b', 'a,b,c,d']);
  });

  it('routers and applications are valid handlers, also beside functions [F-4.2-36]', async () => {
    const app = framework();
    const sub = framework();
    sub.use(add('sub'));
    const router = framework.Router().use(add('router'));
    app.get('/x', add('function'), router, sub, sendSeen);
    app.use('/y', add('function'), [sub, router], sendSeen);

    expect((await request(app).get('/x')).text).to.equal('function,router,sub');
    expect((await request(app).get('/y')).text).to.equal('function,sub,router');
  });

  it('app.get and app.use throw for a handler that is not a function [F-4.2-32]', () => {
    const app = framework() as unknown as Record<string, (...args: unknown[]) => unknown>;
    const router = framework.Router() as unknown as Record<string, (...args: unknown[]) => unknown>;

    expect(() => app.use?.('/x')).to.throw(TypeError, 'app.use() requires a middleware function');
    expect(() => app.use?.('/x', 7)).to.throw(TypeError, 'argument handler must be a function');
    expect(() => app.get?.('/x', 'y')).to.throw(TypeError, 'argument handler must be a function');
    expect(() => router.use?.()).to.throw(TypeError, 'argument handler is required');
    expect(() => router.use?.('/x', {})).to.throw(TypeError, 'argument handler must be a function');
    expect(() => router.post?.('/x')).to.throw(TypeError, 'argument handler is required');
    expect(() => router.handle?.({}, {})).to.throw(TypeError, 'argument callback is required');
  });

  it('a handler of app.all with a wildcard runs before every later route with that prefix [F-4.2-40 F-5-02]', async () => {
    const app = framework();
    app.all('/api/{*splat}', add('checked'));
    app.all('{*splat}', add('everywhere'));
    app.get('/api/x', sendSeen).post('/api', sendSeen).get('/', sendSeen);

    expect((await request(app).get('/api/x')).text).to.equal('checked,everywhere');
    expect((await request(app).get('/')).text).to.equal('everywhere');
  });

  it('middleware, routers and applications of app.use run in order of registration [F-4.2-46 F-4.2-47]', async () => {
    const [app, sub] = [framework(), framework()];
    sub.use(add('sub'));
    app.use('/x', add('one'), framework.Router().use(add('router')), [add('two'), sub]);
    app.use(['/y', '/x'], add('list'));
    app.use(sendSeen);

    expect((await request(app).get('/x/deep')).text).to.equal('one,router,two,sub,list');
    expect((await request(app).get('/y')).text).to.equal('list');
  });
});

describe('app.route and app.param (§4.2)', () => {
  it('app.route returns a route whose methods can be chained [F-4.2-48 F-4.2-49]', async () => {
    const app = framework();
    const route = app.route('/x');
    expect(route.all(add('all')).get(add('get')).post(sendSeen).get(sendSeen)).to.equal(route);

    expect((await request(app).get('/x')).text).to.equal('all,get');
    expect((await request(app).post('/x')).text).to.equal('all');
  });

  it('a route keeps the position at which app.route created it [F-4.2-50]', async () => {
    const app = framework();
    const early = app.route('/x');
    app.get('/x', respond('late'));
    early.get(respond('early'));

    expect((await request(app).get('/x')).text).to.equal('early');
  });

  it('app.param accepts one name or a list, and its callback receives value and name [F-4.2-51 F-4.2-52 F-4.2-53]', async () => {
    const app = framework();
    const seen: unknown[] = [];
    const look = (...args: [unknown, unknown, () => void, string, string]): void => {
      seen.push([args.length, args[3], args[4]]);
      args[2]();
    };
    expect(app.param('a', look as never)).to.equal(app);
    app.param(['b', 'c'], look as never);
    app.get('/:a/:b/:c', (_req, res) => void res.json(seen));

    const [res] = await play(app, [get('/1/2/3')]);

    expect(res).to.include('[[5,"1","a"],[5,"2","b"],[5,"3","c"]]');
  });
});
