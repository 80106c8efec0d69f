/** Lets Nozomi read the connections of scenarios itself, see `src/connection`. */
import diagnostics from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** A connection of a server of node:http. @types/node does not declare its parser. */
type Connection = Socket & { parser?: { onIncoming: unknown } };

const FIRST = Buffer.from('GET / HTTP/1.1\r\nHost: parity.test\r\n\r\n');

/** Call this function before the framework is loaded. It lasts as long as the process. */
export function useOwnConnection(): void {
  process.env.NOZOMI_CONNECTION = 'own';
  diagnostics.subscribe('net.server.socket', (message) => {
    const { socket } = message as { socket: Connection };
    process.nextTick(begin, socket);
  });
}

/**
 * Lets the parser of Node.js read a request that no application gets. Nozomi leaves the first request of a connection to
 * that parser, and most connections of scenarios have only one.
 */
function begin(socket: Connection): void {
  const { parser } = socket;
  const [listener] = socket.listeners('data');
  if (!parser || !listener || listener.name === 'bound socketOnData') return;
  const { onIncoming } = parser;
  parser.onIncoming = () => 0;
  socket.emit('data', FIRST);
  parser.onIncoming = onIncoming;
}
