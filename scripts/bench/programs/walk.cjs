// The child process of `npm run bench -- walk`. It calls an application directly, without a server.
const { join, resolve } = require('node:path');

let serve;

process.on('message', ({ build, table, requests }) => {
  if (build !== undefined) {
    serve = prepare(require(join(resolve(build), 'dist', 'index.js')), table);
    process.send(true);
    return;
  }
  const before = process.cpuUsage();
  for (let i = 0; i < requests; i++) serve();
  const { user, system } = process.cpuUsage(before);
  process.send(((user + system) * 1000) / requests);
});

let ended = 0;
const end = () => {
  ended++;
};
const pass = (_req, _res, next) => next();

/** By name of the table: registers the routes. @returns The URL to request. */
const TABLES = {
  hello({ app }) {
    app.get('/', end);
    return '/';
  },
  params({ app }) {
    app.get('/lines/:line/trains/:train', end);
    return '/lines/tokaido/trains/42?fields=name&limit=10';
  },
  middleware({ app, framework }) {
    for (let i = 0; i < 10; i++) app.use((_req, _res, next) => next());
    const [a, b, c] = [framework.Router(), framework.Router(), framework.Router()];
    c.get('/end', end);
    app.use('/a', a.use('/b', b.use('/c', c)));
    return '/a/b/c/end';
  },
  subapp({ app, framework }) {
    const [a, b, c] = [framework(), framework(), framework()];
    for (const one of [a, b, c]) one.disable('x-powered-by');
    c.get('/', end);
    b.use('/c', c);
    a.use('/b', b);
    app.use('/a', a);
    return '/a/b/c';
  },
  crud({ app }) {
    for (const name of ['users', 'posts', 'tags']) {
      app.get(`/${name}`, end).post(`/${name}`, end);
      app.get(`/${name}/:id`, end).put(`/${name}/:id`, end);
    }
    return '/tags/7';
  },
  mixed({ app, framework }) {
    for (let i = 0; i < 4; i++) app.use((_req, _res, next) => next());
    app.get('/', end);
    app.use('/static', pass);
    const api = framework.Router();
    api.get('/users', end).get('/users/:id', end).post('/users', end);
    app.use('/api', api);
    app.use(pass);
    return '/api/users/7';
  },
};

/** @returns A function that calls the application with one request, after a warm-up of 100,000 requests. */
function prepare(framework, table) {
  const app = framework().disable('x-powered-by');
  const url = TABLES[table]({ app, framework });
  function Request() {
    this.method = 'GET';
    this.url = url;
    this.headers = {};
  }
  function Response() {
    this.statusCode = 200;
  }
  Request.prototype = app.request;
  Response.prototype = app.response;
  const fail = (err) => {
    throw err ?? new Error(`table ${table}: no handler ended the request`);
  };
  for (let i = 0; i < 100_000; i++) app(new Request(), new Response(), fail);
  if (ended !== 100_000) throw new Error(`table ${table}: expected 100000 ended requests, got ${ended}`);
  return () => app(new Request(), new Response(), fail);
}
