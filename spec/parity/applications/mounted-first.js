// Mounts applications of Express 4, whose routers do not exist before their first use.
const express = require('express4');

const app = express();
const [first, second] = [express(), express()];
first.on('mount', () => {
  const router = express.Router();
  router.use((_req, _res, next) => next());
  router.get('/', (_req, res) => res.send('first'));
  first.use('/', router);
});
second.get('/', (_req, res) => res.send('second'));
app.use('/first', first);
app.use('/second', second);

module.exports = app;
