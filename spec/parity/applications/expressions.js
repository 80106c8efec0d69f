const express = require('express');

const user = { list: [] };
user.getLogin = (_req, res) => res.send('login');
user.list = [(_req, _res, next) => next(), (_req, res) => res.send('list')];
const auth = (_role, _options) => (_req, _res, next) => next();

const app = express();
process.send?.('ready');
app.use(express.json(), auth('guest', { a: 1 }));
app.get('/login', auth('admin'), [auth('member', () => 1)], user.getLogin);
app.get('/list', user.list);
app
  .route('/chain')
  .get(user.getLogin)
  .post(auth(), (_req, res) => res.send('x'));
app.get('/inline', (_req, res) => res.send('x'));
app.listen(0);
