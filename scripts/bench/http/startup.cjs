// Measures the start of one peer. The message is { peer, work }, the reply { load, modules, register, first }:
//   load      CPU milliseconds to load the framework
//   modules   the number of CommonJS modules that the framework loads
//   register  CPU milliseconds to create an application with the routes of the workload, and to listen
//   first     CPU milliseconds for the first request, including lazy initialisation
const { once } = require('node:events');
const { createServer, request } = require('node:http');
const { flushCompileCache } = require('node:module');
const packages = require('../packages/load.cjs');
const { open } = require('../programs/open.cjs');

process.on('disconnect', () => process.exit());
process.on('message', ({ peer, work }) => {
  begin(peer, work).then(
    (figures) => process.send(figures),
    (err) => process.send({ problem: err.stack }),
  );
});

async function begin(peer, work) {
  await askABareServer();
  const before = Object.keys(require.cache).length;
  const load = await timeOf(async () => {
    for (const name of peer.loads) await (peer.isModule ? packages.import(name) : packages.require(name));
  });
  const modules = Object.keys(require.cache).length - before;
  let server;
  const register = await timeOf(async () => {
    server = await open(peer, { work, log: { write() {} } });
  });
  const first = await timeOf(() => ask(server.address().port, work));
  // With NODE_COMPILE_CACHE, this fills the cache: the process will be killed, and cannot do so when it exits.
  flushCompileCache?.();
  return { load, modules, register, first };
}

/** Sends a request to a bare server first: the figures must not include Node.js's own lazy initialisation. */
async function askABareServer() {
  const server = createServer((_req, res) => res.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await ask(server.address().port, { method: 'GET', target: '/' });
  server.close();
}

async function timeOf(act) {
  const start = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

async function ask(port, { method, target }) {
  const [res] = await once(
    request({ port, host: '127.0.0.1', method, path: target, agent: false }).end(),
    'response',
  );
  await once(res.resume(), 'end');
}
