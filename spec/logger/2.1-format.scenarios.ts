/** Scenarios for the format argument of the logger. L-2.1 */
import { createServer } from 'node:http';
import { expect } from 'chai';
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'the logger accepts a format string with tokens, arguments and other text',
    clauses: ['L-4-08'],
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
    // One of the tokens does not exist.
    expect: ({ uncaught }) =>
      expect(uncaught).to.deep.equal(Array(2).fill('TypeError: tokens.unknown is not a function')),
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
    expect({ log }) {
      const line = 'function GET 200 W/\\"1-EfatjsUqKYSrqv18O1FlA3hcIHI\\"\n';
      expect(log).to.deep.equal([line, '\n', line]);
    },
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
    expect: ({ log }) =>
      expect(log).to.deep.equal([
        '127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET /plain?x HTTP/1.1" 200 - "/there" "one \\"two\\" \\\\ three"\n',
      ]),
  }),
  scenario({
    name: 'a format string has tokens, text in brackets as their arguments, and other text',
    clauses: ['L-1-03', 'L-1-04', 'L-1-05', 'L-1-08', 'L-2.1-02', 'L-2.1-03', 'L-2.1-04'],
    build({ framework, logger, log }) {
      const app = framework();
      for (const format of [
        'not a name',
        '<:method>:url:: :x',
        ':req[x-name]! :res[x-b]',
        ':method[] :method[GET',
      ])
        app.use(logger(format, { stream: log }));
      return app.get('/path', (_req, res) => res.set('X-B', ['1', '2']).send('x'));
    },
    requests: [get('/path', { 'X-Name': 'value' })],
    expect: ({ log }) =>
      expect(log).to.deep.equal(['not a name\n', '<GET>/path:: :x\n', 'value! 1, 2\n', 'GET[] GET[GET\n']),
  }),
  scenario({
    name: 'a format function is called with the logger, the request and the response',
    clauses: ['L-2.1-05', 'L-2.1-06', 'L-2.1-07', 'L-4-14', 'L-4-15'],
    build({ framework, logger, log }) {
      let given: unknown[];
      const app = framework();
      app.use((req, res, next) => {
        given = [logger, req, res];
        next();
      });
      app.use(
        logger(
          (...args: Parameters<Extract<Parameters<typeof logger>[0], CallableFunction>>) => {
            const [tokens, req, res] = args;
            const { compile, short } = tokens as unknown as typeof logger & { short: string };
            const isGiven = args.map((one, index) => one === given[index]);
            return [
              ...isGiven,
              tokens.method?.(req, res),
              compile(short).name,
              compile(':url')(tokens, req, res),
            ].join();
          },
          { stream: log },
        ),
      );
      return app.use((_req, res) => void res.send('x'));
    },
    requests: [get('/path')],
    expect: ({ log }) => expect(log).to.deep.equal(['true,true,true,GET,anonymous,/path\n']),
  }),
];
