/** Scenarios for routes of several HTTP methods, on applications, routers and routes. §4.2, §4.3 */
import type { RequestHandler, Response } from 'express';
import { del, get, options, post, put, request } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

const add =
  (name: string): RequestHandler =>
  (_req, res, next) => {
    res.append('X-Trail', name);
    next();
  };
const respond =
  (text: string): RequestHandler =>
  (_req, res) =>
    void res.send(text);
const sendParams: RequestHandler = (req, res) => void res.json(req.params);

/** Each path of a route, with the params for each target that matches; undefined for one that does not. */
const PATHS: ReadonlyArray<readonly [path: unknown, targets: Readonly<Record<string, object | undefined>>]> =
  [
    ['/about', { '/about': {}, '/about/': {}, '/ABOUT': {}, '/abou': undefined, '/about/x': undefined }],
    [
      '/u/:user-:id/:file.:ext',
      { '/u/tj-7/a.txt': { user: 'tj', id: '7', file: 'a', ext: 'txt' }, '/u/tj/a.txt': undefined },
    ],
    ['/:a/:b', { '/%20/%C3%A9': { a: ' ', b: 'é' }, '/a': undefined }],
    [/^\/(\d+)-(?<word>\w+)$/, { '/12-ab': { 0: '12', word: 'ab' }, '/ab-12': undefined }],
    [['/a', ['/b/:id', [/^\/c(.)/]]], { '/a': {}, '/b/1': { id: '1' }, '/cd': { 0: 'd' }, '/d': undefined }],
    ['/api/{*splat}', { '/api/': {}, '/api/a/b%20c': { splat: ['a', 'b c'] }, '/apis': undefined }],
    ['/*path/end', { '/a/b/end': { path: ['a', 'b'] }, '/end': undefined }],
    ['/:a{/:b}', { '/1': { a: '1' }, '/1/2': { a: '1', b: '2' }, '/1/2/3': undefined }],
    ['/f{/*dirs}/:name', { '/f/x': { name: 'x' }, '/f/a/b/x': { dirs: ['a', 'b'], name: 'x' } }],
  ];

export default [
  scenario({
    name: 'app.get, post, put and delete run several callbacks for requests of their method',
    clauses: ['F-4.2-42', 'F-4.2-43', 'F-4.2-44', 'F-4.2-45', 'F-1-10', 'F-1-11'],
    build({ framework }) {
      const app = framework();
      for (const method of ['get', 'post', 'put', 'delete'] as const) {
        app[method](
          '/x',
          (_req, res, next) => {
            res.set('X-Route', method);
            next();
          },
          (req, res) => void res.send(`${req.method} ${req.path}`),
        );
      }
      return app;
    },
    requests: [
      get('/x').expect({ 'x-route': 'get', body: 'GET /x' }),
      post('/x').expect({ 'x-route': 'post', body: 'POST /x' }),
      put('/x').expect({ 'x-route': 'put', body: 'PUT /x' }),
      del('/x').expect({ 'x-route': 'delete', body: 'DELETE /x' }),
      request('PATCH', '/x').expect({ status: 404 }),
    ],
  }),
  scenario({
    name: 'router.all, router.route and methods such as router.get handle their requests',
    clauses: ['F-4.3-01', 'F-4.3-02', 'F-4.3-09', 'F-1-12'],
    build({ framework }) {
      const router = framework.Router();
      router.all('/all', framework.json(), (req, res) => void res.json({ all: req.body }));
      router.put('/put', framework.text(), (req, res) => void res.json({ put: req.body }));
      router
        .route('/route')
        .get((_req, res) => void res.send('get'))
        .post((_req, res) => void res.send('post'));
      return framework().use(router);
    },
    requests: [
      get('/all').expect({ body: '{}' }),
      post('/all', { a: 1 }).expect({ json: { all: { a: 1 } } }),
      put('/put', 'body', { 'Content-Type': 'text/plain' }).expect({ json: { put: 'body' } }),
      get('/put').expect({ status: 404 }),
      get('/route').expect({ body: 'get' }),
      post('/route').expect({ body: 'post' }),
      put('/route').expect({ status: 404 }),
    ],
  }),
  scenario({
    name: 'a route matches strings, named parameters, regular expressions, lists, wildcards and optional parts',
    clauses: ['F-4.2-26', 'F-4.2-27', 'F-4.2-28', 'F-4.2-29', 'F-4.2-37', 'F-4.2-38'],
    build({ framework }) {
      const app = framework();
      for (const [index, [path]] of PATHS.entries()) {
        app.use(`/${index}`, framework.Router().get(path as string, sendParams));
      }
      app.get('/prototype/:toString/:__proto__', ({ params }, res) => {
        res.json([Object.getPrototypeOf(params), Object.entries(params)]);
      });
      return app;
    },
    requests: [
      ...PATHS.flatMap(([, targets], index) =>
        Object.entries(targets).map(([target, params]) =>
          get(`/${index}${target}`).expect(params ? { json: params } : { status: 404 }),
        ),
      ),
      get('/prototype/a/b').expect({
        json: [
          null,
          [
            ['toString', 'a'],
            ['__proto__', 'b'],
          ],
        ],
      }),
    ],
  }),
  scenario({
    name: 'OPTIONS without a handler gets the methods of all routes that match',
    clauses: ['F-4.2-39'],
    build({ framework }) {
      const app = framework();
      app.get('/x', respond('')).post('/x', respond('')).get('/:y', respond('')).all('/z', respond('z'));
      return app.use('/sub', framework.Router().put('/x', respond('')));
    },
    requests: [
      options('/x').expect({
        allow: 'GET, HEAD, POST',
        'x-content-type-options': 'nosniff',
        body: 'GET, HEAD, POST',
      }),
      options('/sub/x').expect({ allow: 'PUT' }),
      options('/a/b').expect({ status: 404 }),
      options('/z').expect({ body: 'z' }),
    ],
  }),
  scenario({
    name: 'middleware, routers, applications and app.all with a wildcard run in order of registration',
    clauses: ['F-4.2-40', 'F-4.2-46', 'F-4.2-47', 'F-5-02'],
    build({ framework }) {
      const [app, sub] = [framework(), framework()];
      sub.use(add('sub'));
      app.use('/x', add('one'), framework.Router().use(add('router')), [add('two'), sub]);
      app.use(['/y', '/x'], add('list'));
      app.all('/api/{*splat}', add('checked'));
      app.all('{*splat}', add('everywhere'));
      app.use(respond('end'), add('never'));
      return app;
    },
    requests: [
      get('/x/deep').expect({
        'x-trail': ['one', 'router', 'two', 'sub', 'list', 'everywhere'],
        body: 'end',
      }),
      get('/y').expect({ 'x-trail': ['list', 'everywhere'] }),
      get('/api/x').expect({ 'x-trail': ['checked', 'everywhere'] }),
      post('/api/x').expect({ 'x-trail': ['checked', 'everywhere'] }),
      get('/').expect({ 'x-trail': 'everywhere' }),
    ],
  }),
  scenario({
    name: 'a handler of a route may be a function, a list, nested lists, a router or an application',
    clauses: ['F-4.2-32', 'F-4.2-33', 'F-4.2-34', 'F-4.2-35', 'F-4.2-36'],
    build({ framework }) {
      const app = framework();
      const sub = framework().use(add('sub'));
      const router = framework.Router().use(add('router'));
      app.get('/one', respond('end'));
      app.get('/several', add('a'), add('b'), respond('end'));
      app.get('/list', [add('a'), add('b'), respond('end')]);
      app.get('/nested', add('a'), [add('b'), [add('c'), [add('d')]]] as RequestHandler[], respond('end'));
      app.get('/mounted', add('function'), router, sub, respond('end'));
      app.use('/used', add('function'), [sub, router], respond('end'));
      return app;
    },
    requests: [
      get('/one').expect({ 'x-trail': undefined, body: 'end' }),
      get('/several').expect({ 'x-trail': ['a', 'b'] }),
      get('/list').expect({ 'x-trail': ['a', 'b'], body: 'end' }),
      get('/nested').expect({ 'x-trail': ['a', 'b', 'c', 'd'] }),
      get('/mounted').expect({ 'x-trail': ['function', 'router', 'sub'] }),
      get('/used').expect({ 'x-trail': ['function', 'sub', 'router'] }),
    ],
  }),
  scenario({
    name: 'app.param accepts one name or a list, and its callback receives the value and the name',
    clauses: ['F-4.2-51', 'F-4.2-52', 'F-4.2-53'],
    build({ framework }) {
      const app = framework();
      const look = (...args: [unknown, Response, () => void, string, string]): void => {
        args[1].append('X-Trail', `${args.length} ${args[3]} ${args[4]}`);
        args[2]();
      };
      const returned = app.param('a', look as never);
      app.param(['b', 'c'], look as never);
      app.get('/:a/:b/:c', (_req, res) => void res.send(String(returned === app)));
      return app;
    },
    requests: [get('/1/2/3').expect({ 'x-trail': ['5 1 a', '5 2 b', '5 3 c'], body: 'true' })],
  }),
];
