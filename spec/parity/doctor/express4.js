// Mistakes in an application of Express 4: dot files that it sends, a path of Express 4, a shadowed route.
const { join } = require('node:path');
const express = require('express4');

const app = express();
const api = express.Router();
api.all('*', (_req, res) => {
  res.sendStatus(404);
});
app.use('/api', api);
app.get('/api/users/:id?', (_req, res) => {
  res.send('user');
});
app.use(express.static(process.env.PLANTED_ROOT ?? join(__dirname, 'files')));

module.exports = app;
