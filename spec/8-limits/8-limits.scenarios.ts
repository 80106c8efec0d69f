/** Scenarios for documented limits and defaults. §8 */
import { join } from 'node:path';
import { get, post } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

const KB_100 = 100 * 1024;
const form = (count: number) => Array.from({ length: count }, (_none, index) => `p${index}=`).join('&');

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
      // Only the JSON parser gets a body of exactly the limit, to keep recordings short. Specs test the other parsers.
      ...[KB_100, KB_100 + 1].map((length) =>
        post('/json', `["${'a'.repeat(length - 4)}"]`, { 'Content-Type': 'application/json' }),
      ),
      post('/text', 'a'.repeat(KB_100 + 1), { 'Content-Type': 'text/plain' }),
      ...[1000, 1001].map((count) =>
        post('/urlencoded', form(count), { 'Content-Type': 'application/x-www-form-urlencoded' }),
      ),
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
      ...['/send', '/download', '/hello.txt', '/text/200'].map((path) => get(path)),
      get('/subdomains', { Host: 'b.a.example.com' }),
      ...[0, 99, 200, 599, 600, 999, 1000, 200.5, -1].flatMap((code) => [
        get(`/status/${code}`),
        get(`/send/${code}`),
      ]),
    ],
  }),
];
