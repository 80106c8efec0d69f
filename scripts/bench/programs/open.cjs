// A peer in this process: its server, listening on 127.0.0.1; undefined for a workload it has no program for.
const { once } = require('node:events');

/**
 * @param peer As in peers.ts.
 * @param parts `work`, as in workloads.ts; `files`, the directory of files; `log`, the stream log lines go to.
 */
exports.open = async function open(peer, parts) {
  const server = await PROGRAMS[peer.program](peer, parts);
  if (server && !server.listening) await once(server, 'listening');
  return server;
};

const PROGRAMS = {
  bare: (_peer, parts) => require('./bare.cjs')(parts),
  express: ({ framework, logger }, parts) =>
    require('./express.cjs')({ framework: require(framework), logger: require(logger) }, parts),
};
