// Mistake: a router and a mounted application follow a handler that ends every request.
const express = require('express');

const app = express();
const late = express.Router();
late.get('/', (_req, res) => res.send('late'));
late.get('/:id', (_req, res) => res.send('late'));
app.use(function missing(_req, res) {
  res.sendStatus(404);
});
app.use('/late', late);
app.use('/admin', express().get('/', late));

module.exports = app;
