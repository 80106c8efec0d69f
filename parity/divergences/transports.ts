/** The intended differences between a transport and `app.listen` over HTTP/1.1, by scenario. */
import type { TransportDivergence } from './divergence';

/** Matches the places of a body, its Content-Length and ETag, and of Set-Cookie, which can get `Secure` over TLS. */
const BODY = /^\d+\.(body|headers\.(content-length|etag|set-cookie))$/;

export const TRANSPORT_DIVERGENCES: readonly TransportDivergence[] = [
  {
    id: 'tls',
    transports: ['https', 'h2'],
    differs: '`req.protocol` is "https" and `req.secure` is true; middleware may set `Secure` cookies.',
    why: 'The connection uses TLS.',
    scenarios: [
      '1-execution/1-rules: one application serves HTTP and HTTPS at the same time and is no server itself',
      '2-resources/2.3-addresses: *',
      '2-resources/2.3-trust-proxy: each kind of trust proxy value changes req.ip, ips, host, hostname, protocol and secure',
      '9-express3/9.3-cookies: cookieSession sends a secure cookie only over TLS, also as reported by a trusted proxy',
      '9-express3/9.3-request: req.ip, protocol and host come from the headers of trusted proxies',
      'demo/demo: the demo serves every page',
      'demo/demo: the demo sets and reads signed cookies and rejects changed ones',
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
      '9-express4/f-response: `res.send` sets `Content-Length` also where `Transfer-Encoding` is set.*',
    ],
    places: /^1\.headers\.content-length$/,
  },
  {
    id: 'head-of-text',
    transports: ['h2', 'h2c', 'fetch'],
    differs: 'Characters of Latin-1 in headers and reasons do not become UTF-8 if the body is a short text.',
    why: 'Over HTTP/1.1, Node.js writes the head together with such a text, in its encoding.',
    scenarios: [
      '4-endpoints/4.5-send: res.send sends the same head for a header or reason outside of ASCII, with each kind of body',
      '9-express3/9.3-response: res.attachment sends the file name and its type*',
    ],
    places: /^\d+\.(headers\.(x-name|content-disposition)|reason)$/,
  },
  {
    id: 'trailer',
    transports: ['h2', 'h2c', 'fetch'],
    differs: 'A response may have `Trailer` beside Content-Length; over HTTP/1.1 it becomes an error page.',
    why: 'Node.js throws for it over HTTP/1.1, where only a chunked body can have trailers.',
    scenarios: [
      '7-errors/7-final-handler: the final handler responds if the error or the response has values that Node.js rejects',
    ],
    places: /^3\./,
  },
  {
    id: 'latin1-file-name',
    transports: ['fetch'],
    differs: 'Letters of Latin-1 remain in a Content-Disposition that Express 4 or 3 sends.',
    why: 'If the length is known, Node.js replaces them over HTTP/1.1.',
    scenarios: ['9-express3/9.3-response: res.attachment sends the file name and its type'],
    places: /^6\.headers\.content-disposition$/,
  },
];
