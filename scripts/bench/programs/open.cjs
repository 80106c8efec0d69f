// Opens a peer in this process, on 127.0.0.1; undefined if it has no server for the workload.
const { once } = require('node:events');
const packages = require('../packages/load.cjs');

/**
 * @param peer As in peers.ts.
 * @param parts `work`, as in workloads.ts; `files`, the directory of files; `log`, the stream for log lines.
 */
exports.open = async function open(peer, parts) {
  const server = await PROGRAMS[peer.program](peer, parts);
  if (server && !server.listening) await once(server, 'listening');
  return server;
};

const PROGRAMS = {
  bare: (_peer, parts) => require('./bare.cjs')(parts),
  express: ({ loads: [framework], logger }, parts) =>
    require('./express.cjs')({ framework: packages.require(framework), logger }, parts),
  ...Object.fromEntries(
    ['fastify', 'hono', 'koa', 'polka', 'tinyhttp', 'h3', 'restana'].map((name) => [
      name,
      (_peer, parts) => require(`./${name}.cjs`)(parts),
    ]),
  ),
};
