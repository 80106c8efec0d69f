/** Connects to a server of an implementation, wherever it listens. */
import { connect, type Socket } from 'node:net';
import { relative } from 'node:path';
import { connect as secureConnect } from 'node:tls';
import type { ServerAddress } from './request';

/** Returns the address of a server on a local port. */
export function localServer({
  port,
  isSecure = false,
}: {
  readonly port: number;
  readonly isSecure?: boolean;
}): ServerAddress {
  return { at: { port, host: '127.0.0.1' }, isSecure };
}

/**
 * Opens a connection. With TLS, it accepts any certificate.
 *
 * @param options.allowHalfOpen Whether the connection stays open when the server ends its part; default false.
 */
export function connectTo(
  { at, isSecure }: ServerAddress,
  options: { readonly allowHalfOpen?: boolean } = {},
): Socket {
  const where = { ...('path' in at ? { path: shorter(at.path) } : at), noDelay: true, ...options };
  return isSecure
    ? secureConnect({ ...where, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    : connect(where);
}

/** The path of a Unix socket may have about 100 bytes: a relative one is often shorter. */
function shorter(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}
