/** What RFC 9110 and RFC 9112 require of a server, as requests; and the application that receives them. */
import { join } from 'node:path';
import type { Framework } from '../support/both';
import { receive } from '../support/connections';

const H = 'Host: a\r\n';
/** The last request of each probe. It ends the connection, so that no probe waits for a time. */
const LAST = `GET /last HTTP/1.1\r\n${H}Connection: close\r\n\r\n`;

const get = (headers = '', target = '/', version = '1.1'): string =>
  `GET ${target} HTTP/${version}\r\n${H}${headers}\r\n`;
const post = (headers: string, body = ''): string => `POST / HTTP/1.1\r\n${H}${headers}\r\n${body}`;
const chunked = (body: string): string =>
  post('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n', body);

export interface Received {
  readonly status: number;
  readonly text: string;
  /** Whether the server responded to the last request, which it does not after it has closed the connection. */
  readonly isOpen: boolean;
}
export type Meets = readonly number[] | ((received: Received) => boolean);

const isFailure = ({ status }: Received): boolean => status >= 400 || status === 0;
const isRefusedOrLast = ({ status, isOpen }: Received): boolean => status >= 400 || !isOpen;
const has = (pattern: RegExp) => (received: Received) => pattern.test(received.text);
const lacks = (pattern: RegExp) => (received: Received) => !pattern.test(received.text);

/** Each requirement, what meets it, and who does: `E`xpress, Nozomi with `S`trict. */
export const PROBES: ReadonlyArray<
  readonly [what: string, request: string, meets: Meets, who: 'ES' | 'S' | '']
> = [
  ['RFC 9112 §2.2 a bare CR', get('X: a\rb\r\n'), [400], 'ES'],
  ['RFC 9112 §2.2 an empty line first', `\r\n${get()}`, [200], 'ES'],
  ['RFC 9112 §2.2 space before the first header', `GET / HTTP/1.1\r\n X: a\r\n${H}\r\n`, [400], 'ES'],
  ['RFC 9112 §2.3 version 2.0', get('', '/', '2.0'), [400, 505], 'S'],
  ['RFC 9112 §2.3 version 1.2', get('', '/', '1.2'), [200, 400, 505], 'ES'],
  ['RFC 9112 §3 a long target', get('', `/${'a'.repeat(20_000)}`), [414, 431], 'ES'],
  ['RFC 9112 §3 a space in the target', get('', '/a b'), [400], 'ES'],
  ['RFC 9112 §3 an unknown method', `FOO / HTTP/1.1\r\n${H}\r\n`, [400, 405, 501], 'ES'],
  ['RFC 9110 §9.1 501 for an unknown method', `FOO / HTTP/1.1\r\n${H}\r\n`, [501], 'S'],
  [
    'RFC 9110 §15.5.6 405 with Allow',
    `DELETE / HTTP/1.1\r\n${H}\r\n`,
    has(/^HTTP\/1\.1 405 [\s\S]*\r\nAllow: /),
    'S',
  ],
  ['RFC 9112 §3.2 no Host', 'GET / HTTP/1.1\r\n\r\n', [400], 'ES'],
  ['RFC 9112 §3.2 two Hosts', get('Host: b\r\n'), [400], 'S'],
  ['RFC 9112 §3.2 an invalid Host', 'GET / HTTP/1.1\r\nHost: a b/c@d\r\n\r\n', [400], 'S'],
  ['RFC 9112 §3.2 an empty Host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', [200, 400], 'ES'],
  ['RFC 9112 §3.2 a user in Host', 'GET / HTTP/1.1\r\nHost: u:p@a\r\n\r\n', [400], 'S'],
  ['RFC 9112 §3.2.2 the absolute form', get('', 'http://a/'), [200], 'ES'],
  ['RFC 9112 §3.2.2 the host of the absolute form', get('', 'http://b/host'), lacks(/host a/), 'S'],
  ['RFC 9112 §3.2.3 CONNECT', `CONNECT a:1 HTTP/1.1\r\n${H}\r\n`, isFailure, 'ES'],
  ['RFC 9112 §3.2.4 OPTIONS *', `OPTIONS * HTTP/1.1\r\n${H}\r\n`, [200, 204, 404], 'ES'],
  ['RFC 9112 §3.2.4 GET *', get('', '*'), [400, 404], 'ES'],
  ['RFC 9112 §5.1 space before a colon', get('X : a\r\n'), [400], 'ES'],
  ['RFC 9112 §5.2 a folded line', get('X-A: b\r\n c\r\n', '/any'), has(/^HTTP\/1\.1 400|"b {0,2}c"/), 'ES'],
  ['RFC 9110 §5.1 an empty name', get(': a\r\n'), [400], 'ES'],
  ['RFC 9110 §5.5 NUL', get('X: a\0b\r\n'), [400], 'ES'],
  ['RFC 6585 §5 a long header', get(`X: ${'a'.repeat(20_000)}\r\n`), [431], 'ES'],
  [
    'RFC 9112 §6.1 a length and chunks',
    post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    [400],
    'ES',
  ],
  ['RFC 9112 §6.1 a last coding that is not chunked', post('Transfer-Encoding: gzip\r\n'), [400, 501], 'S'],
  [
    'RFC 9112 §6.1 an unknown coding',
    post('Transfer-Encoding: foo, chunked\r\n', '0\r\n\r\n'),
    [400, 501],
    'S',
  ],
  [
    'RFC 9112 §6.1 chunks in HTTP/1.0',
    `POST / HTTP/1.0\r\n${H}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    isRefusedOrLast,
    'ES',
  ],
  ['RFC 9112 §6.3 two lengths', post('Content-Length: 1\r\nContent-Length: 2\r\n', 'ab'), [400], 'ES'],
  ['RFC 9112 §6.3 a list of lengths', post('Content-Length: 1, 2\r\n', 'ab'), [400], 'ES'],
  ['RFC 9112 §6.3 a signed length', post('Content-Length: +1\r\n', 'a'), [400], 'ES'],
  ['RFC 9112 §7.1 no chunk size', chunked('xx\r\n'), [400], 'ES'],
  ['RFC 9112 §7.1 a chunk size with 0x', chunked('0x2\r\n{}\r\n0\r\n\r\n'), [400], 'ES'],
  ['RFC 9112 §7.1 a huge chunk size', chunked('fffffffffffffffff\r\n{}'), [400, 413], 'ES'],
  ['RFC 9112 §7.1.1 a chunk extension', chunked('2;a=b\r\n{}\r\n0\r\n\r\n'), [200], 'ES'],
  ['RFC 9112 §7.1 a bare LF after a chunk size', chunked('2\n{}\r\n0\r\n\r\n'), [400], 'ES'],
  ['RFC 9112 §9.2 a request after a client that left', get(), [200], 'ES'],
  ['RFC 9112 §9.3 HTTP/1.1 persists', get() + get(), has(/( 200 OK[\s\S]*){3}/), 'ES'],
  ['RFC 9112 §9.3 HTTP/1.0 does not', get('', '/', '1.0'), ({ isOpen }) => !isOpen, 'ES'],
  ['RFC 9112 §9.6 Connection: close', get('Connection: close\r\n'), ({ isOpen }) => !isOpen, 'ES'],
  ['RFC 9110 §6.6.1 Date', get(), has(/\r\nDate: /), 'ES'],
  ['RFC 9110 §7.8 an unknown upgrade', get('Connection: upgrade\r\nUpgrade: foo\r\n'), [200], 'ES'],
  [
    'RFC 9110 §8.6 204 has no length',
    get('', '/empty'),
    lacks(/ 204 [\s\S]*Content-Length: [\s\S]*HTTP/),
    'ES',
  ],
  [
    'RFC 9110 §9.3.2 HEAD has no body',
    `HEAD / HTTP/1.1\r\n${H}\r\n`,
    has(/ 200 OK\r\n([^\r\n]+\r\n)+\r\nHTTP/),
    'ES',
  ],
  [
    'RFC 9110 §9.3.2 HEAD has the length',
    `HEAD / HTTP/1.1\r\n${H}\r\n`,
    has(/\r\nContent-Length: [1-9]/),
    'ES',
  ],
  [
    'RFC 9110 §9.3.8 TRACE reflects no Cookie',
    `TRACE /any HTTP/1.1\r\n${H}Cookie: s=1\r\n\r\n`,
    lacks(/s=1/),
    'S',
  ],
  [
    'RFC 9110 §10.1.1 Expect: 100-continue',
    post('Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n', '{}'),
    [100, 200],
    'ES',
  ],
  ['RFC 9110 §10.1.1 an unknown expectation', get('Expect: x\r\n'), [417], 'ES'],
  ['RFC 9110 §13.1.1 If-Match', get('If-Match: "x"\r\n', '/files/hello.txt'), [412], 'ES'],
  ['RFC 9110 §13.1.2 If-None-Match: *', get('If-None-Match: *\r\n'), [304], 'ES'],
  ['RFC 9110 §14.2 a range', get('Range: bytes=0-1\r\n', '/files/hello.txt'), [206], 'ES'],
  [
    'RFC 9110 §15.5.14 413 before the body',
    post('Content-Type: application/json\r\nContent-Length: 999999\r\n', '{'),
    [413],
    'S',
  ],
  ['RFC 9110 §15.5.16 415', post('Content-Type: x/y\r\nContent-Length: 1\r\n', 'a'), [415], ''],
  [
    'RFC 9110 §15.5.17 416 with Content-Range',
    get('Range: bytes=9999-\r\n', '/files/hello.txt'),
    has(/^HTTP\/1\.1 416 [\s\S]*\r\nContent-Range: bytes \*\/\d/),
    'ES',
  ],
];

/** Whether a response meets a requirement. */
export function isMet(meets: Meets, received: Received): boolean {
  return typeof meets === 'function' ? meets(received) : meets.includes(received.status);
}

export const FILES: string = join(__dirname, '../../fixtures/files');

/** Adds the routes that the probes ask for. */
export function addRoutes(implementation: Framework, app: ReturnType<Framework>): ReturnType<Framework> {
  app.set('env', 'test');
  app.use(implementation.json(), implementation.text(), implementation.urlencoded());
  app.get('/host', (req, res) => void res.send(`host ${req.host}`));
  app.get('/empty', (_req, res) => void res.status(204).send('x'));
  app.all('/any', (req, res) => void res.send(req.headers));
  app.get('/last', (_req, res) => void res.send('the last'));
  app.use('/files', implementation.static(FILES));
  return app.get('/', (_req, res) => void res.send('a')).post('/', (_req, res) => void res.send('b'));
}

/** Sends a request and then the last one, and receives until the server closes the connection or has responded to it. */
export async function send(port: number, request: string): Promise<Received> {
  // A body without an end never gets a response from Express.
  const text = await receive(port, request + LAST, SILENCE);
  return {
    text,
    status: Number(/^HTTP\/1\.\d (\d+)/.exec(text)?.[1] ?? 0),
    isOpen: text.includes('the last'),
  };
}

/** Milliseconds without a byte after which a server does not respond. */
const SILENCE = 2000;
