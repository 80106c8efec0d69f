/** Scenarios for the middleware that the logger creates, and for the log line of each request. L-1 */
import { createServer } from 'node:http';
import { expect } from 'chai';
import { get, head, pipelined } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

const FORMAT = ':method :url HTTP/:http-version :status :res[content-length] :res[x-set] :response-time ms';

export default [
  scenario({
    name: 'logger is a function that creates middleware',
    clauses: ['L-1-01', 'L-1-02', 'L-4-08'],
    build({ framework, logger }) {
      const app = framework();
      const middleware = logger('tiny');
      const compiled = logger.compile(':url');
      app.get('/', (_req, res) =>
        res.json({
          logger: [typeof logger, logger.length],
          middleware: [middleware.name, middleware.length],
          compiled: [compiled.name, compiled.length],
        }),
      );
      return app;
    },
    requests: [
      get('/').expect({
        json: { logger: ['function', 2], middleware: ['logger', 3], compiled: ['anonymous', 3] },
      }),
    ],
  }),
  scenario({
    name: 'the logger reads headers that a plain server passes to writeHead() in any form',
    clauses: ['L-1-03', 'L-1-04', 'L-1-05', 'L-1-09', 'L-2.4-14'],
    build({ logger, log }) {
      const middleware = logger(FORMAT, { stream: log });
      return createServer((req, res) =>
        middleware(req, res, () => {
          if (req.url === '/object') res.writeHead(201, { 'X-Set': 'a', 'Content-Length': 5 });
          if (req.url === '/reason') res.writeHead(202, 'Because', { 'X-Set': ['a', 'b'] });
          if (req.url === '/array') res.writeHead(203, ['X-Set', 'a', 'X-Set', 'b']);
          if (req.url === '/status') res.writeHead(404);
          if (req.url === '/pairs') res.writeHead(205, [['X-Set', ['b', 'c']] as never]);
          res.end('hello');
        }),
      );
    },
    requests: ['/object', '/reason', '/array', '/status', '/implicit', '/pairs'].map((target) => get(target)),
    expect: ({ log }) =>
      expect(log).to.deep.equal([
        'GET /object HTTP/1.1 201 5 a 0.000 ms\n',
        'GET /reason HTTP/1.1 202 - a, b 0.000 ms\n',
        'GET /array HTTP/1.1 203 - a, b 0.000 ms\n',
        'GET /status HTTP/1.1 404 - - 0.000 ms\n',
        'GET /implicit HTTP/1.1 200 - - 0.000 ms\n',
        'GET /pairs HTTP/1.1 205 - b, c 0.000 ms\n',
      ]),
  }),
  scenario({
    name: 'the logger writes lines of pipelined requests in the order of the responses',
    clauses: ['L-1-03', 'L-4-18'],
    build({ logger, log }) {
      const middleware = logger(FORMAT, { stream: log });
      const waiting: (() => void)[] = [];
      return (req, res) =>
        middleware(req, res, () => {
          waiting.unshift(() => res.end(req.url));
          if (waiting.length === 3) for (const respond of waiting) respond();
        });
    },
    requests: [pipelined(get('/1'), get('/2'), get('/3'))],
    expect: ({ log }) =>
      expect(log).to.deep.equal(['/1', '/2', '/3'].map((url) => `GET ${url} HTTP/1.1 200 - - 0.000 ms\n`)),
  }),
  scenario({
    name: 'the logger writes a line for HEAD, an empty response, a 304 and an error',
    clauses: ['L-1-03', 'L-1-08'],
    build({ framework, logger, log }) {
      const app = framework();
      app.set('env', 'test');
      app.use(logger(FORMAT, { stream: log }));
      app.get('/none', (_req, res) => res.sendStatus(204));
      app.get('/crash', () => {
        throw new Error('crash');
      });
      app.get('/', (_req, res) => res.set('ETag', '"v1"').send('hello'));
      return app;
    },
    requests: [head('/'), get('/none'), get('/crash'), get('/', { 'If-None-Match': '"v1"' })],
    expect: ({ log }) =>
      expect(log).to.deep.equal([
        'HEAD / HTTP/1.1 200 5 - 0.000 ms\n',
        'GET /none HTTP/1.1 204 - - 0.000 ms\n',
        'GET /crash HTTP/1.1 500 167 - 0.000 ms\n',
        'GET / HTTP/1.1 304 - - 0.000 ms\n',
      ]),
  }),
  scenario({
    name: 'the logger writes a line for a response that ended before it was called',
    clauses: ['L-4-18'],
    build({ logger, log }) {
      const middleware = logger(':url :status :response-time', { stream: log });
      return (req, res) => {
        res.end('early');
        middleware(req, res, () => log.write('next\n'));
      };
    },
    requests: [get('/')],
    expect: ({ log }) => expect(log).to.deep.equal(['next\n', '/ 200 -\n']),
  }),
  scenario({
    name: 'twelve loggers on one response cause no warning of too many listeners',
    clauses: ['L-1-06'],
    build({ framework, logger, log }) {
      const app = framework();
      for (let i = 0; i < 12; i++) app.use(logger(`${i} :status :response-time ms`, { stream: log }));
      return app;
    },
    requests: [get('/')],
    expect({ log, stderr }) {
      expect(log).to.deep.equal(Array.from({ length: 12 }, (_, i) => `${i} 404 0.000 ms\n`));
      expect(stderr).to.deep.equal([]);
    },
  }),
];
