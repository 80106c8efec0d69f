/** Generates requests, most of them valid. All text is latin1, so one character is one byte. */
import fc, { type Arbitrary } from 'fast-check';
import type { Connection } from '../program';

const pick = fc.constantFrom;

/** Generates from `odd` once in `times`, otherwise from `common`. */
function onceIn<T>(times: number, odd: Arbitrary<T>, common: Arbitrary<T>): Arbitrary<T> {
  return fc.oneof({ arbitrary: common, weight: times - 1 }, { arbitrary: odd, weight: 1 });
}

const METHODS = pick(
  'GET',
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'PATCH',
  'QUERY',
  'TRACE',
  'PROPFIND',
);
const ODD_METHODS = pick('get', 'GE T', 'G\tET', '', 'CONNECT', 'M-SEARCH', 'PRI', 'X'.repeat(40));
const PIECES = pick(
  ...[
    '/',
    '//',
    '/.',
    '/..',
    '%2e',
    '%2F',
    '%5C',
    '\\',
    '%00',
    '%',
    '%zz',
    '%ff',
    '%C3%A9',
    '%c3',
    ';',
    ':',
    '@',
    '~',
    '*',
  ],
  ...[
    'a',
    'B',
    '0',
    '-',
    '_',
    '.',
    '+',
    '%20',
    '%25',
    "'",
    '"',
    '<',
    '{',
    '|',
    '#',
    '!',
    '$',
    '(',
    ')',
    '[',
    ']',
    '\x7f',
    '\xe9',
  ],
  ...[
    '.txt',
    'hello',
    '..%2f',
    '__proto__',
    'constructor',
    'index.html',
    '%F0%9F%98%80',
    '%u0061',
    'a'.repeat(300),
  ],
);
const QUERY_PIECES = pick(
  ...[
    'a=1',
    'a[b]=c',
    'a[]=1',
    'a[]=2',
    'a[0]=x',
    'a[99]=y',
    'a.b=c',
    '__proto__[x]=1',
    'a[b][c][d]=e',
    '=v',
    'a',
    '&',
    '&&',
    '=',
  ],
  ...[
    'a=%41',
    'a=%',
    'a=%ff',
    'to=/x',
    'to=//e',
    'to=%0d%0aX:y',
    'to=%5C%5Ce',
    'to=javascript:x',
    'callback=cb',
    'callback=a[]',
    'callback=<',
  ],
  ...[
    'name=n',
    'name=a;b',
    'value=v',
    'value=%20;x',
    'value[a]=b',
    'a=1;b=2',
    '?',
    '#',
    '%5B%5D=x',
    'a%5Bb%5D=c',
    'constructor=1',
    '[]=a',
    '+=+',
  ],
);
const VALUES = pick(
  ...[
    '',
    ' ',
    ',',
    ';',
    '=',
    '"',
    '*',
    '*/*',
    'a',
    '0',
    '1',
    '-1',
    'q=0',
    ';q=0.5',
    'text/html',
    'application/json',
    'W/"x"',
    '"x"',
  ],
  ...[
    'utf-8',
    'charset=utf-8',
    'boundary=x',
    'gzip',
    'br',
    'identity',
    'en',
    'de-CH',
    'bytes=0-1',
    'bytes=-5',
    'bytes=5-',
    'bytes=0-1,3-4',
  ],
  ...[
    'bytes=9-1',
    'close',
    'keep-alive',
    'chunked',
    'example.com',
    'a.b.example.com:80',
    '[::1]:8',
    'u@h',
    'h:x@y',
    '127.0.0.1',
    '::1',
    '10.0.0.1',
  ],
  ...[
    'a=b',
    'a=%7B%7D',
    'a=j:{"x":1}',
    's:v.sig',
    'a="b"',
    'Basic YTpi',
    'Basic Og==',
    'Basic !',
    'https',
    'XMLHttpRequest',
    '100-continue',
  ],
  ...[
    'Thu, 01 Jan 2026 00:00:00 GMT',
    'Fri, 01 Jan 2027 00:00:00 GMT',
    'no-cache',
    'max-age=0',
    '\t',
    '\xe9',
    'x'.repeat(200),
  ],
);
const HEADERS = pick(
  ...[
    'Accept',
    'Accept-Charset',
    'Accept-Encoding',
    'Accept-Language',
    'Authorization',
    'Cache-Control',
    'Connection',
    'Content-Encoding',
  ],
  ...[
    'Content-Type',
    'Cookie',
    'Expect',
    'Host',
    'If-Match',
    'If-Modified-Since',
    'If-None-Match',
    'If-Range',
    'If-Unmodified-Since',
  ],
  ...[
    'Range',
    'Referer',
    'TE',
    'Trailer',
    'Upgrade',
    'User-Agent',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
  ],
  ...[
    'X-Requested-With',
    'X-A',
    '__proto__',
    'Content-Length',
    'Transfer-Encoding',
    'Keep-Alive',
    'Origin',
    'X-HTTP-Method-Override',
  ],
);
/** Header lines that browsers and other clients send. */
const USUAL_HEADERS = pick(
  ...[
    'Accept: text/html',
    'Accept: application/json',
    'Accept: */*',
    'Accept-Encoding: gzip',
    'Connection: close',
    'Connection: keep-alive',
  ],
  ...[
    'If-None-Match: *',
    'If-None-Match: "t"',
    'If-None-Match: W/"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"',
    'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT',
  ],
  ...[
    'Range: bytes=0-1',
    'X-Forwarded-For: 10.0.0.1, 10.0.0.2',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Host: a.b.c',
    'X-Requested-With: XMLHttpRequest',
  ],
  ...[
    'Cookie: a=b; connect.sid=s%3Aid.x',
    'Expect: 100-continue',
    'Cache-Control: no-cache',
    'User-Agent: \xe9',
    'Referer: /r',
    'Authorization: Basic YTpi',
    'Upgrade: websocket',
    'Connection: upgrade',
  ],
);
const JSON_PIECES = pick(
  '{',
  '}',
  '[',
  ']',
  '"a"',
  ':',
  ',',
  '1',
  'null',
  '-0',
  '1e999',
  '"\\u2028"',
  '"__proto__"',
  ' ',
  '\xef\xbb\xbf',
  '"',
  '\\',
  '\xff',
);
const TYPES = pick(
  ...[
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/octet-stream',
    'application/json; charset=utf-8',
  ],
  ...[
    'application/json; charset=utf-16',
    'text/plain; charset=latin1',
    'text/plain; charset=x',
    'application/x-www-form-urlencoded; charset=iso-8859-1',
  ],
  ...[
    'APPLICATION/JSON',
    'application/json;',
    'a',
    '',
    'application/json; charset="utf-8"',
    'multipart/form-data; boundary=x',
  ],
);

const joined = (pieces: Arbitrary<string>, maxLength: number, separator = ''): Arbitrary<string> =>
  fc.array(pieces, { maxLength, size: 'max' }).map((list) => list.join(separator));

const bytes: Arbitrary<string> = fc
  .uint8Array({ maxLength: 40 })
  .map((list) => Buffer.from(list).toString('latin1'));

const content: Arbitrary<string> = fc.oneof(
  joined(JSON_PIECES, 12),
  fc
    .jsonValue({ maxDepth: 2, noUnicodeString: true } as fc.JsonSharedConstraints)
    .map((value) => JSON.stringify(value)),
  pick('{"a":1}', '[]', 'a=1&b[c]=2', 'hello', '"x"', ''),
  joined(QUERY_PIECES, 8, '&'),
  bytes,
  pick('a'.repeat(3000), '{}'.repeat(3000)),
);

interface Body {
  readonly headers: readonly string[];
  readonly body: string;
}

const chunked: Arbitrary<Body> = fc
  .record({
    content,
    size: fc.integer({ min: 1, max: 20 }),
    extension: onceIn(20, pick(';a', ';a=b', ';a="\\""', ' ', ';'), fc.constant('')),
    wrong: onceIn(40, fc.constant(1), fc.constant(0)),
    end: onceIn(
      30,
      fc.constant(''),
      onceIn(
        15,
        pick('0\r\nX-T: 1\r\n\r\n', '0\r\nX-T: \xe9\r\n\r\n', '0\r\n:\r\n\r\n'),
        fc.constant('0\r\n\r\n'),
      ),
    ),
    encoding: onceIn(20, pick('Chunked', 'x, chunked', 'chunked, x', 'identity'), fc.constant('chunked')),
  })
  .map(({ content: text, size, extension, wrong, end, encoding }) => {
    const chunks: string[] = [];
    for (let at = 0; at < text.length; at += Math.max(size, Math.ceil(text.length / 20))) {
      const piece = text.slice(at, at + Math.max(size, Math.ceil(text.length / 20)));
      chunks.push(`${(piece.length + wrong).toString(16)}${extension}\r\n${piece}\r\n`);
    }
    return { headers: [`Transfer-Encoding: ${encoding}`], body: chunks.join('') + end };
  });

const measured: Arbitrary<Body> = fc
  .record({
    content,
    off: onceIn(25, fc.integer({ min: -2, max: 2 }), fc.constant(0)),
    odd: onceIn(60, pick('x', '-1', '0x5', '+5', '5, 5', '', '1e1'), fc.constant(undefined)),
  })
  .map(({ content: text, off, odd }) => ({
    headers: [`Content-Length: ${odd ?? Math.max(0, text.length + off)}`],
    body: text,
  }));

const typed: Arbitrary<Body> = fc
  .record({
    body: fc.oneof({ arbitrary: measured, weight: 2 }, { arbitrary: chunked, weight: 1 }),
    type: onceIn(12, fc.constant(undefined), TYPES),
    encoding: onceIn(15, pick('gzip', 'deflate', 'br', 'identity', 'x', 'gzip, br'), fc.constant(undefined)),
  })
  .map(({ body: { headers, body }, type, encoding }) => ({
    headers: [
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
      ...(encoding === undefined ? [] : [`Content-Encoding: ${encoding}`]),
      ...headers,
    ],
    body,
  }));

const withBody: Arbitrary<Body> = fc.oneof(
  { arbitrary: fc.constant({ headers: [], body: '' }), weight: 3 },
  { arbitrary: typed, weight: 1 },
);

const header: Arbitrary<string> = onceIn(
  60,
  pick(
    'X-A : 1',
    'X-A',
    ': 1',
    'X-A:1\r\n folded',
    'X-A:\0',
    'X-A\t:x',
    'Host: again',
    'Expect: x',
    'Content-Length: 3',
  ),
  fc.oneof(
    { arbitrary: USUAL_HEADERS, weight: 2 },
    {
      arbitrary: fc
        .tuple(
          HEADERS,
          pick(': ', ':', ':  ', ':\t'),
          fc.array(VALUES, { minLength: 1, maxLength: 3 }),
          pick('', ',', ', ', ';', '; '),
        )
        .map(([name, colon, list, separator]) => `${name}${colon}${list.join(separator)}`),
      weight: 1,
    },
  ),
);

/** Generates a request target: usually one of `paths`, sometimes with an origin, more segments or a query. */
function targetFrom(paths: Arbitrary<string>): Arbitrary<string> {
  const usual = fc
    .record({
      origin: onceIn(
        25,
        pick('http://h', 'HTTP://h:80', 'https://u@h', 'http://h:x', 'ftp://h'),
        fc.constant(''),
      ),
      path: paths,
      more: onceIn(6, joined(PIECES, 3), fc.constant('')),
      query: onceIn(
        3,
        joined(QUERY_PIECES, 4, '&').map((text) => `?${text}`),
        fc.constant(''),
      ),
    })
    .map(({ origin, path, more, query }) => origin + path + more + query);
  return onceIn(
    40,
    pick('*', '', 'x', 'h:80', '?a', '#', 'http://', 'https://h', '/ /', '//', '/\xe9'),
    usual,
  );
}

/** A change at position `at`, which may make the request invalid. `end` removes all bytes from there on. */
interface Damage {
  readonly at: number;
  readonly how: 'replace' | 'cut' | 'repeat' | 'insert' | 'end';
  readonly bytes: string;
}

const damage: Arbitrary<Damage> = fc.record({
  at: fc.integer({ min: 0, max: 200 }),
  how: pick('replace', 'cut', 'repeat', 'insert', 'end'),
  bytes: fc.oneof(pick('\r', '\n', '\r\n', '\0', ' ', ':', '\xff', '\r\n\r\n'), bytes),
});

function spoil(text: string, { at, how, bytes: given }: Damage): string {
  const place = text.length === 0 ? 0 : at % text.length;
  const [before, rest] = [text.slice(0, place), text.slice(place)];
  const length = Math.max(1, given.length % 8);
  switch (how) {
    case 'replace':
      return before + given + rest.slice(given.length);
    case 'cut':
      return before + rest.slice(length);
    case 'repeat':
      return before + rest.slice(0, length) + rest;
    case 'insert':
      return before + given + rest;
    case 'end':
      return before;
  }
}

/**
 * Generates the bytes of a request.
 *
 * @param paths The paths of most request targets.
 */
export function requestTo(paths: Arbitrary<string>): Arbitrary<string> {
  return fc
    .record({
      method: onceIn(60, ODD_METHODS, METHODS),
      target: targetFrom(paths),
      version: onceIn(
        15,
        pick(
          'HTTP/1.0',
          'HTTP/1.0',
          'HTTP/1.0',
          'HTTP/2.0',
          'HTTP/0.9',
          'HTTP/1.2',
          'http/1.1',
          'HTTP/1.1 ',
          '',
          'HTTP/11',
        ),
        fc.constant('HTTP/1.1'),
      ),
      host: onceIn(
        20,
        onceIn(
          3,
          fc.constant<string[]>([]),
          VALUES.map((value) => [`Host: ${value}`]),
        ),
        fc.constant<string[]>(['Host: h.example']),
      ),
      headers: fc.array(header, { maxLength: 3, size: 'max' }),
      body: withBody,
      damages: onceIn(15, fc.array(damage, { minLength: 1, maxLength: 3 }), fc.constant<Damage[]>([])),
      garbage: onceIn(25, pick('a=1', '\r\n', '\0', 'GET', 'x'.repeat(30), ' '), fc.constant('')),
    })
    .map(({ method, target, version, host, headers, body, damages, garbage }) => {
      const lines = [`${method} ${target} ${version}`, ...host, ...headers, ...body.headers];
      const request = `${lines.map((line) => `${line}\r\n`).join('')}\r\n${body.body}`;
      return damages.reduce(spoil, request) + garbage;
    });
}

export function connectionTo(paths: Arbitrary<string>): Arbitrary<Connection> {
  const request = requestTo(paths);
  const oneByOne = fc.array(request, { minLength: 1, maxLength: 3 });
  const atOnce = fc.array(request, { minLength: 2, maxLength: 4 }).map((list) => [list.join('')]);
  const inPieces = fc
    .tuple(request, fc.integer({ min: 1, max: 100 }))
    .map(([text, at]) => [text.slice(0, at), text.slice(at)].filter((piece) => piece !== ''));
  return fc.record({
    send: fc.oneof(
      { arbitrary: request.map((text) => [text]), weight: 6 },
      { arbitrary: oneByOne, weight: 2 },
      { arbitrary: atOnce, weight: 1 },
      { arbitrary: inPieces, weight: 1 },
    ),
    aborts: onceIn(40, fc.constant(true), fc.constant(false)),
  });
}
