/** Where a server is to listen, or a client to connect. */
export interface Place {
  readonly port?: unknown;
  readonly host?: unknown;
  /** The path of a Unix socket. */
  readonly path?: string | null;
}

/**
 * Reads the arguments of `listen` and `connect` of node:net: a port and a host, the path of a Unix socket, or an object
 * with these. Node.js passes the arguments of its own calls as one list.
 */
export function readPlace(given: readonly unknown[]): Place {
  const [first, second] = Array.isArray(given[0]) ? given[0] : given;
  if (typeof first === 'object' && first !== null) return first;
  if (typeof first === 'string' && !/^\d+$/.test(first)) return { path: first };
  return { port: first, host: typeof second === 'string' ? second : undefined };
}
