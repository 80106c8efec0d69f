/** The names of the transports: how the application of a scenario is served, and which client requests it. */

/** The protocol of the requests, and for HTTP/1.1 the kind of server. */
export const TRANSPORTS = ['listen', 'create', 'wrapped', 'https', 'h2', 'h2c', 'fetch'] as const;

/**
 * - `listen`: `app.listen`
 * - `create`: `http.createServer(app)`
 * - `wrapped`: `http.createServer((req, res) => app(req, res))`
 * - `https`: `https.createServer(options, app)`
 * - `h2`: `createServer` of `nozomi/http2`, with TLS
 * - `h2c`: `http2.createServer(app)`
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
 * The transports for the options of the command.
 *
 * @param transports One or more of h1, h2, h2c, fetch.
 * @param servers For h1, one or more of listen, create, wrapped, https.
 * @throws TypeError for any other value.
 */
export function transportsNamed(transports: string, servers: string): Transport[] {
  const asked = namesIn('transport', transports, ['h1', 'h2', 'h2c', 'fetch']);
  const http1 = namesIn('server', servers, ['listen', 'create', 'wrapped', 'https']);
  return asked.flatMap((name) => (name === 'h1' ? http1 : [name])) as Transport[];
}

function namesIn(option: string, text: string, known: readonly string[]): string[] {
  const names = text.split(',');
  const other = names.find((name) => !known.includes(name));
  if (other !== undefined)
    throw new TypeError(`--${option}: expected some of ${known.join(', ')}, got "${other}"`);
  return names;
}
