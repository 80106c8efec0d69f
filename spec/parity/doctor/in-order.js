// An application without mistakes, whose layers resemble mistakes.
const compression = require('compression');
const cors = require('cors');
const express = require('express');

const app = express();
const api = express.Router();
const strict = express.Router({ strict: true, caseSensitive: true });

// The first handler may call next(), so the second route is not shadowed.
app.get('/users/:id', (req, res, next) => {
  if (req.params.id === 'me') return next();
  return res.send(req.params.id);
});
app.get('/users/me', (_req, res) => res.send('me'));

// Each first handler may continue: with req.next(), if sendFile() finds no file, or with its third argument.
app.get('/pages/:page', (req, res) => (req.params.page === 'old' ? req.next() : res.send('page')));
app.get('/pages/old', (_req, res) => res.send('old'));
app.get('/files/:name', (req, res) => res.sendFile(req.params.name, { root: __dirname }));
app.get('/files/folder', (_req, res) => res.send('folder'));
app.get('/rest/:name', (...args) => args[2]());
app.get('/rest/name', (_req, res) => res.send('name'));

// A parameter callback, a handler or middleware may skip the first route or router.
api.param('number', (_req, _res, next, number) => next(/^\d+$/.test(number) ? undefined : 'route'));
api.get('/items/:number', (req, res) => res.send(req.params.number));
api.get('/items/first', (_req, res) => res.send('first'));
api.get(
  '/:kind',
  (req, _res, next) => next(req.params.kind === 'special' ? 'route' : undefined),
  (req, res) => res.send(req.params.kind),
);
api.get('/special', (_req, res) => res.send('special'));
app.use('/api', api);
app.use(
  '/guarded',
  express
    .Router()
    .use((req, _res, next) => next(req.query.open ? 'router' : undefined))
    .get('/door', (_req, res) => res.send('door')),
);
app.get('/guarded/door', (_req, res) => res.send('open'));

// The middleware between the two routes rewrites req.url.
app.get('/target', (_req, res) => res.send('first'));
app.use((req, _res, next) => {
  if (req.url === '/moved') req.url = '/target';
  next();
});
app.get('/target', (_req, res) => res.send('second'));

// No earlier route matches all paths of a later one.
strict.get('/Name', (_req, res) => res.send('Name'));
app.use(strict);
app.get('/name', (_req, res) => res.send('name'));
app.get('/tree/*path', (_req, res) => res.send('below'));
app.get('/tree', (_req, res) => res.send('tree'));
app.post('/target', (_req, res) => res.send('posted'));

// Each body is parsed before a handler reads it: in the route, by own middleware, or by express.json().
app.post('/early', express.json(), (req, res) => res.json(req.body));
app.use(async (req, _res, next) => {
  let text = '';
  for await (const chunk of req) text += chunk;
  req.body = text;
  next();
});
app.post('/texts', (req, res) => res.json(req.body));
app.use(express.json());
app.post('/parsed', (req, res) => res.json(req.body));

// Each middleware here affects a later handler.
app.get('/members/new', (_req, res) => res.send('new'));
app.use('/members', (req, res, next) => (req.get('Authorization') ? next() : res.sendStatus(401)));
app.use(cors());
app.get('/:area/list', (_req, res) => res.send('list'));
app.use(compression());
app.use(express.static(__dirname));
app.use(express.urlencoded());
app.use(function echo(req, res) {
  res.status(404).json(req.body);
});
app.use((_err, _req, res, _next) => res.sendStatus(500));

app.set('trust proxy', ['loopback', '10.0.0.0/8', 'fd00::/8']);

module.exports = app;
