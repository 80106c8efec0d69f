// Runs server.js in several workers that share one port. SIGHUP replaces them one after the other (a rolling restart),
// SIGTERM ends them all. A worker that dies is replaced.
const cluster = require('node:cluster');
const { once } = require('node:events');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');

const COUNT = Number(process.env.WORKERS ?? availableParallelism());

cluster.setupPrimary({ exec: join(__dirname, 'server.js') });

let isEnding = false;
/** The workers that end because they are replaced. */
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

// A second SIGHUP waits for the first.
let restarting = Promise.all(Array.from({ length: COUNT }, start));
restarting.then(() => console.log('started'));
process.on('SIGHUP', () => {
  restarting = restarting.then(restart);
});
process.on('SIGTERM', () => {
  isEnding = true;
  for (const worker of Object.values(cluster.workers)) worker.process.kill('SIGTERM');
});
