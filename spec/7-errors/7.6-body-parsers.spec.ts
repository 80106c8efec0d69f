import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Request } from '../../parity/client/messages';
import { aborted, post } from '../../parity/client/request';
import { echo, PARSERS, type Parser, TYPES } from '../support/bodies';
import { jsonOf, playBeside } from '../support/play';

const asked = (parser: Parser, body: string | Buffer | string[], headers: object = {}): Request =>
  post('/', body, { 'Content-Type': TYPES[parser], ...headers });

/** Each error of the parsers, with options and a request that cause it. */
const ERRORS: ReadonlyArray<
  [type: string, status: number, message: string, parser: Parser, options: object, request: Request]
> = [
  ['entity.too.large', 413, 'request entity too large', 'json', { limit: 3 }, asked('json', '{"a":1}')],
  ['entity.too.large', 413, 'request entity too large', 'json', { limit: 3 }, asked('json', ['{"a":1}'])],
  ['entity.parse.failed', 400, 'in JSON at position', 'json', {}, asked('json', '{a}')],
  [
    'entity.parse.failed',
    400,
    'Unexpected token \'t\', "true" is not valid JSON',
    'json',
    {},
    asked('json', 'true'),
  ],
  ['entity.parse.failed', 400, 'Unexpected end of JSON input', 'json', {}, asked('json', '  ')],
  ['entity.parse.failed', 400, 'Expected', 'json', { strict: false }, asked('json', '{a}', {})],
  ['entity.verify.failed', 403, 'unsigned', 'json', { verify: unsigned }, asked('json', '{}')],
  [
    'encoding.unsupported',
    415,
    'unsupported content encoding "zip"',
    'text',
    {},
    asked('text', 'x', { 'Content-Encoding': 'zip' }),
  ],
  [
    'encoding.unsupported',
    415,
    'content encoding unsupported',
    'text',
    { inflate: false },
    asked('text', gzipSync('x'), { 'Content-Encoding': 'gzip' }),
  ],
  [
    'charset.unsupported',
    415,
    'unsupported charset "EVIL"',
    'text',
    {},
    asked('text', 'x', { 'Content-Type': 'text/plain; charset=evil' }),
  ],
  [
    'charset.unsupported',
    415,
    'unsupported charset "UTF-16"',
    'urlencoded',
    {},
    asked('urlencoded', 'a', { 'Content-Type': `${TYPES.urlencoded}; charset=utf-16` }),
  ],
  [
    'parameters.too.many',
    413,
    'too many parameters',
    'urlencoded',
    { parameterLimit: 1 },
    asked('urlencoded', 'a&b'),
  ],
  [
    'querystring.parse.rangeError',
    400,
    'The input exceeded the depth',
    'urlencoded',
    { extended: true, depth: 1 },
    asked('urlencoded', 'a[b][c]=1'),
  ],
];

function unsigned(): never {
  throw new Error('unsigned');
}

describe('errors of the body parsers (§7.6)', () => {
  for (const [type, status, message, parser, options, request] of ERRORS) {
    const id =
      type === 'entity.verify.failed' ? 'F-7-17' : type === 'parameters.too.many' ? 'F-7-18' : 'F-7-16';
    it(`${parser}() calls next(err) with ${status} ${type}: ${message} [${id}]`, async () => {
      const [exchange] = await playBeside(echo(parser, options), request);

      const seen = jsonOf(exchange) as {
        error: { message: string; members: [string, unknown][] };
        body: unknown;
      };
      expect(exchange?.response.status).to.equal(status);
      expect(seen.error).to.include({ status, statusCode: status, expose: true });
      expect(Object.fromEntries(seen.error.members)).to.include({ type });
      expect(seen.error.message).to.include(message);
      expect(seen.body).to.deep.equal({ undefined: true });
    });
  }

  for (const parser of PARSERS) {
    it(`${parser}() leaves req.body undefined without a body, and for another Content-Type [F-7-14 F-7-15]`, async () => {
      const exchanges = await playBeside(
        echo(parser),
        post('/', undefined, { 'Content-Type': TYPES[parser] }),
        post('/', 'x', { 'Content-Type': 'image/png' }),
      );

      expect(exchanges.map(jsonOf)).to.deep.equal([{ undefined: true }, { undefined: true }]);
    });

    it(`${parser}() calls next(err) with 415 for a compressed body if inflate is false [F-7-19]`, async () => {
      const [exchange] = await playBeside(
        echo(parser, { inflate: false }),
        asked(parser, gzipSync('{}'), { 'Content-Encoding': 'gzip' }),
      );

      expect(exchange?.response.status).to.equal(415);
    });

    it(`${parser}() reads the rest of a body after an error, so that the connection can be reused [F-7-16]`, async () => {
      const [exchange] = await playBeside(echo(parser, { limit: 5 }), asked(parser, 'x'.repeat(200_000)));

      expect([exchange?.response.status, exchange?.outcome]).to.deep.equal([413, 'kept']);
    });
  }

  it('json() calls only the error handler if the client disconnects [F-7-16]', async () => {
    const [exchange] = await playBeside(echo('json'), aborted(asked('json', '{"a":1}'), 60));

    expect(exchange?.outcome).to.equal('left');
  });
});
