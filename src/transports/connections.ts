/** Keeps lists of the open sockets and HTTP/2 sessions of a server, which Node.js does not offer. */
import type { Http2Session } from 'node:http2';
import type { Server, Socket } from 'node:net';

export interface OpenConnections {
  /** The TCP socket of each connection, and with TLS also the TLS socket. */
  readonly sockets: ReadonlySet<Socket>;
  /** Each HTTP/2 session with its TCP or TLS socket. `session.socket` of Node.js has no `destroy`. */
  readonly sessions: ReadonlyMap<Http2Session, Socket>;
}

const connectionsByServer = new WeakMap<Server, OpenConnections>();

/** @returns The open connections that began after the first call for this server. The lists are updated. */
export function trackConnections(server: Server): OpenConnections {
  const known = connectionsByServer.get(server);
  if (known) return known;
  const sockets = new Set<Socket>();
  const sessions = new Map<Http2Session, Socket>();
  let latest: Socket;

  function track(socket: Socket): void {
    latest = socket;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  }
  // Prepended, because the listener of Node.js for the same event emits `session`.
  server.prependListener('connection', track);
  server.prependListener('secureConnection', track);
  server.on('session', (session: Http2Session) => {
    sessions.set(session, latest);
    session.once('close', () => sessions.delete(session));
  });

  const connections = { sockets, sessions };
  connectionsByServer.set(server, connections);
  return connections;
}
