// Mistakes: middleware after all responses, and a guard after the routes that it should protect.
const compression = require('compression');
const cors = require('cors');
const express = require('express');
const helmet = require('helmet');

const app = express();
app.get('/', (_req, res) => res.send('home'));
app.get('/admin/users', (_req, res) => res.send('users'));
app.use('/admin', function guard(req, res, next) {
  if (req.get('Authorization')) return next();
  return res.status(401).send('who are you?');
});
app.get('/:page', (_req, _res, next) => next());
app.get('/public/:page', (_req, res) => res.send('page'));
app.use('/public', function members(req, res, next) {
  if (req.get('Authorization')) return next();
  return res.redirect('/');
});
app.use(cors());
app.use(compression());
app.use(helmet());
app.use(function missing(_req, _res, next) {
  next(Object.assign(new Error('no such page'), { status: 404 }));
});
app.use((_err, _req, res, _next) => res.sendStatus(404));

module.exports = app;
