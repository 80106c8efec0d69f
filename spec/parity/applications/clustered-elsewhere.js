// Forks a worker that runs another file.
const cluster = require('node:cluster');
const { join } = require('node:path');

cluster.setupPrimary({ exec: join(__dirname, 'late.js') });
cluster.fork();
