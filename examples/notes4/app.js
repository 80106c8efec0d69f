// A notes service for Express 4. docs/migrate.md migrates it to Express 5.
const path = require('node:path');
const express = require('express');
const notes = require('./routes/notes');

const app = express();

app.use(express.json());
app.use(express.urlencoded());
app.use((req, _res, next) => {
  // In Express 4, a handler can change `req.query`: here, the default page size is ten notes.
  req.query.size = Number(req.query.size) || 10;
  next();
});

app.use('/notes', notes);
app.get('/about', (_req, res) => {
  res.sendfile(path.join(__dirname, 'about.txt'));
});
app.get('/files/*', (req, res) => {
  res.json({ file: req.params[0] });
});
app.get('/:lang(en|de)?/help', (req, res) => {
  res.send({ lang: req.params.lang || 'en' });
});
app.get('/old', (_req, res) => {
  res.redirect('/notes', 301);
});
app.get('/cancel', (_req, res) => {
  res.redirect('back');
});
app.all('*', (req, res) => {
  res.send(404, { error: `no ${req.path} at ${req.host}` });
});

app.listen(3000);
