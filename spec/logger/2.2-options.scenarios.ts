/** Scenarios for the logger options immediate, skip and stream. L-2.2 */
import { Writable } from 'node:stream';
import { aborted, get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'immediate writes the line before the handler runs, without values of the response',
    clauses: ['L-1-06', 'L-2.2-01', 'L-2.2-02', 'L-2.2-04'],
    build({ framework, logger, log }) {
      const app = framework();
      app.use(logger('now :method :url :status :res[etag] :response-time', { immediate: true, stream: log }));
      app.use(logger('then :method :url :status :res[etag]', { stream: log }));
      app.use((_req, res) => {
        log.write('handler\n');
        res.send('x');
      });
      return app;
    },
    requests: [get('/')],
  }),
  scenario({
    name: 'skip omits requests from one of several loggers',
    clauses: ['L-1-07', 'L-2.2-05', 'L-2.2-06', 'L-2.2-07', 'L-4-19'],
    build({ framework, logger, log }) {
      const app = framework();
      app.use(logger('all :url :status', { stream: log }));
      app.use(logger('errors :url :status', { stream: log, skip: (_req, res) => res.statusCode < 400 }));
      app.get('/', (_req, res) => res.send('x'));
      return app;
    },
    requests: [get('/'), get('/none')],
  }),
  scenario({
    name: 'the logger writes to standard output unless a stream is given',
    clauses: ['L-2.2-08', 'L-2.2-09', 'L-4-02'],
    build({ framework, logger, log }) {
      const app = framework();
      const chunks: string[] = [];
      const stream = new Writable({
        decodeStrings: false,
        write(chunk, _encoding, done) {
          chunks.push(chunk);
          log.write(`[${chunk.trimEnd()}]\n`);
          done();
        },
      });
      app.use(logger(':method :url'), logger('own :url', { stream }));
      app.use((_req, res) => res.send('x'));
      return app;
    },
    requests: [get('/a'), get('/b')],
  }),
  scenario({
    name: 'the logger writes no status if the client disconnects',
    clauses: ['L-2.2-03', 'L-2.4-20', 'L-7-02'],
    build({ framework, logger, log }) {
      const app = framework();
      app.use(
        logger(':method :url [:status] [:res[content-length]] [:response-time ms] [:total-time ms]', {
          stream: log,
        }),
      );
      app.get('/silent', () => {});
      app.get('/started', (_req, res) => void res.write('some'));
      return app;
    },
    requests: [aborted(get('/silent'), 'sent'), aborted(get('/started'), 'head')],
  }),
];
