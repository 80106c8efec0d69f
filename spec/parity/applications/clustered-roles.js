// The primary and the worker of a cluster see their own roles, also after the fork, and the environment of the fork.
const cluster = require('node:cluster');
const express = require('express');

const roleOf = () => [cluster.isPrimary, cluster.isMaster, cluster.isWorker, cluster.worker?.id ?? 0].join();
if (cluster.isPrimary) {
  const worker = cluster.fork({ ROLE: 'web' });
  const primary = [roleOf(), process.env.ROLE ?? 'none'];
  worker.on('message', () => worker.emit('primary', primary));
} else {
  const app = express();
  cluster.worker.once('primary', (primary) => {
    app.get('/', (_req, res) => res.send([...primary, roleOf(), process.env.ROLE].join(' ')));
    app.listen(3000);
  });
  process.send('ready');
}
