/** How a scenario's application is served, and with what the client comes to it. */

/** What carries a request, and for HTTP/1.1 the server that takes it. */
export const TRANSPORTS = ['listen', 'create', 'https', 'h2', 'h2c', 'fetch'] as const;

/**
 * - `listen`: `app.listen`
 * - `create`: `http.createServer(app)`
 * - `https`: `https.createServer(options, app)`
 * - `h2`: `createServer` of `nozomi/http2`, with TLS
 * - `h2c`: `http2.createServer(app)`
 * - `fetch`: `toFetch(app)`, behind a server that makes a `Request` of each request
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
 * Transports by the options of the command.
 *
 * @param transports Some of h1, h2, h2c, fetch.
 * @param servers For h1, some of listen, create, https.
 * @throws TypeError for others.
 */
export function transportsNamed(transports: string, servers: string): Transport[] {
  const asked = namesIn('transport', transports, ['h1', 'h2', 'h2c', 'fetch']);
  const http1 = namesIn('server', servers, ['listen', 'create', 'https']);
  return asked.flatMap((name) => (name === 'h1' ? http1 : [name])) as Transport[];
}

function namesIn(option: string, text: string, known: readonly string[]): string[] {
  const names = text.split(',');
  const other = names.find((name) => !known.includes(name));
  if (other !== undefined)
    throw new TypeError(`--${option}: wanted some of ${known.join(', ')}, got "${other}"`);
  return names;
}
