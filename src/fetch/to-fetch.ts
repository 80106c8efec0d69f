/** `toFetch`: turns an application into a function from `Request` to `Response`. */
import { createObjects, isApplication, NODE_CLASSES } from '../application/server';
import { Exchange, type MessageClasses } from '../transports/exchange';
import { FetchStream, fetchTransport } from '../transports/fetch-stream';
import type { Connection } from '../transports/stream-socket';

/** An application, or any request listener of a server. */
// biome-ignore lint/suspicious/noExplicitAny: applications and listeners have their own types of requests and responses.
export type Listener = (req: any, res: any) => unknown;

export interface FetchOptions {
  /** The address of the client (`req.socket.remoteAddress`) if the server passes none. Default undefined. */
  remoteAddress?: string;
}

/** The second argument of a fetch handler: an object in Deno, the server in Bun. Other values are ignored. */
export interface Peer {
  remoteAddr?: unknown;
  requestIP?: unknown;
}

/** The address of the client. Bun uses the property `address`, Deno uses `hostname`. */
interface Address {
  address?: string;
  hostname?: string;
  port?: number;
}

export interface ApplicationFetch {
  /** @param peer The second argument of a fetch handler, which Deno and Bun pass. */
  (request: Request, peer?: unknown): Promise<Response>;
  /** @param url An absolute URL, or a path, which is resolved against `http://localhost`. */
  (url: string | URL, init?: RequestInit): Promise<Response>;
}

/**
 * Turns an application into a function that passes it a request and returns its response. No port is necessary.
 *
 * The promise is fulfilled when the application writes the first part of the body or ends the response. It is rejected
 * with `signal.reason` if the request is aborted before. If the application destroys the response before, it is
 * rejected with the error passed to `destroy`, or else with `NOZOMI_FETCH_CLOSED`.
 *
 * @example const response = await toFetch(app)('/users/1'); export default { fetch: toFetch(app) };
 */
export function toFetch(app: Listener, options: FetchOptions = {}): ApplicationFetch {
  function fetch(request: Request, peer?: unknown): Promise<Response>;
  function fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  async function fetch(input: Request | string | URL, more?: unknown): Promise<Response> {
    const isRequest = typeof input === 'object' && 'headers' in input;
    // A cast: if `input` is not a request, the caller used the second overload.
    const init = more as RequestInit | undefined;
    const request = isRequest ? input : new Request(new URL(input, 'http://localhost'), init);
    const { signal } = request;
    signal?.throwIfAborted();
    const url = new URL(request.url);
    const stream = new FetchStream(request.body);
    const exchange = new Exchange(
      stream,
      fetchTransport,
      connectionOf(request, url, isRequest ? more : undefined, options),
      {
        method: request.method,
        url: request.url.slice(url.origin.length).replace(/#.*/s, ''),
        rawHeaders: headersOf(request, url),
        httpVersion: '1.1',
        hasBody: request.body !== null,
      },
      classesFor(app),
    );
    const abort = (): void => stream.abort(signal.reason);
    signal?.addEventListener('abort', abort, { once: true });
    stream.once('close', () => signal?.removeEventListener('abort', abort));
    const response = stream.response();
    app(exchange.req, exchange.res);
    return response;
  }
  return fetch;
}

function classesFor(app: Listener): MessageClasses {
  return isApplication(app) ? createObjects(app) : NODE_CLASSES;
}

function headersOf({ headers }: Request, { host }: URL): string[] {
  const list = headers.has('host') ? [] : ['host', host];
  headers.forEach((value, name) => void list.push(name, value));
  return list;
}

function connectionOf(
  request: Request,
  url: URL,
  peer: unknown,
  { remoteAddress }: FetchOptions,
): Connection {
  const encrypted = url.protocol === 'https:' || undefined;
  const { remoteAddr, requestIP }: Peer = typeof peer === 'object' && peer ? peer : {};
  const found: unknown = typeof requestIP === 'function' ? requestIP.call(peer, request) : remoteAddr;
  // A cast without checks, because these properties come from the server and not from the client.
  const { address, hostname, port }: Address = typeof found === 'object' && found ? found : {};
  return {
    encrypted,
    remoteAddress: address ?? hostname ?? remoteAddress,
    remotePort: port,
  };
}
