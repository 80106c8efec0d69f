/** Scenarios for the middleware bodyParser, json and urlencoded of Express 3. §9.3 */
import { expect } from 'chai';
import type express3 from 'nozomi/3';
import { MULTIPART, multipartBody } from '../../parity/client/multipart';
import { get, post } from '../../parity/client/request';
import { type Express3, express3Scenario } from '../../parity/scenario/scenario';

const onError: express3.ErrorHandler = (err, _req, res, _next) => res.send(err.status, 'refused');

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A JSON string of 200 kB, compressed: zlib may compress it differently in another version of Node.js. */
const GZIP_200_KB = Buffer.from(
  'H4sIAAAAAAACA+3BAQkAAAACoC+tbH4/Qk0BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAC4' +
    'kgHtRYAbAiADAA==',
  'base64',
);

/** Creates an application that responds with the body and the files that `parsers` read, or with their error. */
function parsing(framework: Express3, ...parsers: Array<ReturnType<Express3['json']>>) {
  const app = framework();
  for (const parser of parsers) app.use(parser);
  app.all('*', (req, res) => res.send({ body: req.body, files: req.files }));
  app.use(onError);
  return app;
}

export default [
  express3Scenario({
    name: 'bodyParser reads JSON, forms and multipart bodies',
    clauses: ['F-9.3-31', 'F-9.3-32', 'F-9.3-33', 'F-9.3-101'],
    alone: true,
    build: ({ framework }) => parsing(framework, framework.bodyParser()),
    requests: [
      get('/').expect({ json: { body: {}, files: {} } }),
      post('/', { name: 'tj', pets: ['tobi'] }),
      post('/', '[1,2]', { 'Content-Type': 'application/vnd.api+json' }).expect({ json: { body: [1, 2] } }),
      post('/', 'user[name]=tj&pets[]=tobi&pets[]=loki&a=1&a=2&b=%20+', FORM),
      post('/', 'text', { 'Content-Type': 'text/plain' }),
      post('/', ['{"a"', ':1}'], JSON_TYPE),
      post('/', '', JSON_TYPE),
      post('/', '{broken', JSON_TYPE),
      post('/', '5', JSON_TYPE),
      post('/', 'a[]=1&a=2', FORM),
      post('/', '{}', { ...JSON_TYPE, 'Content-Encoding': 'none-such' }),
      post('/', '{}', { 'Content-Type': 'application/json; charset=none-such' }),
    ],
  }),
  express3Scenario({
    name: 'a form can repeat a name as an object and as a value',
    clauses: ['F-9.3-32'],
    build: ({ framework }) => parsing(framework, framework.urlencoded()),
    requests: ['a[b]=1&a=2', 'a=2&a[b]=1', 'a[]=1&a=2'].map((form) => post('/', form, FORM)),
  }),
  express3Scenario({
    name: 'json and urlencoded accept options',
    clauses: ['F-9.3-31', 'F-9.3-32', 'F-9.3-33'],
    build: ({ framework }) =>
      parsing(
        framework,
        framework.json({ strict: false, limit: 10, verify: refuse }),
        framework.urlencoded({ extended: false, parameterLimit: 2, verify: refuse }),
      ),
    requests: [
      post('/', '5', JSON_TYPE).expect({ json: { body: 5 } }),
      post('/', '"0123456789"', JSON_TYPE).expect({ status: 413 }),
      post('/', '"no"', JSON_TYPE).expect({ status: 403 }),
      post('/', 'a[b]=1', FORM).expect({ json: { body: { 'a[b]': '1' } } }),
      post('/', 'a=1&b=2&c=3', FORM).expect({ status: 413 }),
      post('/', 'no', FORM).expect({ status: 403 }),
    ],
    expect: ({ deprecations }) =>
      expect(deprecations).to.deep.equal([
        ...['json', 'urlencoded'].map((name) => `connect: ${name}.verify: use body-parser module for verify`),
      ]),
  }),
  express3Scenario({
    name: 'urlencoded does not change prototypes',
    clauses: ['F-9.3-32'],
    build({ framework }) {
      const app = framework();
      app.use(framework.urlencoded());
      app.post('/', (req, res) => {
        const { a } = req.body as { a: Record<string, unknown> };
        res.send([a.x, Object.getPrototypeOf(a) === Object.prototype]);
      });
      return app;
    },
    requests: [post('/', 'a[__proto__][x]=1&a[b]=2', FORM).expect({ json: [null, true] })],
  }),
  express3Scenario({
    name: 'json and urlencoded set req._body, or leave a body that other middleware has read',
    clauses: ['F-9.3-31', 'F-9.3-32', 'F-9.3-33'],
    build({ framework }) {
      const app = framework();
      app.use('/read', (req, _res, next) => next(void Object.assign(req, { _body: true, body: 'read' })));
      app.use('/read', framework.json());
      app.use('/read', framework.urlencoded());
      app.use('/json', framework.json());
      app.use('/form', framework.urlencoded());
      app.all('*', (req, res) => res.send([req.body, Object(req)._body]));
      return app;
    },
    requests: [
      ...['/json', '/form'].flatMap((path) => [
        get(path).expect({ json: [{}, null] }),
        post(path, 'x', { 'Content-Type': 'text/plain' }).expect({ json: [{}, null] }),
      ]),
      post('/json', { a: [1] }).expect({ json: [{ a: [1] }, true] }),
      post('/form', 'a=1', FORM).expect({ json: [{ a: '1' }, true] }),
      post('/read', { a: 1 }).expect({ json: ['read', true] }),
    ],
  }),
  express3Scenario({
    name: 'json inflates a body, passes a reviver to JSON.parse, and accepts 200 kB and only objects by default',
    clauses: ['F-9.3-31'],
    build({ framework }) {
      const app = framework();
      const told: express3.ErrorHandler = (err, _req, res, _next) => res.send(err.status, String(err));
      const reviver = (_key: string, value: unknown) => (typeof value === 'string' ? value.length : value);
      app.use('/any', framework.json({ reviver, strict: false }));
      app.use(framework.json());
      app.post('*', (req, res) => res.send([req.body]));
      app.use(told);
      return app;
    },
    requests: [
      post('/any', { a: 'four' }).expect({ json: [{ a: 4 }] }),
      post('/any', GZIP_200_KB, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }).expect({ json: [204_800] }),
      post('/', '5', JSON_TYPE).expect({ status: 400, body: 'Error: invalid json' }),
    ],
  }),
  express3Scenario({
    name: 'bodyParser passes its options to each parser, and limits the parameters of a form',
    clauses: ['F-9.3-101'],
    alone: true,
    build: ({ framework }) => parsing(framework, framework.bodyParser({ limit: 5000 })),
    requests: [
      post('/', { a: 'x'.repeat(5000) }).expect({ status: 413 }),
      post('/', `a=${'x'.repeat(5000)}`, FORM).expect({ status: 413 }),
      post('/', multipartBody({ name: 'a', value: 'x'.repeat(5000) }), { 'Content-Type': MULTIPART }).expect({
        status: 413,
      }),
      post('/', 'a=1&'.repeat(1001), FORM).expect({ status: 413 }),
    ],
  }),
];

/** A `verify` function that refuses bodies with "no". The parsers of 3.x pass the body as text. */
function refuse(_req: unknown, _res: unknown, text: string): void {
  if (text.includes('no')) throw new Error('refused');
}
