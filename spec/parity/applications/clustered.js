// Forks four workers, which listen, and another one whenever a worker exits.
const cluster = require('node:cluster');
const express = require('express');

if (cluster.isPrimary) {
  for (let index = 0; index < 4; index++) cluster.fork();
  cluster.on('exit', () => cluster.fork());
} else {
  const app = express();
  app.get('/', (_req, res) => res.send(`worker ${cluster.worker.id}`));
  app.listen(3000);
}
