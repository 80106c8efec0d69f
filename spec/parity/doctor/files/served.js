// Mistakes: another spelling of the path bypasses the guard, and express.static ignores the folder .well-known.
const { join } = require('node:path');
const express = require('express');

const app = express();
app.use('/admin', function guard(_req, res, next) {
  if (res.app.get('env') === 'open') return next();
  return res.sendStatus(403);
});
app.use(express.static(join(__dirname, 'public')));

module.exports = app;
