/** The transports: the server that runs the application of a scenario, and the client that sends the requests. */

/** The names of all transports, see `Transport`. */
export const TRANSPORTS = ['listen', 'create', 'wrapped', 'https', 'h2', 'h2c', 'fetch'] as const;

/**
 * How parity serves an application:
 * - `listen`: `app.listen`
 * - `create`: `http.createServer(app)`
 * - `wrapped`: `http.createServer((req, res) => app(req, res))`
 * - `https`: `https.createServer(options, app)`
 * - `h2`: `createServer` of `nozomi/http2`, with TLS
 * - `h2c`: `http2.createServer(app)`; for a plain request listener, `createServer` of `nozomi/http2`
 * - `fetch`: `toFetch(app)`, behind a server that creates a `Request` for each request
 */
export type Transport = (typeof TRANSPORTS)[number];

export interface Client {
  readonly isHttp2: boolean;
  readonly isSecure: boolean;
}

export function clientFor(transport: Transport | undefined): Client {
  const isSecure = transport === 'https' || transport === 'h2';
  return { isHttp2: transport === 'h2' || transport === 'h2c', isSecure };
}

/**
 * Parses the options `--transport` and `--server` of `nozomi-parity`.
 *
 * @param transports One or more of h1, h2, h2c and fetch, separated by commas.
 * @param servers The servers for h1: one or more of listen, create, wrapped and https, separated by commas.
 * @throws TypeError for any other value.
 */
export function transportsNamed(transports: string, servers: string): Transport[] {
  const protocols = namesIn('transport', transports, ['h1', 'h2', 'h2c', 'fetch']);
  const http1 = namesIn('server', servers, ['listen', 'create', 'wrapped', 'https']);
  return protocols.flatMap((name) => (name === 'h1' ? http1 : [name])) as Transport[];
}

function namesIn(option: string, text: string, known: readonly string[]): string[] {
  const names = text.split(',');
  const other = names.find((name) => !known.includes(name));
  if (other !== undefined)
    throw new TypeError(`--${option}: expected some of ${known.join(', ')}, got "${other}"`);
  return names;
}
