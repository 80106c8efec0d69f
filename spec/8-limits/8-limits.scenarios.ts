/** Scenarios for documented limits and defaults. §8 */
import { join } from 'node:path';
import type { Expected } from '../../parity/client/messages';
import { get, post } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

const KB_100 = 100 * 1024;
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const form = (count: number) => Array.from({ length: count }, (_none, index) => `p${index}=`).join('&');

const refused = (reason: string) => ({ status: 500, body: new RegExp(`Invalid status code: ${reason}`) });
const outside = (code: string) => refused(`${code}. Status code must be greater than 99 and less than 1000.`);

/** What is expected for each status code. */
const CODES: ReadonlyArray<readonly [code: string, expected: Expected]> = [
  ['0', outside('0')],
  ['99', outside('99')],
  ['200', { status: 200 }],
  ['599', { status: 599 }],
  ['600', { status: 600 }],
  ['999', { status: 999 }],
  ['1000', outside('1000')],
  ['200.5', refused('200.5. Status code must be an integer.')],
  ['-1', outside('-1')],
];

export default [
  scenario({
    name: 'body parsers accept up to 100 kB, and express.urlencoded up to 1000 parameters',
    clauses: ['F-8-01', 'F-8-02'],
    build({ framework }) {
      const app = framework().set('env', 'test');
      for (const name of ['json', 'text', 'urlencoded'] as const) {
        app.post(`/${name}`, framework[name](), (req, res) => res.json(Object.keys(req.body).length));
      }
      return app;
    },
    requests: [
      // Only the JSON parser gets a body of exactly the limit, to keep recordings short; §2.10 has the other parsers.
      post('/json', `["${'a'.repeat(KB_100 - 4)}"]`, { 'Content-Type': 'application/json' }).expect({
        body: '1',
      }),
      post('/json', `["${'a'.repeat(KB_100 - 3)}"]`, { 'Content-Type': 'application/json' }).expect({
        status: 413,
        body: /PayloadTooLargeError: request entity too large/,
        outcome: 'kept',
      }),
      post('/text', 'a'.repeat(KB_100 + 1), { 'Content-Type': 'text/plain' }).expect({
        status: 413,
        outcome: 'kept',
      }),
      post('/urlencoded', form(1000), FORM).expect({ status: 200, body: '1000' }),
      post('/urlencoded', form(1001), FORM).expect({
        status: 413,
        body: /PayloadTooLargeError: too many parameters/,
      }),
    ],
  }),
  scenario({
    name: 'files have max-age 0, req.subdomains omits two labels, and statuses end at 999',
    clauses: ['F-8-03', 'F-8-04', 'F-8-05', 'F-8-06', 'F-8-07'],
    build({ framework, files }) {
      const app = framework().set('env', 'test');
      app.get('/send', (_req, res) => res.sendFile('hello.txt', { root: files }));
      app.get('/download', (_req, res) => res.download(join(files, 'hello.txt')));
      app.get('/subdomains', (req, res) => res.json(req.subdomains));
      app.get('/status/:code', (req, res) => res.status(Number(req.params.code)).end());
      app.get('/send/:code', (req, res) => res.sendStatus(Number(req.params.code)));
      app.get('/text/:code', (req, res) => res.sendStatus(req.params.code as unknown as number));
      app.use(framework.static(files));
      return app;
    },
    requests: [
      ...['/send', '/download', '/hello.txt'].map((path) =>
        get(path).expect({ status: 200, 'cache-control': 'public, max-age=0' }),
      ),
      get('/text/200').expect(refused('&quot;200&quot;. Status code must be an integer.')),
      get('/subdomains', { Host: 'b.a.example.com' }).expect({ json: ['a', 'b'] }),
      ...CODES.flatMap(([code, expected]) => [
        get(`/status/${code}`).expect(expected),
        get(`/send/${code}`).expect(expected),
      ]),
    ],
  }),
];
