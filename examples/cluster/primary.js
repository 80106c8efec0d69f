// Runs server.js in several workers that share one port. If a worker dies, a new one replaces it.
//
// SIGHUP replaces the workers one after the other (a rolling restart). SIGTERM ends all workers.
const cluster = require('node:cluster');
const { once } = require('node:events');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');

const COUNT = Number(process.env.WORKERS ?? availableParallelism());

cluster.setupPrimary({ exec: join(__dirname, 'server.js') });

let isEnding = false;
/** The workers that `restart` has replaced. When they exit, they need no replacement. */
const replaced = new Set();

cluster.on('exit', (worker) => {
  if (!isEnding && !replaced.has(worker)) cluster.fork();
});

async function start() {
  const worker = cluster.fork();
  await once(worker, 'listening');
}

async function restart() {
  for (const worker of Object.values(cluster.workers)) {
    await start();
    replaced.add(worker);
    const gone = once(worker, 'exit');
    worker.process.kill('SIGTERM');
    await gone;
  }
  console.log('restarted');
}

// A SIGHUP during the start or a restart waits until that is complete.
let restarting = Promise.all(Array.from({ length: COUNT }, start));
restarting.then(() => console.log('started'));
process.on('SIGHUP', () => {
  restarting = restarting.then(restart);
});
process.on('SIGTERM', () => {
  isEnding = true;
  for (const worker of Object.values(cluster.workers)) worker.process.kill('SIGTERM');
});
