// Differs from its recording: a page responds 410, and another throws after its response.
const express = require('express');

const app = express();
app.get('/gone', (_req, res) => res.sendStatus(410));
app.get('/same', (_req, res) => res.send('same'));
app.get('/late', (_req, res) => {
  res.send('fine');
  setImmediate(() => {
    throw new Error('after the response');
  });
});
app.get('/secret', (_req, res) => {
  res.set('Authorization', 'Bearer abc.def').cookie('sid', 'hidden-session');
  res.json({ password: 'hunter2', mail: 'ann@example.org', name: require('express/package.json').name });
});

module.exports = app;
