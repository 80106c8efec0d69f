/** Chooses the server of an application that receives a request: the one on the port in its Host header. */
import { headerOf } from '../client/response';
import type { ServerPlace } from '../implementations/protocol';
import type { RecordedRequest } from '../requests/recorded-request';

/** A server that refuses connections, for a port on which the application has none. */
const NOWHERE: ServerPlace = { name: 'nowhere', at: { port: 1, host: '127.0.0.1' }, isSecure: false };

/**
 * Returns the server for each request. Ports that no server asked for may come from the environment of the recording:
 * they stand for the servers that no request names, in order.
 *
 * @param servers The servers of the application. The first one is that of its main Express application.
 */
export function serversFor(
  requests: readonly RecordedRequest[],
  servers: readonly ServerPlace[],
): ServerPlace[] {
  const ports = requests.map(portOf);
  const known = new Set(servers.flatMap(({ asked }) => asked ?? []));
  const unknown = [...new Set(ports)].filter((port) => port !== undefined && !known.has(port));
  const rest = servers.filter(({ asked }) => asked === undefined || !ports.includes(asked));
  return ports.map((port) => {
    if (port === undefined || servers.length === 0) return servers[0] ?? NOWHERE;
    const exact = servers.find(({ asked }) => asked === port);
    return exact ?? rest[unknown.indexOf(port)] ?? NOWHERE;
  });
}

/** Returns the port in the Host of a request to this machine; undefined for other hosts, and without a port. */
function portOf({ headers }: RecordedRequest): number | undefined {
  const [, port] =
    /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]):(\d+)$/i.exec(headerOf(headers, 'host') ?? '') ?? [];
  return port === undefined ? undefined : Number(port);
}
