// Mistakes: paths of Express 4 for which Express 5 throws.
const express = require('express');

const app = express();
app.get('/files/*', (_req, res) => res.send('file'));
app.get('/users/:id?', (_req, res) => res.send('user'));
app.use('/ab(cd)?e', (_req, res) => res.send('e'));
app.get('/good', (_req, res) => res.send('good'));

module.exports = app;
