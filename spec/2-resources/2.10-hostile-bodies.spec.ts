/**
 * Hostile bodies, whose responses must equal those of Express, and clients that disconnect. `Object.prototype` must be
 * unchanged after each test.
 */
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import framework from 'nozomi';
import { playSteps } from '../../parity/client/exchange';
import type { Request } from '../../parity/client/messages';
import { formatHead, post, raw } from '../../parity/client/request';
import { echo, PARSERS, type Parser, TYPES } from '../support/bodies';
import { cpuOfAsync } from '../support/cost';
import { descriptors, descriptorsBeyond } from '../support/descriptors';
import { jsonOf, PATIENCE, playBeside } from '../support/play';
import { close, portOf, serverOf } from '../support/serve';

type Seen = { error?: { members: [string, unknown][] }; value?: unknown };

const MEMBERS_OF_OBJECT = Object.getOwnPropertyNames(Object.prototype).join();

afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype).join()).to.equal(MEMBERS_OF_OBJECT);
  for (const canary of ['polluted', 'x', '0'])
    expect(({} as Record<string, unknown>)[canary]).to.equal(undefined);
});

/** Sends one body to one parser, of this package and of Express. Checks that the responses are equal. */
async function send(
  parser: Parser,
  body: string | Buffer | string[],
  headers: Record<string, string | string[]> = {},
  options?: object,
) {
  const [exchange] = await playBeside(
    echo(parser, options),
    post('/', body, { 'Content-Type': TYPES[parser], ...headers }),
  );
  const seen = jsonOf(exchange) as Seen;
  return { status: exchange?.response.status, seen, error: Object.fromEntries(seen.error?.members ?? []) };
}

describe('body parsers, compression bombs (§2.10)', () => {
  const LIMIT = 100 * 1024;
  const BOMB = Buffer.alloc(8 * 1024 * 1024, ' ');
  const BOMBS = { gzip: gzipSync(BOMB), deflate: deflateSync(BOMB), br: brotliCompressSync(BOMB) };

  for (const [index, parser] of PARSERS.entries()) {
    const id = `F-2.10-${String(index * 12 + 3).padStart(2, '0')}`;
    for (const [encoding, bomb] of Object.entries(BOMBS)) {
      it(`${parser}() stops inflating ${encoding} at the limit [${id} F-8-01]`, async () => {
        const { status, error } = await send(parser, bomb, { 'Content-Encoding': encoding });

        expect(status).to.equal(413);
        expect(error).to.include({ type: 'entity.too.large', limit: LIMIT });
        expect(error.received, 'one chunk of zlib past the limit').to.be.within(LIMIT, LIMIT + 64 * 1024);
      });
    }

    it(`${parser}() inflates a body that was compressed twice only once [${id}]`, async () => {
      const { seen } = await send(parser, gzipSync(BOMBS.gzip), { 'Content-Encoding': 'gzip' });

      expect(JSON.stringify(seen)).not.to.include(' '.repeat(1000));
    });
  }

  for (const [what, encoding, body] of [
    ['a truncated gzip body', 'gzip', gzipSync('{"a":1}').subarray(0, 12)],
    ['a truncated deflate body', 'deflate', deflateSync('{"a":1}').subarray(0, 5)],
    ['a truncated br body', 'br', brotliCompressSync('{"a":1}').subarray(0, 5)],
    ['deflate without its header', 'deflate', deflateRawSync('{"a":1}')],
    ['plain text declared as gzip', 'gzip', Buffer.from('{"a":1}')],
    ['plain text declared as br', 'br', Buffer.from('{"a":1}')],
    [
      'a gzip body with a wrong checksum',
      'gzip',
      Buffer.concat([gzipSync('{"a":1}').subarray(0, -8), Buffer.alloc(8)]),
    ],
    ['garbage after a gzip body', 'gzip', Buffer.concat([gzipSync('{"a":1}'), Buffer.from('garbage')])],
    ['two gzip members in a row', 'gzip', Buffer.concat([gzipSync('{"a":'), gzipSync('1}')])],
    ['an empty body declared as gzip', 'gzip', Buffer.alloc(0)],
    ['the encoding gzip, gzip', 'gzip, gzip', gzipSync(gzipSync('{}'))],
    ['the encoding x-gzip', 'x-gzip', gzipSync('{}')],
    ['an empty Content-Encoding', '', Buffer.from('{}')],
    ['the encoding IDENTITY', 'IDENTITY', Buffer.from('{}')],
  ] as const) {
    it(`json() responds as Express does to ${what} [F-2.10-01]`, async () => {
      const { status } = await send('json', body, { 'Content-Encoding': encoding });

      expect(status).to.be.oneOf([200, 400, 415]);
    });
  }
});

describe('body parsers, lengths of hostile bodies (§2.10)', () => {
  const head = (...headers: string[]): string =>
    `POST / HTTP/1.1\r\nHost: spec\r\nContent-Type: application/json\r\n${headers.join('\r\n')}\r\n\r\n`;

  for (const [what, bytes, status] of [
    [
      'a length that is too short, which leaves bytes that are not a request',
      `${head('Content-Length: 2')}{}GARBAGE\r\n\r\n`,
      400,
    ],
    [
      'a length that is too short, which truncates the JSON text',
      `${head('Content-Length: 4', 'Connection: close')}{"a":1}`,
      400,
    ],
    ['a negative length', `${head('Content-Length: -1')}{}`, 400],
    ['a length with a sign', `${head('Content-Length: +2')}{}`, 400],
    ['a length in hexadecimal', `${head('Content-Length: 0x2')}{}`, 400],
    ['a length with an exponent', `${head('Content-Length: 2e0')}{}`, 400],
    ['a length past 2^64', `${head('Content-Length: 18446744073709551618')}{}`, 400],
    ['a length past 2^53', `${head('Content-Length: 9007199254740993')}{}`, undefined],
    ['a length with leading zeros', `${head('Content-Length: 0002')}{}`, 200],
    ['two equal lengths', `${head('Content-Length: 2', 'Content-Length: 2')}{}`, 400],
    ['two different lengths', `${head('Content-Length: 2', 'Content-Length: 3')}{} `, 400],
    [
      'a length and chunks',
      `${head('Content-Length: 2', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`,
      400,
    ],
    ['a length above the limit, and no body', head('Content-Length: 102401', 'Connection: close'), undefined],
    ['a chunk without a valid size', `${head('Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`, undefined],
    ['a chunk longer than its size', `${head('Transfer-Encoding: chunked')}1\r\n{}\r\n0\r\n\r\n`, undefined],
  ] as const) {
    it(`json() responds as Express does to ${what} [F-2.10-03]`, async () => {
      const [exchange] = await playBeside(echo('json'), {
        ...raw(bytes),
        ...(status === undefined ? { abort: bytes.length } : {}),
      });

      if (status === undefined) expect(exchange?.outcome).to.equal('left');
      else expect(exchange?.response.status).to.equal(status);
    });
  }

  it('parse a chunked body with extensions and trailers [F-2.10-03]', async () => {
    const [exchange] = await playBeside(
      echo('json'),
      raw(`${head('Transfer-Encoding: chunked')}1;a=b\r\n{\r\n1;c\r\n}\r\n0\r\nX-Trailer: x\r\n\r\n`),
    );

    expect(jsonOf(exchange)).to.deep.equal({ shape: 'Object', value: {} });
  });

  it('parse the body of a client that waits for 100 Continue [F-2.10-03]', async () => {
    const { status } = await send('json', '{}', { Expect: '100-continue' });

    expect(status).to.equal(200);
  });
});

describe('body parsers, hostile Content-Type headers (§2.10)', () => {
  for (const [headers, status] of [
    [{ 'Content-Type': ['application/json', 'text/plain'] }, 200],
    [{ 'Content-Type': ['text/plain', 'application/json'] }, 200],
    [{ 'Content-Type': 'application/json; charset=evil' }, 415],
    [{ 'Content-Type': 'application/json; charset=utf-8; charset=evil' }, 200],
    [{ 'Content-Type': 'application/json; charset=evil; charset=utf-8' }, 415],
    [{ 'Content-Type': 'application/json; charset="utf-8' }, 200],
    [{ 'Content-Type': 'application/json; charset="utf\\-8"' }, 200],
    [{ 'Content-Type': 'application/json; charset=__proto__' }, 415],
    [{ 'Content-Type': 'application/json; __proto__=x; charset=UTF-8' }, 200],
    [{ 'Content-Type': 'APPLICATION/JSON' }, 200],
    [{ 'Content-Type': 'application/json;;;;' }, 200],
    [{ 'Content-Type': 'application/json, text/plain' }, 200],
    [{ 'Content-Type': `application/json; a=${'\\"'.repeat(4000)}` }, 200],
    [{ 'Content-Type': `application/json${' '.repeat(8000)}; charset=utf-8` }, 200],
    [{ 'Content-Type': 'application/json; charset=utf-7' }, 200],
    [{ 'Content-Type': 'application/json; charset=utf-32' }, 200],
  ] as const) {
    it(`json() responds as Express does to the type ${JSON.stringify(headers['Content-Type']).slice(0, 60)} [F-2.10-06 F-2.10-50]`, async () => {
      const response = await send('json', '{}', headers as never);

      expect(response.status).to.be.oneOf([status, 400, 415]);
      if (status !== 200) expect(response.error).to.include({ type: 'charset.unsupported' });
    });
  }
});

describe('body parsers, names like __proto__ (§2.10)', () => {
  const NAMES = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
  ];

  for (const name of NAMES) {
    it(`urlencoded() accepts the name ${name} [F-2.10-61 F-2.10-67]`, async () => {
      for (const extended of [false, true]) {
        for (const text of [
          `${name}=x`,
          `${name}[polluted]=x`,
          `a[${name}][polluted]=x`,
          `${name}[]=x&${name}=y`,
          `constructor[prototype][polluted]=x&${name}`,
          `[${name}]=x`,
        ]) {
          const { status, seen } = await send('urlencoded', text, {}, { extended });
          expect(status).to.equal(200);
          expect(Object.getPrototypeOf(seen.value)).to.equal(Object.prototype);
        }
      }
    });

    it(`json() accepts the name ${name} and sets an own property [F-2.10-49]`, async () => {
      const { status } = await send('json', `{"${name}":{"polluted":1},"a":{"${name}":[1]}}`);

      expect(status).to.equal(200);
    });
  }
});

describe('body parsers, invalid UTF-8 (§2.10)', () => {
  const BAD: Readonly<Record<string, number[]>> = {
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

  for (const [what, bytes] of Object.entries(BAD)) {
    it(`decode ${what} as Express does, at the end of a body and elsewhere [F-2.10-50 F-2.10-57 F-2.10-61]`, async () => {
      for (const tail of ['', '"}']) {
        const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from(tail)]);
        await send('json', body);
        await send('text', body);
        await send('urlencoded', body);
      }
    });
  }
});

describe('body parsers, CPU time of hostile bodies (§2.10)', () => {
  /** @returns The lowest CPU time of three requests, in milliseconds. */
  async function timeOf(parser: Parser, options: object, text: string): Promise<number> {
    const listener = echo(parser, { limit: '10mb', ...options })(framework as never);
    const server = await serverOf(listener);
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      times.push(
        await cpuOfAsync(async () => {
          const [exchange] = await playSteps([post('/', text, { 'Content-Type': TYPES[parser] })], {
            port: portOf(server),
            patience: PATIENCE,
          });
          expect(exchange?.response.status).to.be.a('number');
        }),
      );
    }
    await close(server);
    return Math.min(...times);
  }

  const FORMS: Readonly<Record<string, (count: number) => string>> = {
    'bare names': (count) => Array.from({ length: count }, (_, n) => n.toString(36)).join('&'),
    'one name': (count) => 'a=1&'.repeat(count),
    'no names': (count) => '&'.repeat(count),
    'a late equals sign': (count) =>
      `${Array.from({ length: count }, (_, n) => n.toString(36)).join('&')}&z==`,
    'escapes that are none': (count) =>
      Array.from({ length: count }, (_, n) => `${n.toString(36)}=%`).join('&'),
  };

  for (const [what, of] of Object.entries(FORMS)) {
    for (const extended of [false, true]) {
      it(`urlencoded() parses 50,000 parameters in linear time: ${what}${extended ? ', extended' : ''} [F-2.10-69]`, async () => {
        const options = { extended, parameterLimit: 1e6 };
        const few = await timeOf('urlencoded', options, of(12_500));
        const many = await timeOf('urlencoded', options, of(50_000));

        // The input is four times as long. Quadratic parsing would take sixteen times as long.
        expect(many).to.be.below(10 * few + 100);
      });
    }
  }

  for (const [what, parser, options, text] of [
    ['opening brackets of JSON', 'json', {}, '['.repeat(100_000)],
    ['balanced brackets of JSON', 'json', {}, '['.repeat(2000) + ']'.repeat(2000)],
    ['blanks before JSON', 'json', {}, `${' '.repeat(100_000)}x`],
    ['hashes, which stand for text in errors', 'json', {}, '#'.repeat(100_000)],
    ['brackets of a form', 'urlencoded', { extended: true }, `a${'[b]'.repeat(33_000)}=1`],
    ['brackets of a flat form', 'urlencoded', {}, `a${'[b]'.repeat(33_000)}=1`],
    ['opening brackets of a form', 'urlencoded', { extended: true }, '['.repeat(100_000)],
    ['a sparse list', 'urlencoded', { extended: true }, 'a[999999999]=1&a[1]=2'],
  ] as const) {
    it(`respond to 100 kB of ${what} as Express does, within a second [F-2.10-52 F-2.10-67]`, async () => {
      await send(parser, text, {}, options);

      expect(await timeOf(parser, options, text)).to.be.below(1000);
    });
  }
});

describe('body parsers, clients that disconnect (§2.10)', () => {
  const json = JSON.stringify({ list: Array.from({ length: 900 }, (_, n) => `some words ${n}`) });
  const sent = (parser: Parser, body: string | Buffer | string[], headers = {}): [Parser, Request] => [
    parser,
    post('/', body, { 'Content-Type': TYPES[parser], ...headers }),
  ];
  const REQUESTS: ReadonlyArray<[Parser, Request]> = [
    sent('json', json),
    sent('json', [json.slice(0, 9000), json.slice(9000)]),
    sent('json', gzipSync(json), { 'Content-Encoding': 'gzip' }),
    sent('urlencoded', 'name=some+words&'.repeat(900)),
    sent('text', json),
    sent('raw', json),
  ];

  for (let twentieth = 1; twentieth <= 20; twentieth++) {
    it(`call next() once, and leak no descriptor or listener, after ${twentieth}/20 of a body [F-2.10-73 F-7-16]`, async () => {
      const before = descriptors();
      for (const [parser, request] of REQUESTS) {
        const { calls, type, listeners } = await leave(parser, request, twentieth / 20);
        // As in Express, the parser does not call `next` if the client disconnects during a compressed body.
        const isUnheard = twentieth < 20 && request.headers.some(([name]) => name === 'Content-Encoding');
        expect([calls, type]).to.deep.equal(
          isUnheard ? [0, undefined] : [1, twentieth < 20 ? 'request.aborted' : undefined],
        );
        expect(listeners).to.deep.equal({ data: isUnheard ? 1 : 0, error: 0, aborted: 0, readable: 0 });
      }
      expect(await descriptorsBeyond(before)).to.equal(0);
    });
  }

  /** Sends the head of a request, then a part of its body when the parser has begun to read, and disconnects. */
  async function leave(parser: Parser, request: Request, part: number) {
    let calls = 0;
    let type: unknown;
    let gone: (req: IncomingMessage) => void;
    const closed = new Promise<IncomingMessage>((resolve) => {
      gone = resolve;
    });
    const parse = framework[parser]({ limit: '1mb', inflate: true });
    const app = framework();
    app.use((req, res) => {
      res.on('close', () => gone(req));
      parse(req, res, (err?: { type?: string }) => {
        calls++;
        type = err?.type;
        res.end();
      });
      const sent = request.payload.subarray(0, Math.ceil(request.payload.length * part));
      client.write(sent, () => part < 1 && client.destroy());
      client.on('data', () => client.destroy());
    });
    const server = await serverOf(app);
    const client = connect(portOf(server), '127.0.0.1');
    client.on('error', () => {});
    client.write(formatHead(request));
    const req = await closed;
    await new Promise(setImmediate);
    await close(server);
    await new Promise(setImmediate);
    const listeners = Object.fromEntries(
      ['data', 'error', 'aborted', 'readable'].map((name) => [name, req.listenerCount(name)]),
    );
    return { calls, type, listeners };
  }
});
