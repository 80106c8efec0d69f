/** Scenarios for hostile bodies: compression bombs, invalid lengths, odd media types, and names such as `__proto__`. §2.10 */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ErrorRequestHandler } from 'express';
import { aborted, post, raw } from '../../parity/client/request';
import { type Kit, scenario } from '../../parity/scenario/scenario';

const TYPES = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
};
type Parser = keyof typeof TYPES;
const PARSERS = Object.keys(TYPES) as Parser[];
const LIMIT = 100 * 1024;

/** Creates an application with each parser on its path, which also reports names that were added to Object.prototype. */
function withParsers({ framework }: Kit) {
  const app = framework();
  const polluted = (): string[] => {
    const names: string[] = [];
    for (const name in {}) names.push(name);
    return names;
  };
  for (const parser of PARSERS) app.post(`/${parser}`, framework[parser]());
  app.post('/extended', framework.urlencoded({ extended: true }));
  app.use((req, res) => {
    const { body } = req;
    const is = Object.getPrototypeOf(body ?? '').constructor.name;
    res.json({ body: Buffer.isBuffer(body) ? body.toString('base64') : body, is, polluted: polluted() });
  });
  app.use(((err, _req, res, _next) => {
    const { type, limit, received } = err;
    res.status(err.status).json({ type, limit, received, message: err.message, polluted: polluted() });
  }) as ErrorRequestHandler);
  return app;
}

const send = (
  path: string,
  body: string | Buffer,
  headers: Record<string, string | readonly string[]> = {},
) => post(`/${path}`, body, { 'Content-Type': TYPES[path as Parser] ?? TYPES.urlencoded, ...headers });

const BOMB = Buffer.alloc(1024 * 1024, ' ');
const BOMBS = { gzip: gzipSync(BOMB), deflate: deflateSync(BOMB), br: brotliCompressSync(BOMB) };

const SMALL = '{"a":1}';
/** Bodies with their Content-Encoding, and the status of the response. */
const ENCODED: ReadonlyArray<readonly [encoding: string, body: Buffer, status: number]> = [
  ['gzip', gzipSync(SMALL).subarray(0, 12), 400],
  ['deflate', deflateSync(SMALL).subarray(0, 5), 400],
  ['br', brotliCompressSync(SMALL).subarray(0, 5), 400],
  // Without the header of deflate.
  ['deflate', deflateRawSync(SMALL), 400],
  ['gzip', Buffer.from(SMALL), 400],
  ['br', Buffer.from(SMALL), 400],
  // With a wrong checksum.
  ['gzip', Buffer.concat([gzipSync(SMALL).subarray(0, -8), Buffer.alloc(8)]), 400],
  ['gzip', Buffer.concat([gzipSync(SMALL), Buffer.from('garbage')]), 400],
  ['gzip', Buffer.concat([gzipSync('{"a":'), gzipSync('1}')]), 200],
  ['gzip', Buffer.alloc(0), 400],
  ['gzip, gzip', gzipSync(gzipSync('{}')), 415],
  ['x-gzip', gzipSync('{}'), 415],
  ['', Buffer.from('{}'), 200],
  ['IDENTITY', Buffer.from('{}'), 200],
];

const head = (...headers: string[]): string =>
  `POST /json HTTP/1.1\r\nHost: spec\r\nContent-Type: application/json\r\n${headers.join('\r\n')}\r\n\r\n`;

/** Requests with odd lengths, and the status of the response; without a status, the client disconnects. */
const LENGTHS: ReadonlyArray<readonly [bytes: string, status?: number]> = [
  // Too short: the rest is not a request, or the JSON text is truncated.
  [`${head('Content-Length: 2')}{}GARBAGE\r\n\r\n`, 400],
  [`${head('Content-Length: 4', 'Connection: close')}{"a":1}`, 400],
  [`${head('Content-Length: -1')}{}`, 400],
  [`${head('Content-Length: +2')}{}`, 400],
  [`${head('Content-Length: 0x2')}{}`, 400],
  [`${head('Content-Length: 2e0')}{}`, 400],
  [`${head('Content-Length: 18446744073709551618')}{}`, 400],
  [`${head('Content-Length: 9007199254740993')}{}`],
  [`${head('Content-Length: 0002')}{}`, 200],
  [`${head('Content-Length: 2', 'Content-Length: 2')}{}`, 400],
  [`${head('Content-Length: 2', 'Content-Length: 3')}{} `, 400],
  [`${head('Content-Length: 2', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`, 400],
  [`${head('Content-Length: 102401', 'Connection: close')}`],
  // A chunk without a valid size, and one that is longer than its size.
  [`${head('Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`],
  [`${head('Transfer-Encoding: chunked')}1\r\n{}\r\n0\r\n\r\n`],
];

/** Content-Type headers for the body `{}`, and the status of the response. */
const MEDIA_TYPES: ReadonlyArray<readonly [type: string | readonly string[], status: number]> = [
  [['application/json', 'text/plain'], 200],
  [['text/plain', 'application/json'], 200],
  ['application/json; charset=evil', 415],
  ['application/json; charset=utf-8; charset=evil', 200],
  ['application/json; charset=evil; charset=utf-8', 415],
  ['application/json; charset="utf-8', 200],
  ['application/json; charset="utf\\-8"', 200],
  ['application/json; charset=__proto__', 415],
  ['application/json; __proto__=x; charset=UTF-8', 200],
  ['APPLICATION/JSON', 200],
  ['application/json;;;;', 200],
  ['application/json, text/plain', 200],
  [`application/json; a=${'\\"'.repeat(4000)}`, 200],
  [`application/json${' '.repeat(8000)}; charset=utf-8`, 200],
  ['application/json; charset=utf-7', 200],
  ['application/json; charset=utf-32', 400],
];

// biome-ignore format: a table
const NAMES = [
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf',
  '__defineGetter__',
];

/** Invalid UTF-8, and a NUL. */
const INVALID: Readonly<Record<string, number[]>> = {
  'a lone continuation byte': [0x80],
  'a lead byte without its continuation': [0xc3],
  'an overlong slash': [0xc0, 0xaf],
  'an overlong NUL': [0xe0, 0x80, 0x80],
  'a lone surrogate': [0xed, 0xa0, 0x80],
  'a code point above U+10FFFF': [0xf4, 0x90, 0x80, 0x80],
  'a sequence of five bytes': [0xf8, 0x88, 0x80, 0x80, 0x80],
  'a truncated emoji': [0xf0, 0x9f, 0x98],
  'bytes FE and FF': [0xfe, 0xff],
  'a NUL': [0],
};

export default [
  scenario({
    name: 'body parsers stop inflating a compression bomb at the limit',
    clauses: ['F-2.10-03', 'F-2.10-15', 'F-2.10-27', 'F-2.10-39', 'F-8-01'],
    build: withParsers,
    requests: PARSERS.flatMap((parser) =>
      Object.entries(BOMBS).map(([encoding, bomb]) =>
        send(parser, bomb, { 'Content-Encoding': encoding }).expect({
          status: 413,
          body: /^{"type":"entity.too.large","limit":102400,/,
        }),
      ),
    ),
    // One chunk of zlib past the limit.
    expect({ exchanges }) {
      for (const { response } of exchanges)
        expect(JSON.parse(`${response.body}`).received).to.be.within(LIMIT, LIMIT + 64 * 1024);
    },
  }),
  scenario({
    name: 'body parsers inflate a body that was compressed twice only once',
    clauses: ['F-2.10-01', 'F-2.10-13', 'F-2.10-25', 'F-2.10-37'],
    build: withParsers,
    requests: PARSERS.map((parser) =>
      send(parser, gzipSync(gzipSync(' '.repeat(2000))), { 'Content-Encoding': 'gzip' }),
    ),
    expect({ exchanges }) {
      for (const { response } of exchanges) expect(`${response.body}`).not.to.include(' '.repeat(100));
    },
  }),
  scenario({
    name: 'express.json responds 400 to an invalid compressed body, and 415 to an unknown encoding',
    clauses: ['F-2.10-01'],
    build: withParsers,
    requests: ENCODED.map(([encoding, body, status]) =>
      send('json', body, { 'Content-Encoding': encoding }).expect({ status }),
    ),
  }),
  scenario({
    name: 'express.json parses bodies with odd but valid lengths, and Node.js rejects invalid lengths',
    clauses: ['F-2.10-03'],
    build: withParsers,
    requests: [
      ...LENGTHS.map(([bytes, status]) =>
        status === undefined
          ? aborted(raw(bytes), bytes.length).expect({ outcome: 'left' })
          : raw(bytes).expect({ status }),
      ),
      raw(`${head('Transfer-Encoding: chunked')}1;a=b\r\n{\r\n1;c\r\n}\r\n0\r\nX-Trailer: x\r\n\r\n`).expect({
        json: { body: {}, is: 'Object', polluted: [] },
      }),
      send('json', '{}', { Expect: '100-continue' }).expect({ status: 200 }),
    ],
  }),
  scenario({
    name: 'express.json reads the first charset of an odd Content-Type',
    clauses: ['F-2.10-06', 'F-2.10-50'],
    build: withParsers,
    requests: MEDIA_TYPES.map(([type, status]) =>
      send('json', '{}', { 'Content-Type': type }).expect(
        status === 415 ? { status, body: /"type":"charset.unsupported"/ } : { status },
      ),
    ),
  }),
  scenario({
    name: 'body parsers set names such as __proto__ as own properties or omit them, and change no prototype',
    clauses: ['F-2.10-49', 'F-2.10-61', 'F-2.10-67'],
    build: withParsers,
    requests: NAMES.flatMap((name) => [
      ...['urlencoded', 'extended'].flatMap((path) =>
        [
          `${name}=x`,
          `${name}[polluted]=x`,
          `a[${name}][polluted]=x`,
          `${name}[]=x&${name}=y`,
          `constructor[prototype][polluted]=x&${name}`,
          `[${name}]=x`,
        ].map((text) => send(path, text).expect({ status: 200, body: /"is":"Object","polluted":\[\]}$/ })),
      ),
      send('json', `{"${name}":{"polluted":1},"a":{"${name}":[1]}}`).expect({
        status: 200,
        body: new RegExp(`^{"body":{"${name}":{"polluted":1},"a":{"${name}":\\[1\\]}},.*"polluted":\\[\\]}$`),
      }),
    ]),
  }),
  scenario({
    name: 'body parsers decode invalid UTF-8 with replacement characters, at the end of a body and elsewhere',
    clauses: ['F-2.10-50', 'F-2.10-57', 'F-2.10-61'],
    build: withParsers,
    requests: Object.values(INVALID).flatMap((bytes) =>
      ['', '"}'].flatMap((tail) => {
        const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from(tail)]);
        const text = body.toString();
        return [
          send('json', body).expect({ status: tail && bytes[0] ? 200 : 400 }),
          send('text', body).expect({ json: { body: text, is: 'String', polluted: [] } }),
          send('urlencoded', body).expect({ json: { body: { [text]: '' }, is: 'Object', polluted: [] } }),
        ];
      }),
    ),
  }),
];
