/** Scenarios for the logger options immediate, skip and stream. L-2.2 */
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
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
    expect: ({ log }) =>
      expect(log).to.deep.equal([
        'now GET / - - -\n',
        'handler\n',
        'then GET / 200 W/\\"1-EfatjsUqKYSrqv18O1FlA3hcIHI\\"\n',
      ]),
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
    expect: ({ log }) => expect(log).to.deep.equal(['all / 200\n', 'all /none 404\n', 'errors /none 404\n']),
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
    expect({ log, stdout }) {
      expect(log).to.deep.equal(['[own /a]\n', '[own /b]\n']);
      expect(stdout).to.deep.equal(['GET /a\n', 'GET /b\n']);
    },
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
    expect: ({ log }) =>
      expect(log).to.deep.equal([
        'GET /silent [-] [-] [- ms] [- ms]\n',
        'GET /started [200] [-] [0.000 ms] [0.000 ms]\n',
      ]),
  }),
  scenario({
    name: 'with immediate a request that gets no response has a line, without values of a response',
    clauses: ['L-2.2-03', 'L-2.2-04'],
    build({ logger, log }) {
      const format = ':url :status :res[content-length] :response-time :total-time';
      const middleware = logger(format, { stream: log, immediate: true });
      return (req, res) => middleware(req, res, () => {});
    },
    requests: [aborted(get('/never'), 'sent')],
    expect: ({ log }) => expect(log).to.deep.equal(['/never - - - -\n']),
  }),
  scenario({
    name: 'skip is called with request and response, and any truthy value omits the line',
    clauses: ['L-2.2-05', 'L-2.2-06', 'L-2.2-07', 'L-4-19'],
    build({ framework, logger, log }) {
      let given: unknown[];
      const app = framework();
      app.use((req, res, next) => {
        given = [req, res];
        next();
      });
      app.use(logger('without :url', { stream: log, skip: undefined as never }));
      app.use(
        logger('with :url', {
          stream: log,
          skip(...args) {
            log.write(`${args.length} ${args.every((one, index) => one === given[index])}\n`);
            return (args[0].url === '/health' ? 'yes' : '') as never;
          },
        }),
      );
      return app.use((_req, res) => void res.send('x'));
    },
    requests: [get('/health'), get('/other')],
    expect: ({ log }) =>
      expect(log).to.deep.equal([
        'without /health\n',
        '2 true\n',
        'without /other\n',
        '2 true\n',
        'with /other\n',
      ]),
  }),
  scenario({
    name: 'a file stream in append mode keeps its contents and receives the lines in order',
    clauses: ['L-2.2-09'],
    build({ framework, logger, folder }) {
      const file = join(folder, 'access.log');
      writeFileSync(file, 'earlier\n');
      const stream = createWriteStream(file, { flags: 'a' });
      const app = framework();
      app.get('/file', (_req, res) => void stream.write('', () => res.send(readFileSync(file, 'utf8'))));
      return app.use(logger(':url', { stream }));
    },
    requests: [
      ...['/1', '/2', '/3'].map((url) => get(url)),
      get('/file').expect({ body: 'earlier\n/1\n/2\n/3\n' }),
    ],
  }),
];
