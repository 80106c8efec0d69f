// An application without mistakes that resembles those with mistakes.
const compression = require('compression');
const cors = require('cors');
const express = require('express');

const app = express();
const api = express.Router();
const strict = express.Router({ strict: true, caseSensitive: true });

// A handler that may continue.
app.get('/users/:id', (req, res, next) => {
  if (req.params.id === 'me') return next();
  return res.send(req.params.id);
});
app.get('/users/me', (_req, res) => res.send('me'));

// A handler that continues without a parameter `next`.
app.get('/pages/:page', (req, res) => (req.params.page === 'old' ? req.next() : res.send('page')));
app.get('/pages/old', (_req, res) => res.send('old'));
app.get('/files/:name', (req, res) => res.sendFile(req.params.name, { root: __dirname }));
app.get('/files/folder', (_req, res) => res.send('folder'));
app.get('/rest/:name', (...args) => args[2]());
app.get('/rest/name', (_req, res) => res.send('name'));

// A parameter callback, a handler before the last one, and one that leaves the router may skip the route.
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

// A function between the two rewrites the target.
app.get('/target', (_req, res) => res.send('first'));
app.use((req, _res, next) => {
  if (req.url === '/moved') req.url = '/target';
  next();
});
app.get('/target', (_req, res) => res.send('second'));

// The earlier route does not match all paths: letter case, a trailing slash, fewer segments, another method.
strict.get('/Name', (_req, res) => res.send('Name'));
app.use(strict);
app.get('/name', (_req, res) => res.send('name'));
app.get('/tree/*path', (_req, res) => res.send('below'));
app.get('/tree', (_req, res) => res.send('tree'));
app.post('/target', (_req, res) => res.send('posted'));

// Another middleware has parsed the body before.
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

// The later routes need this middleware.
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
