/** Scenarios for parsed request bodies. §2.10 */
import { deflateSync, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { onOneConnection, post } from '../../parity/client/request';
import { type Framework, scenario } from '../../parity/scenario/scenario';

function tell(req: Request, res: Response): void {
  const { body } = req;
  res.json(Buffer.isBuffer(body) ? { buffer: body.toString('hex') } : { body, is: typeof body });
}

function withParsers(framework: Framework) {
  const app = framework();
  for (const parser of ['json', 'raw', 'text', 'urlencoded'] as const)
    app.post(`/${parser}`, framework[parser](), tell);
  return app;
}

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const TYPES = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: FORM,
};

const UNDEFINED = { is: 'undefined' };
/** The responses for the parsed body `[1]`, for an empty one, and for `[1,2]`. */
const PARSED: Readonly<Record<string, unknown>> = {
  json: { body: [1], is: 'object' },
  raw: { buffer: '5b315d' },
  text: { body: '[1]', is: 'string' },
  urlencoded: { body: { 1: '' }, is: 'object' },
};
const EMPTY: Readonly<Record<string, unknown>> = {
  json: { body: {}, is: 'object' },
  raw: { buffer: '' },
  text: { body: '', is: 'string' },
  urlencoded: { body: {}, is: 'object' },
};
const LIST: Readonly<Record<string, unknown>> = {
  json: '{"body":[1,2],"is":"object"}',
  raw: '{"buffer":"5b312c325d"}',
  text: '{"body":"[1,2]","is":"string"}',
  urlencoded: '{"body":{"1,2":""},"is":"object"}',
};
const TEXT = { 'Content-Type': 'text/plain' };
const encoded = (encoding: string) => ({ ...JSON_TYPE, 'Content-Encoding': encoding });

export default [
  scenario({
    name: 'each body parser parses its own media type and ignores other types',
    clauses: [
      'F-2.10-06',
      'F-2.10-18',
      'F-2.10-30',
      'F-2.10-42',
      'F-2.10-49',
      'F-2.10-54',
      'F-2.10-57',
      'F-2.10-61',
      'F-2.10-72',
      'F-4.1-02',
      'F-4.1-03',
      'F-4.1-04',
      'F-4.1-05',
    ],
    build: ({ framework }) => withParsers(framework),
    requests: Object.entries(TYPES).flatMap(([parser, own]) =>
      [...Object.values(TYPES), 'application/json; charset=utf-16', 'nonsense'].map((type) => {
        const request = post(`/${parser}`, '[1]', { 'Content-Type': type });
        if (parser === 'json' && type.includes('charset')) return request.expect({ status: 400 });
        return request.expect({ json: type === own ? PARSED[parser] : UNDEFINED });
      }),
    ),
  }),
  scenario({
    name: 'body parsers accept no body, an empty body and a chunked body',
    clauses: [
      'F-2.10-70',
      'F-2.10-71',
      'F-2.10-74',
      'F-2.10-75',
      'F-2.10-78',
      'F-2.10-79',
      'F-2.10-82',
      'F-2.10-83',
    ],
    build: ({ framework }) => withParsers(framework),
    requests: Object.entries(TYPES).flatMap(([parser, type]) => [
      post(`/${parser}`, undefined, { 'Content-Type': type }).expect({ json: UNDEFINED }),
      post(`/${parser}`, '', { 'Content-Type': type }).expect({ json: EMPTY[parser] }),
      post(`/${parser}`, ['[1', ',2]'], { 'Content-Type': type }).expect({ status: 200, body: LIST[parser] }),
      post(`/${parser}`, [], { 'Content-Type': type }).expect({ json: EMPTY[parser] }),
    ]),
  }),
  scenario({
    name: 'body parsers inflate compressed bodies unless inflate is false',
    clauses: ['F-2.10-01', 'F-2.10-02', 'F-7-19'],
    build({ framework }) {
      const app = withParsers(framework);
      app.post('/flat', framework.json({ inflate: false }), tell);
      return app;
    },
    requests: [
      post('/json', gzipSync('{"a":1}'), encoded('gzip')).expect({ json: { body: { a: 1 }, is: 'object' } }),
      post('/json', deflateSync('{"a":1}'), encoded('deflate')).expect({ status: 200 }),
      post('/json', '{"a":1}', encoded('unheard')).expect({
        status: 415,
        body: /unsupported content encoding &quot;unheard&quot;/,
      }),
      post('/json', 'not gzip', encoded('gzip')).expect({ status: 400 }),
      post('/flat', gzipSync('{"a":1}'), encoded('gzip')).expect({
        status: 415,
        body: /content encoding unsupported/,
      }),
    ],
  }),
  scenario({
    name: 'express.json rejects invalid JSON and names the reason',
    clauses: ['F-2.10-52', 'F-2.10-53', 'F-2.10-73', 'F-7-16'],
    build({ framework }) {
      const app = withParsers(framework);
      app.post('/any', framework.json({ strict: false }), tell);
      return app;
    },
    requests: [
      post('/json', '{"a":', JSON_TYPE).expect({
        status: 400,
        body: /SyntaxError: (Unexpected end of JSON input|Expected .+)/,
      }),
      post('/json', '"text"', JSON_TYPE).expect({ status: 400 }),
      post('/json', 'true', JSON_TYPE).expect({ status: 400 }),
      post('/json', '  [1]', JSON_TYPE).expect({ json: { body: [1], is: 'object' } }),
      post('/json', '\ufeff{}', JSON_TYPE).expect({ json: { body: {}, is: 'object' } }),
      post('/any', '{"a":', JSON_TYPE).expect({ status: 400 }),
      post('/any', '"text"', JSON_TYPE).expect({ json: { body: 'text', is: 'string' } }),
      post('/any', 'true', JSON_TYPE).expect({ json: { body: true, is: 'boolean' } }),
      post('/any', '  [1]', JSON_TYPE).expect({ json: { body: [1], is: 'object' } }),
      post('/any', '\ufeff{}', JSON_TYPE).expect({ json: { body: {}, is: 'object' } }),
    ],
  }),
  scenario({
    name: 'body parsers reject a body above the limit and accept one at the limit',
    clauses: ['F-2.10-04', 'F-2.10-05', 'F-2.10-16', 'F-8-01'],
    build({ framework }) {
      const app = framework();
      app.post('/ten', framework.text({ limit: 10 }), tell);
      app.post(
        '/kilo',
        framework.raw({ limit: '1kb', type: '*/*' }),
        (req, res) => void res.json(req.body.length),
      );
      app.post('/default', framework.text(), (req, res) => void res.json(req.body.length));
      return app;
    },
    requests: [
      post('/ten', 'x'.repeat(10), TEXT).expect({ json: { body: 'x'.repeat(10), is: 'string' } }),
      onOneConnection(
        post('/ten', 'x'.repeat(11), TEXT).expect({ status: 413, outcome: 'kept' }),
        post('/ten', 'after', TEXT).expect({ json: { body: 'after', is: 'string' } }),
      ),
      post('/ten', ['123456', '7890x'], TEXT).expect({ status: 413 }),
      post('/kilo', 'x'.repeat(1024), { 'Content-Type': 'a/b' }).expect({ body: '1024' }),
      post('/kilo', 'x'.repeat(1025), { 'Content-Type': 'a/b' }).expect({ status: 413 }),
      post('/default', 'x'.repeat(102_400), TEXT).expect({ body: '102400' }),
      post('/default', 'x'.repeat(102_401), TEXT).expect({ status: 413 }),
    ],
  }),
  scenario({
    name: 'body parsers decode a character that arrives in two chunks',
    clauses: ['F-2.10-50', 'F-2.10-57'],
    build({ framework }) {
      const app = framework();
      app.post(
        '/',
        framework.text(),
        (req, res) => void res.json([req.body.length, req.body.includes('\ufffd')]),
      );
      return app;
    },
    // Node.js reads each body in several parts. The offsets 0, 1 and 2 make parts end in the middle of a character.
    requests: ['', 'x', 'xx'].map((start) =>
      post('/', start + '緑'.repeat(30_000), TEXT).expect({ json: [start.length + 30_000, false] }),
    ),
  }),
  scenario({
    name: 'express.urlencoded parses flat and extended forms',
    clauses: [
      'F-2.10-62',
      'F-2.10-63',
      'F-2.10-64',
      'F-2.10-65',
      'F-2.10-66',
      'F-2.10-67',
      'F-2.10-68',
      'F-8-02',
    ],
    build({ framework }) {
      const app = withParsers(framework);
      app.post('/extended', framework.urlencoded({ extended: true }), tell);
      return app;
    },
    requests: ['urlencoded', 'extended'].flatMap((parser) => {
      const send = (body: string) => post(`/${parser}`, body, { 'Content-Type': FORM });
      const sendIn = (charset: string) =>
        post(`/${parser}`, 'a=%E9', { 'Content-Type': `${FORM}; charset=${charset}` });
      const parsed = (body: unknown) => ({ json: { body, is: 'object' } });
      return [
        send('a=1&a=2').expect(parsed({ a: ['1', '2'] })),
        send('a[b][c]=1&a[d][]=2').expect(
          parsed(
            parser === 'extended' ? { a: { b: { c: '1' }, d: ['2'] } } : { 'a[b][c]': '1', 'a[d][]': '2' },
          ),
        ),
        send('a%20b=c+d').expect(parsed({ 'a b': 'c d' })),
        send('=v').expect(parsed({})),
        send('__proto__=x&b=1').expect(parsed({ b: '1' })),
        send('a').expect(parsed({ a: '' })),
        send(Array(1001).fill('a=1').join('&')).expect({ status: 413 }),
        sendIn('iso-8859-1').expect(parsed({ a: 'é' })),
        sendIn('koi8-r').expect({ status: 415 }),
        sendIn('utf-16').expect({ status: 415 }),
      ];
    }),
  }),
];
