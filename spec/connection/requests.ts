/** Generates what clients and attackers send: plain requests, requests of smuggling lists, and mutations of both. */
import fc from 'fast-check';

/** Lines that parsers read in different ways, as in lists of request smuggling. */
// biome-ignore format: a table
const ODD_FIELDS = [
  'Content-Length: 3', 'Content-Length: 3\r\nContent-Length: 3', 'Content-Length: 3\r\nContent-Length: 4', 'Content-Length: 03',
  'Content-Length: +3', 'Content-Length: -3', 'Content-Length: 0x3', 'Content-Length: 3 ', 'Content-Length:\t3', 'Content-Length: 3,3',
  'Content-Length: 3, 3', 'Content-Length: 3 4', 'Content-Length: ', 'Content-Length:', 'Content-Length: 99999999999999999999', 'Content-Length: 3\x0b',
  'Content-Length : 3', 'Content_Length: 3', 'content-length: 3', 'CONTENT-LENGTH: 0', 'Content-Length: 1e1', 'Content-Length: 3;', 'Content-Length\r\n: 3',
  'Transfer-Encoding: chunked', 'transfer-encoding: chunked', 'Transfer-Encoding : chunked', 'Transfer-Encoding: xchunked', 'Transfer-Encoding:chunked',
  'Transfer-Encoding: identity', 'Transfer-Encoding: chunked, identity', 'Transfer-Encoding: identity, chunked', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
  'Transfer-Encoding:\tchunked', 'Transfer-Encoding:\x0bchunked', 'Transfer-Encoding: "chunked"', 'Transfer-Encoding\r\n : chunked', 'Transfer-Encoding: chunKed',
  ' Transfer-Encoding: chunked', 'X: y\r\n Transfer-Encoding: chunked', 'X: y\nTransfer-Encoding: chunked', 'X: y\rTransfer-Encoding: chunked', 'Transfer-Encoding: \x00chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 3', 'Content-Length: 3\r\nTransfer-Encoding: chunked', 'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding:',
  'Host: other', 'Host:', 'Host: a\r\nHost: b', 'host: [::1]:80', 'Host: a b', 'Host : a', 'Host: a\x80', 'Host: a, b',
  'Connection: close', 'Connection: keep-alive', 'Connection: Keep-Alive', 'Connection: keep-alive, close', 'Connection: Upgrade', 'Connection:', 'Connection: x',
  'Connection: close\r\nConnection: keep-alive', 'Connection: keep-alive\r\nConnection: keep-alive', 'Proxy-Connection: close', 'Keep-Alive: timeout=5', 'Connection: content-length',
  'Upgrade: h2c', 'Upgrade: websocket\r\nConnection: Upgrade', 'Expect: 100-continue', 'Expect: tea', 'Trailer: X', 'TE: trailers', 'HTTP2-Settings: AAMAAABkAAQAAP__',
  'X: a\tb', 'X:\t a \t', 'X:', 'X: ', 'X: \x7f', 'X: \x00', 'X: \x01', 'X: \x0c', 'X: \x80', 'X: \xff', 'X: a\r\n\tb', 'X: a\r\n b', 'X: a\r', 'X\x00: a', 'X Y: a', ': a', 'X', '',
  'X(: a', 'X": a', 'X/: a', 'X[: a', 'X{: a', 'X@: a', "!#$%&'*+-.^_`|~: a", '\x80: a', '__proto__: a', 'constructor: a', 'Set-Cookie: a=1\r\nSet-Cookie: b=2', 'Cookie: a=1\r\nCookie: b=2',
  'Accept: a\r\nAccept: b', 'User-Agent: a\r\nUser-Agent: b', 'Authorization: a\r\nauthorization: b', 'Date: a\r\nDate: b', 'ETag: a\r\nETag: b', 'If-Match: a\r\nIf-Match: b', 'X-A: 1\r\nx-a: 2',
];

// biome-ignore format: a table
const METHODS = [
  'GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'HEAD', 'DELETE', 'OPTIONS', 'PATCH', 'QUERY', 'CONNECT', 'TRACE', 'PRI', 'get', 'G\x00T', 'GETS', 'GE', 'M-SEARCH', 'SOURCE', '', ' GET', '\r\nGET',
];

// biome-ignore format: a table
const TARGETS = [
  '/', '/', '/a/b?c=d&e', '/%7e', '//host/a', '/a#b', '/#', '*', 'http://other/a', 'https://user@other:80/', 'other:443', 'a', '?', '', '/ /a', '/a b', '/\x00', '/\x7f', '/\x80', '/\xe4', '/\t', '/..;/a', '/a\\b',
  '/"', '/<>', '/[x]', '/{x}|^`', '/%', '/a?b?c', "/!$&'()*+,;=:@-._~", '/a?#b#c', '/HTTP/1.1', '/a HTTP/1.1', '/a\r', '/a\n', '/@', '/:80', '/?http://x',
];

// biome-ignore format: a table
const VERSIONS = [
  ' HTTP/1.1', ' HTTP/1.1', ' HTTP/1.1', ' HTTP/1.1', ' HTTP/1.1', ' HTTP/1.1', ' HTTP/1.0', ' HTTP/2.0', ' HTTP/0.9', ' HTTP/1.2', ' http/1.1', ' HTTP/1.1 ', '  HTTP/1.1', '\tHTTP/1.1', ' HTTP/11', ' HTTP/1', ' ICE/1.0', ' RTSP/1.0', '', ' HTTP/01.1', ' HTTP/1.1\x00', ' HTTP/1.10',
];

/** The header blocks of real clients. */
const CLIENTS = [
  'Host: h\r\nUser-Agent: curl/8.5.0\r\nAccept: */*\r\n',
  'Host: localhost:3000\r\nConnection: keep-alive\r\nsec-ch-ua: "Chromium";v="142", "Not_A Brand";v="99"\r\nsec-ch-ua-mobile: ?0\r\nsec-ch-ua-platform: "Linux"\r\nUpgrade-Insecure-Requests: 1\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\r\nAccept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8\r\nSec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: en-US,en;q=0.9\r\nCookie: sid=abc; theme=dark\r\n',
  'Host: h\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0\r\nAccept: */*\r\nAccept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip, deflate\r\nReferer: http://h/\r\nConnection: keep-alive\r\nPriority: u=4\r\n',
  'host: h\r\nconnection: keep-alive\r\naccept: */*\r\naccept-language: *\r\nsec-fetch-mode: cors\r\nuser-agent: node\r\naccept-encoding: gzip, deflate\r\n',
  'Host: h\r\nX-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https\r\nX-Request-Id: 0f8a\r\nAccept-Encoding: gzip\r\n',
  'accept: application/json, text/plain, */*\r\nhost: h\r\ncontent-type: application/json\r\n',
];

const BODIES = [
  'abc',
  'a',
  '',
  '3\r\nabc\r\n0\r\n\r\n',
  '0\r\n\r\n',
  '3;x=y\r\nabc\r\n0\r\n\r\n',
  '0\r\nX: y\r\n\r\n',
  '3\nabc\n0\n\n',
  'GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n',
  '03\r\nabc\r\n0\r\n\r\n',
];

const block = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...CLIENTS) },
  { weight: 1, arbitrary: fc.constant('') },
);

const field = fc.constantFrom(...ODD_FIELDS).map((line) => `${line}\r\n`);

/** A plain request, with the length of its body. */
const plain = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'),
    fc.constantFrom('/', '/a/b?c=d', '/%7e?x=[1]'),
    fc.constantFrom(...CLIENTS),
    fc.constantFrom('', '', 'abc', '{"a":1}', 'x'.repeat(300)),
  )
  .map(
    ([method, target, fields, body]) =>
      `${method} ${target} HTTP/1.1\r\n${fields}${body && `Content-Length: ${body.length}\r\n`}\r\n${body}`,
  );

/** A request of parts that are mostly as they should be. */
const odd = fc
  .record({
    method: fc.constantFrom(...METHODS),
    target: fc.constantFrom(...TARGETS),
    version: fc.constantFrom(...VERSIONS),
    before: fc.array(field, { maxLength: 1 }),
    fields: block,
    after: fc.array(field, { maxLength: 2 }),
    end: fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\n', '', '\r', '\r\n\r\n', ' \r\n'),
    body: fc.constantFrom('', ...BODIES),
    lineEnd: fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r', '\r\r\n'),
  })
  .map(({ method, target, version, before, fields, after, end, body, lineEnd }) =>
    [method, ` ${target}`, version, lineEnd, ...before, fields, ...after, end, body].join(''),
  );

/** A plain request with one odd line, so that nothing else decides how it is read. */
const nearlyPlain = fc
  .tuple(
    fc.constantFrom('GET', 'POST'),
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('/') },
      { weight: 1, arbitrary: fc.constantFrom(...TARGETS) },
    ),
    field,
    fc.oneof(
      { weight: 1, arbitrary: fc.constant('abc') },
      { weight: 1, arbitrary: fc.constantFrom(...BODIES) },
    ),
  )
  .map(
    ([method, target, line, body]) =>
      `${method} ${target} HTTP/1.1\r\nHost: h\r\n${line}Accept: */*\r\n\r\n${body}`,
  );

const byte = fc.oneof(
  fc.constantFrom('\r', '\n', '\r\n', ' ', '\t', ':', '\x00', '\x0b', '\x7f', '\x80', '0', '/', ','),
  fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
);

/** Replaces, inserts or removes bytes at a few positions. */
function mutated(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    drop: fc.constantFrom(0, 1, 1, 2),
    put: fc.oneof(byte, fc.constant('')),
  });
  return fc.tuple(text, fc.array(change, { minLength: 1, maxLength: 2 })).map(([whole, changes]) =>
    changes.reduce((each, { at, drop, put }) => {
      const position = Math.floor(at * each.length);
      return each.slice(0, position) + put + each.slice(position + drop);
    }, whole),
  );
}

const request = fc.oneof(
  { weight: 3, arbitrary: plain },
  { weight: 2, arbitrary: odd },
  { weight: 4, arbitrary: nearlyPlain },
  { weight: 3, arbitrary: mutated(plain) },
  { weight: 1, arbitrary: mutated(odd) },
);

/** A few requests as bytes, cut into pieces: between the requests, or anywhere. */
export const pieces: fc.Arbitrary<Buffer[]> = fc
  .oneof(
    { weight: 3, arbitrary: fc.array(request, { minLength: 1, maxLength: 3 }) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.array(request, { minLength: 1, maxLength: 3 }),
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
        )
        .map(([requests, cuts]) => {
          const text = requests.join('');
          const positions = [0, ...cuts.map((cut) => Math.floor(cut * text.length)), text.length];
          positions.sort((a, b) => a - b);
          return positions.slice(1).map((position, index) => text.slice(positions[index], position));
        }),
    },
  )
  .map((texts) => texts.filter((text) => text !== '').map((text) => Buffer.from(text, 'latin1')));
