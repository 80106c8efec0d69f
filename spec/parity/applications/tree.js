// Routers, a mounted application, app.route and every kind of path. The variable EXPRESS=4 selects Express 4.
const express = require(process.env.EXPRESS === '4' ? 'express4' : 'express');

const app = express();
const api = express.Router();
const admin = express();

app.use(express.json());
app.param('id', (_req, _res, next) => next());
app.get('/', function home(_req, res) {
  res.send('home');
});
app
  .route('/users/:id')
  .get(function showUser(_req, res) {
    res.send('user');
  })
  .post(
    function checkUser(_req, _res, next) {
      next();
    },
    function saveUser(_req, res) {
      res.send('saved');
    },
  );
api.get(['/books', '/shelves/:shelf'], function listBooks(_req, res) {
  res.send('books');
});
api.get(/^\/isbn\/(\d+)$/, function findBook(_req, res) {
  res.send('book');
});
app.use('/api', api);
admin.all(process.env.EXPRESS === '4' ? '*' : '/*path', function denyAdmin(_req, res) {
  res.sendStatus(403);
});
app.use('/admin', admin);
app.use(function handleError(_err, _req, res, _next) {
  res.sendStatus(500);
});

module.exports = app;
