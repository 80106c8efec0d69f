/** One scenario for each seeded fault, and some without a fault. */
import {
  aborted,
  get,
  head,
  onOneConnection,
  pipelined,
  post,
  type Step,
} from '../../../parity/client/request';
import { type Scenario, scenario } from '../../../parity/scenario/scenario';
import { FAULTS } from './faults';

const NOT_FAULTY: Readonly<Record<string, readonly Step[]>> = {
  'a plain answer': [get('/'), head('/'), get('/missing')],
  'an error page with a stack': [get('/broken')],
  'several requests on one connection': [onOneConnection(get('/'), post('/', ['a', 'b']), get('/broken'))],
  'pipelined requests': [pipelined(get('/'), head('/'), get('/stream'))],
  'a request made from an earlier answer': [
    get('/'),
    (seen) => get('/', { 'If-None-Match': seen[0]?.header('ETag') ?? '' }),
  ],
  'a client that leaves': [aborted(post('/', { a: 1 }), 20), aborted(get('/stream'), 'head')],
  'an interim answer': [post('/', 'hello', { Expect: '100-continue' })],
};

export const EQUAL: readonly string[] = Object.keys(NOT_FAULTY);

/** Faults that end or block the process, with the text of the report. */
export const BROKEN: Readonly<Record<string, RegExp>> = {
  'the process ends': /implementation "faulty" ended with exit code 3/,
  'the process hangs': /implementation "faulty" did not reply to "close" within \d+ ms/,
};

/** The scenarios in which the client times out. They get less patience. */
const SILENT = new Set(['nothing is answered', 'the process hangs']);

const all: Record<string, readonly Step[]> = { ...NOT_FAULTY };
for (const name of [...Object.keys(FAULTS), ...Object.keys(BROKEN)])
  all[name] = [get('/', { 'X-Fault': name })];

const scenarios: readonly Scenario[] = Object.entries(all).map(([name, requests]) =>
  scenario({
    name,
    clauses: ['F-1-01'],
    patience: SILENT.has(name) ? 1500 : 8000,
    alone: name in BROKEN,
    build({ framework, logger, log }) {
      const app = framework();
      app.use(logger(':method :url :status :response-time ms', { stream: log }));
      app.get('/', (_req, res) => res.send('hello'));
      app.post('/', (req, res) => req.pipe(res));
      app.get('/broken', () => {
        throw new Error('broken');
      });
      app.get('/stream', (_req, res) => {
        res.write('one');
        setImmediate(() => res.end('two'));
      });
      return app;
    },
    requests,
  }),
);

export default scenarios;
