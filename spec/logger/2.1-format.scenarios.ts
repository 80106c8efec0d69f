/** Scenarios for the format argument of the logger. L-2.1 */
import { createServer } from 'node:http';
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'the logger accepts a format string with tokens, arguments and other text',
    clauses: ['L-1-03', 'L-1-04', 'L-1-05', 'L-1-08', 'L-2.1-02', 'L-2.1-03', 'L-2.1-04'],
    build({ framework, logger, log }) {
      const app = framework();
      app.use(
        logger(':method :url → :status "quoted" \\ :unknown :req[x-a] :res[x-b] :res[content-type]', {
          stream: log,
        }),
      );
      app.get('/', (_req, res) => res.set('X-B', ['1', '2']).send('x'));
      return app;
    },
    requests: [get('/?a=%20b', { 'X-A': 'a' }), get('/none')],
  }),
  scenario({
    name: 'the logger writes what a format function returns, and no line for undefined or null',
    clauses: ['L-2.1-05', 'L-2.1-06', 'L-2.1-07', 'L-2.1-08', 'L-2.1-09', 'L-2.1-10', 'L-7-01'],
    build({ framework, logger, log }) {
      const app = framework();
      app.use(
        logger(
          (tokens, req, res) => {
            if (req.url === '/undefined') return undefined;
            if (req.url === '/null') return null;
            if (req.url === '/empty') return '';
            return [
              typeof tokens,
              tokens.method?.(req, res),
              tokens.status?.(req, res),
              tokens.res?.(req, res, 'etag'),
            ].join(' ');
          },
          { stream: log },
        ),
      );
      app.use((_req, res) => res.send('x'));
      return app;
    },
    requests: [get('/'), get('/undefined'), get('/null'), get('/empty'), get('/last')],
  }),
  scenario({
    name: 'the logger works with a plain server of Node.js',
    clauses: ['L-1-09', 'L-2.4-10', 'L-2.4-24'],
    build({ logger, log }) {
      const note = logger('combined', { stream: log });
      return createServer((req, res) => {
        note(req, res, (error) => {
          res.setHeader('Content-Type', 'text/plain');
          res.end(`${error ?? 'hello'}`);
        });
      });
    },
    requests: [get('/plain?x', { 'User-Agent': 'one "two" \\ three', Referrer: '/there' })],
  }),
];
