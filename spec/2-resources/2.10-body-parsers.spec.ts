import { AsyncLocalStorage } from 'node:async_hooks';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Request, Response } from 'express';
import framework from 'nozomi';
import { post } from '../../parity/client/request';
import { describeBody, echo, PARSERS, type Parser, TYPES } from '../support/bodies';
import { type Framework, jsonOf, play } from '../support/play';

const nozomi = framework as unknown as Framework;

/** A small body for each parser, with its parsed value. */
const SAMPLES: Readonly<Record<Parser, { text: string; body: unknown }>> = {
  json: { text: '{"a":"é"}', body: { a: 'é' } },
  raw: { text: 'a=é', body: Buffer.from('a=é') },
  text: { text: 'a=é', body: 'a=é' },
  urlencoded: { text: 'a=é', body: { a: 'é' } },
};

/** @returns A JSON body of `length` bytes. */
const ofLength = (length: number): string => `["${'x'.repeat(length - 4)}"]`;

/** Sends one body to one parser. @returns The JSON that the application responds with, and the status. */
async function parse(
  parser: Parser,
  options: object | undefined,
  body: string | Buffer | string[],
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; seen: unknown; type: string | undefined }> {
  const [exchange] = await play(
    echo(parser, options)(nozomi),
    post('/', body, { 'Content-Type': TYPES[parser], ...headers }),
  );
  const seen = jsonOf(exchange) as { error?: { members: [string, unknown][] } };
  const type = seen.error && (Object.fromEntries(seen.error.members).type as string);
  return { status: exchange?.response.status, seen, type };
}

for (const [index, parser] of PARSERS.entries()) {
  const id = (offset: number): string => `F-2.10-${String(index * 12 + offset).padStart(2, '0')}`;
  const { text, body } = SAMPLES[parser];
  const parsed = JSON.parse(JSON.stringify(describeBody(body)));
  const NOTHING = { undefined: true };

  describe(`framework.${parser}() (§2.10)`, () => {
    it(`inflates gzip, deflate and br [${id(1)}]`, async () => {
      for (const [encoding, bytes] of [
        ['gzip', gzipSync(text)],
        ['deflate', deflateSync(text)],
        ['br', brotliCompressSync(text)],
        ['GZIP', gzipSync(text)],
      ] as const) {
        const { seen } = await parse(parser, undefined, bytes, { 'Content-Encoding': encoding });
        expect(seen, encoding).to.deep.equal(parsed);
      }
    });

    it(`responds 415 to an unknown encoding [${id(1)}]`, async () => {
      const { status, type } = await parse(parser, undefined, text, { 'Content-Encoding': 'zip' });

      expect([status, type]).to.deep.equal([415, 'encoding.unsupported']);
    });

    it(`responds 415 to a compressed body if inflate is false, and accepts an uncompressed one [${id(2)} F-7-19]`, async () => {
      const packed = await parse(parser, { inflate: false }, gzipSync(text), { 'Content-Encoding': 'gzip' });
      const plain = await parse(parser, { inflate: false }, text);

      expect([packed.status, packed.type]).to.deep.equal([415, 'encoding.unsupported']);
      expect(plain.seen).to.deep.equal(parsed);
    });

    it(`accepts at most 100 kB by default [${id(3)} F-8-01]`, async () => {
      const equal = await parse(parser, undefined, ofLength(102_400));
      const above = await parse(parser, undefined, ofLength(102_401));
      const chunked = await parse(parser, undefined, [ofLength(60_000), ofLength(42_401)]);

      expect(equal.status).to.equal(200);
      expect([above.status, above.type]).to.deep.equal([413, 'entity.too.large']);
      expect([chunked.status, chunked.type]).to.deep.equal([413, 'entity.too.large']);
    });

    it(`accepts a limit in bytes [${id(4)}]`, async () => {
      expect((await parse(parser, { limit: 20 }, ofLength(20))).status).to.equal(200);
      expect((await parse(parser, { limit: 20 }, ofLength(21))).status).to.equal(413);
    });

    it(`accepts a limit as a string, and throws for a string that is not a size [${id(5)}]`, async () => {
      expect((await parse(parser, { limit: '1kb' }, ofLength(1024))).status).to.equal(200);
      expect((await parse(parser, { limit: '1kb' }, ofLength(1025))).status).to.equal(413);
      expect((await parse(parser, { limit: null }, ofLength(102_400))).status).to.equal(200);
      for (const limit of ['zz', '', 'kb', Number.NaN, true, {}]) {
        const parserWith = () => nozomi[parser]({ limit } as never);
        expect(parserWith, String(limit)).to.throw(TypeError, `option limit "${limit}" is invalid`);
      }
    });

    it(`parses only ${TYPES[parser]} by default [${id(6)}]`, async () => {
      expect((await parse(parser, undefined, text)).seen).to.deep.equal(parsed);
      expect((await parse(parser, { type: '' }, text)).seen).to.deep.equal(parsed);
      for (const other of ['application/x-other', 'text', 'text/plain2', '', ';', `${TYPES[parser]}x`]) {
        const { seen } = await parse(parser, undefined, text, { 'Content-Type': other });
        expect(seen, other).to.deep.equal(NOTHING);
      }
    });

    it(`accepts type as a media type and as an extension [${id(7)}]`, async () => {
      for (const type of ['text/html', 'html', '.html']) {
        const { seen } = await parse(parser, { type }, text, { 'Content-Type': 'text/html; charset=utf-8' });
        expect(seen, type).to.deep.equal(parsed);
      }
      expect((await parse(parser, { type: 'html' }, text)).seen).to.deep.equal(NOTHING);
    });

    it(`accepts type with a wildcard [${id(8)}]`, async () => {
      for (const type of ['*/*', 'text/*', '*/html', '*/*+html', '+html']) {
        const media = type.endsWith('+html') ? 'text/vnd.x+html' : 'text/html';
        const { seen } = await parse(parser, { type }, text, { 'Content-Type': media });
        expect(seen, type).to.deep.equal(parsed);
      }
      const { seen } = await parse(parser, { type: 'image/*' }, text, { 'Content-Type': 'text/html' });
      expect(seen).to.deep.equal(NOTHING);
    });

    it(`accepts a list of types [${id(9)}]`, async () => {
      const type = ['html', 'application/vnd.x'];
      for (const media of ['text/html', 'application/vnd.x']) {
        expect((await parse(parser, { type }, text, { 'Content-Type': media })).seen).to.deep.equal(parsed);
      }
      expect((await parse(parser, { type }, text)).seen).to.deep.equal(NOTHING);
    });

    it(`calls the option type with the request if it is a function [${id(10)}]`, async () => {
      const type = (req: Request): unknown => req.headers['x-parse'];

      expect((await parse(parser, { type }, text, { 'X-Parse': '1' })).seen).to.deep.equal(parsed);
      expect((await parse(parser, { type }, text)).seen).to.deep.equal(NOTHING);
    });

    it(`calls verify with request, response, raw bytes and charset [${id(11)}]`, async () => {
      const calls: unknown[] = [];
      const verify = (req: Request, res: { req: unknown }, bytes: Buffer, charset: unknown): void => {
        calls.push(res.req === req, bytes.equals(Buffer.from(text)), charset);
      };

      const { seen } = await parse(parser, { verify }, gzipSync(text), { 'Content-Encoding': 'gzip' });

      expect(seen).to.deep.equal(parsed);
      expect(calls).to.deep.equal([true, true, parser === 'raw' ? null : 'utf-8']);
      expect(() => nozomi[parser]({ verify: 'yes' } as never)).to.throw(
        TypeError,
        'option verify must be function',
      );
    });

    it(`responds 403, or the status of the error, if verify throws [${id(12)} F-7-17]`, async () => {
      const plain = await parse(parser, { verify: refuse({}) }, text);
      const own = await parse(parser, { verify: refuse({ status: 422, type: 'signature' }) }, text);

      expect([plain.status, plain.type]).to.deep.equal([403, 'entity.verify.failed']);
      expect([own.status, own.type]).to.deep.equal([422, 'signature']);
    });

    const bodies = (offset: number): string => `F-2.10-${70 + index * 4 + offset}`;

    it(`leaves req.body undefined without Content-Length and Transfer-Encoding [${bodies(0)} F-7-14]`, async () => {
      const [exchange] = await play(echo(parser)(nozomi), {
        ...post('/', undefined, { 'Content-Type': TYPES[parser] }),
      });

      expect(jsonOf(exchange)).to.deep.equal(NOTHING);
    });

    it(`parses a body of length 0 as an empty value [${bodies(1)}]`, async () => {
      const empty = { json: {}, urlencoded: {}, text: '', raw: Buffer.alloc(0) }[parser];

      expect((await parse(parser, undefined, '')).seen).to.deep.equal(describeBody(empty));
    });

    it(`leaves req.body undefined if the Content-Type does not match [${bodies(2)} F-7-15]`, async () => {
      expect((await parse(parser, undefined, text, { 'Content-Type': 'image/png' })).seen).to.deep.equal(
        NOTHING,
      );
    });

    it(`leaves req.body undefined after an error of the parser [${bodies(3)} F-7-16]`, async () => {
      const { seen } = await parse(parser, { limit: 1 }, text);

      expect(seen).to.have.property('body').that.deep.equals(NOTHING);
    });

    it(`keeps an existing req.body of a request that it does not parse [${id(6)}]`, async () => {
      const app = nozomi();
      app.use(
        (req, _res, next) => {
          req.body = 'mine';
          next();
        },
        nozomi[parser](),
        (req, res) => void res.json(req.body),
      );

      const [exchange] = await play(app, post('/', text, { 'Content-Type': 'image/png' }));

      expect(jsonOf(exchange)).to.equal('mine');
    });

    it(`keeps the async context of the application in the next handler and in error handlers [${id(6)}]`, async () => {
      const store = new AsyncLocalStorage<string>();
      const app = nozomi();
      app.use((_req, _res, next) => store.run('kept', next), nozomi[parser]({ limit: 50 }));
      app.use((_req: unknown, res: Response) => void res.json(store.getStore()));
      app.use((_err: unknown, _req: unknown, res: Response, _next: unknown) => {
        res.json(store.getStore());
      });
      const headers = { 'Content-Type': TYPES[parser] };

      const exchanges = await play(
        app,
        post('/', text, headers),
        post('/', [text], headers),
        post('/', ofLength(60), headers),
        post('/', [ofLength(60)], headers),
      );

      expect(exchanges.map(jsonOf)).to.deep.equal(Array(4).fill('kept'));
    });
  });
}

function refuse(members: object) {
  return (): never => {
    throw Object.assign(new Error('signature does not match'), members);
  };
}

describe('framework.json() (§2.10)', () => {
  it('parses only bodies of its type [F-2.10-49]', async () => {
    const { seen } = await parse('json', undefined, '{}', { 'Content-Type': 'application/vnd.api+json' });

    expect(seen).to.deep.equal({ undefined: true });
  });

  it('decodes UTF-8 and UTF-16, with or without a byte order mark, and responds 415 to other charsets [F-2.10-50]', async () => {
    const value = { shape: 'Object', value: { a: 'é𝄞' } };
    const text = '{"a":"é𝄞"}';
    const in16 = (bytes: string): Buffer => Buffer.from(bytes, 'utf16le');
    const withCharset = (charset: string): Record<string, string> => ({
      'Content-Type': `application/json; charset=${charset}`,
    });

    for (const [charset, bytes] of [
      ['utf-8', Buffer.from(text)],
      ['UTF-8', Buffer.from(`\ufeff${text}`)],
      ['"utf-8"', Buffer.from(text)],
      ['utf-16le', in16(text)],
      ['utf-16', in16(`\ufeff${text}`)],
      ['utf-16be', in16(text).swap16()],
    ] as const) {
      expect((await parse('json', undefined, bytes, withCharset(charset))).seen, charset).to.deep.equal(
        value,
      );
    }
    for (const charset of ['evil', 'utf8', 'iso-8859-1', 'utf-9']) {
      const { status, type } = await parse('json', undefined, text, withCharset(charset));
      expect([status, type], charset).to.deep.equal([415, 'charset.unsupported']);
    }
  });

  it('passes the reviver to JSON.parse [F-2.10-51]', async () => {
    const reviver = (key: string, value: unknown): unknown => (key === 'at' ? `${value}!` : value);

    const { seen } = await parse('json', { reviver }, '{"at":1,"b":2}');

    expect(seen).to.deep.include({ value: { at: '1!', b: 2 } });
  });

  it('calls the reviver once for each value, also if the reviver throws [F-2.10-51]', async () => {
    const keys: string[] = [];
    const reviver = (key: string): never => {
      keys.push(key);
      throw new RangeError('no');
    };

    const { status, type } = await parse('json', { reviver }, '{"at":1}');

    expect([status, type]).to.deep.equal([400, 'entity.parse.failed']);
    expect(keys).to.deep.equal(['at']);
  });

  it('accepts only objects and arrays if strict, also after white space [F-2.10-52]', async () => {
    for (const text of ['{}', '[]', ' \t\r\n{"a":1}'])
      expect((await parse('json', undefined, text)).status).to.equal(200);
    for (const text of ['true', '"a"', '1', 'null', '  ', '\v{}', '\ufeff\ufeff{}', 'x']) {
      const { status, type } = await parse('json', undefined, text);
      expect([status, type], JSON.stringify(text)).to.deep.equal([400, 'entity.parse.failed']);
    }
  });

  it('accepts any JSON value if not strict [F-2.10-53]', async () => {
    for (const [text, value] of [
      ['true', true],
      ['"a"', 'a'],
      [' 1 ', 1],
      ['null', null],
    ] as const) {
      const { seen } = await parse('json', { strict: false }, text);
      expect(seen).to.deep.equal(describeBody(value));
    }
    expect((await parse('json', { strict: false }, 'x')).status).to.equal(400);
  });

  it('reports invalid JSON with message, body, status and type [F-2.10-52 F-7-16]', async () => {
    const { seen } = await parse('json', undefined, '{"a":');

    expect(seen).to.have.property('error').that.deep.includes({ name: 'SyntaxError', class: 'SyntaxError' });
    expect(seen)
      .to.have.nested.property('error.members')
      .that.deep.equals([
        ['expose', true],
        ['statusCode', 400],
        ['status', 400],
        ['body', '{"a":'],
        ['type', 'entity.parse.failed'],
      ]);
  });
});

describe('framework.raw() and framework.text() (§2.10)', () => {
  it('raw() sets req.body to a Buffer of the bytes, for any charset [F-2.10-54 F-2.10-55]', async () => {
    const bytes = Buffer.from('ÿé𝄞', 'utf16le');

    const { seen } = await parse('raw', undefined, bytes, {
      'Content-Type': 'application/octet-stream; charset=utf-16',
    });

    expect(seen).to.deep.equal({ bytes: bytes.toString('base64') });
  });

  it('raw() ignores options of the other parsers [F-2.10-56]', async () => {
    const options = {
      strict: true,
      reviver: () => 'x',
      extended: true,
      defaultCharset: 'utf-16',
      parameterLimit: 1,
    };

    const { seen } = await parse('raw', options, 'a&b');

    expect(seen).to.deep.equal({ bytes: Buffer.from('a&b').toString('base64') });
  });

  it('text() sets req.body to a string, decoded as UTF-8 by default [F-2.10-57 F-2.10-58]', async () => {
    expect((await parse('text', undefined, 'é𝄞')).seen).to.deep.equal({ shape: 'string', value: 'é𝄞' });
  });

  it('text() decodes with defaultCharset if the Content-Type has no charset [F-2.10-59]', async () => {
    const { seen } = await parse('text', { defaultCharset: 'iso-8859-1' }, Buffer.from('é', 'latin1'));

    expect(seen).to.deep.equal({ shape: 'string', value: 'é' });
  });

  it('text() decodes with the charset of the Content-Type rather than defaultCharset [F-2.10-60]', async () => {
    const options = { defaultCharset: 'iso-8859-1' };

    const { seen } = await parse('text', options, 'é', { 'Content-Type': 'text/plain; charset=utf-8' });

    expect(seen).to.deep.equal({ shape: 'string', value: 'é' });
  });
});

describe('framework.urlencoded() (§2.10)', () => {
  const form = async (text: string, options?: object): Promise<unknown> =>
    ((await parse('urlencoded', options, text)).seen as { value: unknown }).value;

  it('parses and decodes names and values [F-2.10-61]', async () => {
    expect(await form('a=1&b=x+y&c%20d=%C3%A9&e&f=&g=%zz&h=a=b')).to.deep.equal({
      a: '1',
      b: 'x y',
      'c d': 'é',
      e: '',
      f: '',
      g: '%zz',
      h: 'a=b',
    });
  });

  it('decodes UTF-8 and ISO-8859-1, and responds 415 to other charsets [F-2.10-62 F-2.10-63]', async () => {
    const withCharset = (charset: string) => ({
      'Content-Type': `application/x-www-form-urlencoded; charset=${charset}`,
    });
    const latin = await parse('urlencoded', undefined, 'a=%E9', withCharset('ISO-8859-1'));

    expect(latin.seen).to.deep.include({ value: { a: 'é' } });
    for (const charset of ['utf-16', 'koi8-r', 'evil', 'utf8']) {
      const { status, type } = await parse('urlencoded', undefined, 'a=1', withCharset(charset));
      expect([status, type], charset).to.deep.equal([415, 'charset.unsupported']);
    }
    expect(() => nozomi.urlencoded({ defaultCharset: 'utf-16' } as never)).to.throw(
      TypeError,
      'option defaultCharset must be either utf-8 or iso-8859-1',
    );
  });

  it('keeps brackets in names unless extended [F-2.10-64]', async () => {
    expect(await form('a[b]=1&a[b]=2&c[]=3')).to.deep.equal({ 'a[b]': ['1', '2'], 'c[]': '3' });
  });

  it('returns a list for a repeated name [F-2.10-65]', async () => {
    expect(await form('a=1&b=2&a=3')).to.deep.equal({ a: ['1', '3'], b: '2' });
  });

  it('drops empty names and __proto__, also in forms without nesting [F-2.10-66]', async () => {
    expect(await form('=v&a=1&__proto__=x&&b')).to.deep.equal({ a: '1', b: '' });
  });

  it('nests objects and lists when extended [F-2.10-67]', async () => {
    expect(await form('a[b][c]=1&d[]=2&d[]=3&e[1]=x&f=y', { extended: true })).to.deep.equal({
      a: { b: { c: '1' } },
      d: ['2', '3'],
      e: ['x'],
      f: 'y',
    });
  });

  it('responds 400 to values nested deeper than the option depth, 32 by default [F-2.10-67]', async () => {
    const deep = (levels: number): string => `a${'[b]'.repeat(levels)}=1`;
    const extended = { extended: true };

    expect((await parse('urlencoded', extended, deep(32))).status).to.equal(200);
    expect(await parse('urlencoded', extended, deep(33))).to.include({
      status: 400,
      type: 'querystring.parse.rangeError',
    });
    expect(await parse('urlencoded', { ...extended, depth: 1 }, deep(2))).to.include({ status: 400 });
    expect(await parse('urlencoded', { ...extended, depth: '1' }, deep(2))).to.include({ status: 200 });
    expect(() => nozomi.urlencoded({ ...extended, depth: -1 } as never)).to.throw(
      TypeError,
      'option depth must be a zero or a positive number',
    );
  });

  it('accepts 1000 parameters by default, and responds 413 to 1001 [F-2.10-68 F-8-02 F-7-18]', async () => {
    const many = (count: number): string => Array.from({ length: count }, (_, n) => `p${n}=1`).join('&');

    expect((await parse('urlencoded', undefined, many(1000))).status).to.equal(200);
    for (const extended of [false, true]) {
      const { status, type } = await parse('urlencoded', { extended }, many(1001));
      expect([status, type]).to.deep.equal([413, 'parameters.too.many']);
    }
  });

  it('accepts as many parameters as the option parameterLimit says [F-2.10-69]', async () => {
    expect(await form('a&b', { parameterLimit: 2.9 })).to.deep.equal({ a: '', b: '' });
    expect((await parse('urlencoded', { parameterLimit: 2.9 }, 'a&b&c')).status).to.equal(413);
    expect((await parse('urlencoded', { parameterLimit: '2' }, 'a&b&c')).status).to.equal(413);
    expect((await parse('urlencoded', { parameterLimit: Infinity }, 'a&'.repeat(3000))).status).to.equal(200);
    for (const parameterLimit of [0, -1, Number.NaN, null, 'many']) {
      expect(() => nozomi.urlencoded({ parameterLimit } as never)).to.throw(
        TypeError,
        'option parameterLimit must be a positive number',
      );
    }
  });

  it('decodes with the charset that the form field utf8=✓ shows, if charsetSentinel is set [F-2.10-61]', async () => {
    expect(await form('utf8=%26%2310003%3B&a=%E9', { charsetSentinel: true })).to.deep.equal({ a: 'é' });
  });
});

describe('several body parsers in a row (§2.10)', () => {
  it('the first matching parser sets req.body; later ones do not change it [F-2.10-86]', async () => {
    const app = nozomi();
    app.use(nozomi.json(), nozomi.urlencoded(), nozomi.text({ type: '*/*' }), nozomi.raw({ type: '*/*' }));
    app.use((req, res) => void res.json(describeBody(req.body)));

    const exchanges = await play(
      app,
      post('/', { a: 1 }),
      post('/', 'a=1', { 'Content-Type': TYPES.urlencoded }),
      post('/', '<a>', { 'Content-Type': 'text/html' }),
      post('/', [], { 'Content-Type': 'text/html' }),
    );

    expect(exchanges.map(jsonOf)).to.deep.equal([
      describeBody({ a: 1 }),
      describeBody({ a: '1' }),
      describeBody('<a>'),
      describeBody(''),
    ]);
  });
});

describe('body parsers as functions (§2.10)', () => {
  it("have the names of Express's functions, and so has their middleware [F-2.10-49 F-2.10-54 F-2.10-57 F-2.10-61]", () => {
    const names = PARSERS.map((parser) => [
      nozomi[parser].name,
      nozomi[parser]().name,
      nozomi[parser]().length,
    ]);

    expect(names).to.deep.equal(PARSERS.map((parser) => [parser, `${parser}Parser`, 3]));
  });

  it('read their options once at creation, also inherited options, and accept null [F-2.10-03]', async () => {
    const options = Object.assign(Object.create({ limit: 20 }), { strict: false });
    const parser = nozomi.json(options);
    Object.assign(options, { limit: 1, strict: true });
    const app = nozomi();
    app.use(parser, (req, res) => void res.json(req.body));
    app.use((err: Error, _req: unknown, res: Response, _next: unknown) => void res.json(err.message));

    const exchanges = await play(
      app,
      post('/', '1', { 'Content-Type': TYPES.json }),
      post('/', { a: 'x'.repeat(30) }),
    );

    expect(exchanges.map(jsonOf)).to.deep.equal([1, 'request entity too large']);
    expect((await parse('json', null as never, '{"')).status).to.equal(400);
  });
});
