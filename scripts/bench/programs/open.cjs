// Starts the server of a peer in this process.
const { once } = require('node:events');
const packages = require('../packages/load.cjs');

/**
 * Starts a server on a free port of 127.0.0.1.
 *
 * @param peer A `Peer` of peers.ts.
 * @param parts `work`, a `Workload` of workloads.ts; `files`, the directory of static files; `log`, a stream for log
 * lines.
 * @returns The listening `http.Server`; undefined if the peer has no server for the workload.
 */
exports.open = async function open(peer, parts) {
  const server = await PROGRAMS[peer.program](peer, parts);
  if (server && !server.listening) await once(server, 'listening');
  return server;
};

const PROGRAMS = {
  bare: (_peer, parts) => require('./bare.cjs')(parts),
  express: ({ loads: [framework], logger, http2 }, parts) =>
    require('./express.cjs')(
      { framework: packages.require(framework), logger, http2: http2 && packages.require(http2) },
      parts,
    ),
  recorder: (peer, parts) => require('./recorder.cjs')(peer, parts),
  ...Object.fromEntries(
    ['fastify', 'hono', 'koa', 'polka', 'tinyhttp', 'h3', 'restana'].map((name) => [
      name,
      (_peer, parts) => require(`./${name}.cjs`)(parts),
    ]),
  ),
};
