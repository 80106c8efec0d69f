/** Scenarios for the middleware bodyParser, json and urlencoded of Express 3. §9.3 */
import type express3 from 'nozomi/3';
import { get, post } from '../../parity/client/request';
import { type Express3, express3Scenario } from '../../parity/scenario/scenario';

const onError: express3.ErrorHandler = (err, _req, res, _next) => res.send(err.status, 'refused');

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

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
      get('/'),
      post('/', { name: 'tj', pets: ['tobi'] }),
      post('/', '[1,2]', { 'Content-Type': 'application/vnd.api+json' }),
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
      post('/', '5', JSON_TYPE),
      post('/', '"0123456789"', JSON_TYPE),
      post('/', '"no"', JSON_TYPE),
      post('/', 'a[b]=1', FORM),
      post('/', 'a=1&b=2&c=3', FORM),
      post('/', 'no', FORM),
    ],
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
    requests: [post('/', 'a[__proto__][x]=1&a[b]=2', FORM)],
  }),
];

/** A `verify` function that refuses bodies with "no". The parsers of 3.x pass the body as text. */
function refuse(_req: unknown, _res: unknown, text: string): void {
  if (text.includes('no')) throw new Error('refused');
}
