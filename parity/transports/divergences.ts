/**
 * The intended differences of a transport from HTTP/1.1, by scenario. As in `judge/divergences.ts`, each must occur.
 */
import type { Transport } from './transport';

export interface TransportDivergence {
  readonly id: string;
  readonly transports: readonly Transport[];
  /** The difference as an application or a client sees it: over this transport, then over HTTP/1.1. */
  readonly differs: string;
  readonly why: string;
  /**
   * Ids of scenarios, in each of which the difference must occur. An id that ends with `*` matches several, in which
   * it may occur.
   */
  readonly scenarios: readonly string[];
  /** The places (see `compare.ts`) that may differ. */
  readonly places: RegExp;
}

/** The body and the headers that depend on it. */
const BODY = /^\d+\.(body|headers\.(content-length|etag|set-cookie))$/;

export const TRANSPORT_DIVERGENCES: readonly TransportDivergence[] = [
  {
    id: 'tls',
    transports: ['https', 'h2'],
    differs: '`req.protocol` is "https" and `req.secure` is true; a cookie may be secure.',
    why: 'The connection uses TLS.',
    scenarios: [
      '1-execution/1-rules: an application is a server of neither kind, and serves HTTP and HTTPS at the same time',
      '2-resources/2.3-addresses: *',
      '2-resources/2.3-trust-proxy: every kind of value decides ip, ips, host, hostname, protocol and secure',
      '9-express3/9.3-cookies: cookieSession: a secure cookie goes over TLS alone, of which a trusted proxy tells',
      '9-express3/9.3-request: addresses, protocol and host come from proxies that are trusted',
      'demo/demo: every page of the demo',
      'demo/demo: the signed cookies of the demo: set, read back, and refused when tampered with',
    ],
    places: BODY,
  },
  {
    id: 'logged-status',
    transports: ['h2', 'h2c', 'fetch'],
    differs: 'The logger writes the status 500 that replaced a status that cannot be sent.',
    why: 'The log contains the status that the client received.',
    scenarios: ['logger/2.3-formats: *'],
    places: /^(log\.\d+|5\.headers\.content-length)$/,
  },
  {
    id: 'length',
    transports: ['fetch'],
    differs: 'A response without a body has Content-Length: 0, also if the application removed it.',
    why: 'The server that sends the Response adds it.',
    scenarios: [
      '9-express4/f-response: `res.send` sets `Content-Length` also where `Transfer-Encoding` is set.',
    ],
    places: /^1\.headers\.content-length$/,
  },
];
