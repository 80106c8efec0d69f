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
    requests: ['json', 'raw', 'text', 'urlencoded'].flatMap((parser) =>
      [
        'application/json',
        'application/octet-stream',
        'text/plain',
        FORM,
        'application/json; charset=utf-16',
        'nonsense',
      ].map((type) => post(`/${parser}`, '[1]', { 'Content-Type': type })),
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
    requests: Object.entries({
      json: 'application/json',
      raw: 'application/octet-stream',
      text: 'text/plain',
      urlencoded: FORM,
    }).flatMap(([parser, type]) => [
      post(`/${parser}`, undefined, { 'Content-Type': type }),
      post(`/${parser}`, '', { 'Content-Type': type }),
      post(`/${parser}`, ['[1', ',2]'], { 'Content-Type': type }),
      post(`/${parser}`, [], { 'Content-Type': type }),
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
      post('/json', gzipSync('{"a":1}'), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }),
      post('/json', deflateSync('{"a":1}'), { ...JSON_TYPE, 'Content-Encoding': 'deflate' }),
      post('/json', '{"a":1}', { ...JSON_TYPE, 'Content-Encoding': 'unheard' }),
      post('/json', 'not gzip', { ...JSON_TYPE, 'Content-Encoding': 'gzip' }),
      post('/flat', gzipSync('{"a":1}'), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }),
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
    requests: ['json', 'any'].flatMap((parser) =>
      ['{"a":', '"text"', 'true', '  [1]', '\ufeff{}'].map((body) => post(`/${parser}`, body, JSON_TYPE)),
    ),
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
      post('/ten', 'x'.repeat(10), { 'Content-Type': 'text/plain' }),
      onOneConnection(
        post('/ten', 'x'.repeat(11), { 'Content-Type': 'text/plain' }),
        post('/ten', 'after', { 'Content-Type': 'text/plain' }),
      ),
      post('/ten', ['123456', '7890x'], { 'Content-Type': 'text/plain' }),
      post('/kilo', 'x'.repeat(1024), { 'Content-Type': 'a/b' }),
      post('/kilo', 'x'.repeat(1025), { 'Content-Type': 'a/b' }),
      post('/default', 'x'.repeat(102_400), { 'Content-Type': 'text/plain' }),
      post('/default', 'x'.repeat(102_401), { 'Content-Type': 'text/plain' }),
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
      post('/', start + '緑'.repeat(30_000), { 'Content-Type': 'text/plain' }),
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
    requests: ['urlencoded', 'extended'].flatMap((parser) => [
      ...[
        'a=1&a=2',
        'a[b][c]=1&a[d][]=2',
        'a%20b=c+d',
        '=v',
        '__proto__=x&b=1',
        'a',
        Array(1001).fill('a=1').join('&'),
      ].map((body) => post(`/${parser}`, body, { 'Content-Type': FORM })),
      ...['iso-8859-1', 'koi8-r', 'utf-16'].map((charset) =>
        post(`/${parser}`, 'a=%E9', { 'Content-Type': `${FORM}; charset=${charset}` }),
      ),
    ]),
  }),
];
