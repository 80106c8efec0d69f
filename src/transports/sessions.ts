/** Keeps a list of the open HTTP/2 sessions of a server, which Node.js does not offer. */
import type { Http2Session } from 'node:http2';
import type { Server } from 'node:net';

const sessionsByServer = new WeakMap<Server, Set<Http2Session>>();

/** @returns The open sessions that began after the first call for this server. The set is updated. */
export function trackSessions(server: Server): ReadonlySet<Http2Session> {
  const known = sessionsByServer.get(server);
  if (known) return known;
  const sessions = new Set<Http2Session>();
  sessionsByServer.set(server, sessions);
  server.on('session', (session: Http2Session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  return sessions;
}
