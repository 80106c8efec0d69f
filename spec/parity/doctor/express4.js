// Mistakes in an application of Express 4: it sends dotfiles, has a path of Express 4, and shadows a route.
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
