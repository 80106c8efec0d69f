/** Scenarios for the tokens of the logger. L-2.4 */
import { expect } from 'chai';
import { get, patch, raw } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'each token writes its value, or a dash if there is none',
    clauses: [
      'L-2.4-01',
      'L-2.4-02',
      'L-2.4-03',
      'L-2.4-04',
      'L-2.4-05',
      'L-2.4-06',
      'L-2.4-07',
      'L-2.4-08',
      'L-2.4-09',
      'L-2.4-11',
      'L-2.4-12',
      'L-2.4-13',
      'L-2.4-14',
      'L-2.4-15',
      'L-2.4-19',
      'L-2.4-23',
      'L-2.4-25',
      'L-2.4-26',
      'L-5-01',
      'L-5-02',
      'L-8-01',
    ],
    build({ framework, logger, log }) {
      const tokens =
        ':date|:date[clf]|:date[iso]|:date[web]|:date[other]|:http-version|:method|:referrer|:remote-addr|:remote-user|:req[X-A]|:res[X-B]|:status|:url|:user-agent|:pid';
      const app = framework();
      app.set('trust proxy', true);
      const router = framework.Router();
      router.use(logger(tokens, { stream: log }));
      router.get('/answered', (_req, res) => void res.send('inside'));
      app.use('/mounted', router);
      app.use(logger(tokens, { stream: log }));
      app.use((_req, res) => res.set('X-B', ['1', '2']).send('x'));
      return app;
    },
    requests: [
      get('/'),
      get('/mounted/x?y=1', {
        Authorization: `Basic ${Buffer.from('us"er:x').toString('base64')}`,
        Referer: '/a"b\\c',
        Referrer: '/other',
        'User-Agent': 'tab\tand "quote"',
        'X-A': ['1', '2'],
        'X-Forwarded-For': '9.9.9.9',
      }),
      get('/mounted/answered?within'),
      get('/', { Authorization: 'Bearer token', Referrer: '/only' }),
      get('/', { Authorization: 'Basic ???' }),
      raw('GET /old HTTP/1.0\r\nX-A: \xe4\r\n\r\n'),
      // Basic authentication without a colon, and with an empty user.
      ...['tj', ':secret'].map((text) =>
        get('/', { Authorization: `Basic ${Buffer.from(text).toString('base64')}` }),
      ),
    ],
    expect({ log }) {
      const dates =
        'Thu, 01 Jan 2026 00:00:00 GMT|01/Jan/2026:00:00:00 +0000|2026-01-01T00:00:00.000Z|Thu, 01 Jan 2026 00:00:00 GMT|-';
      // Two loggers write the line of this request.
      const mounted =
        '1.1|GET|/a\\"b\\\\c|9.9.9.9|us\\"er|1, 2|1, 2|200|/mounted/x?y=1|tab\\tand \\"quote\\"';
      expect(log).to.deep.equal(
        // biome-ignore format: a table
        [
          '1.1|GET|-|127.0.0.1|-|-|1, 2|200|/|-',
          mounted, mounted,
          '1.1|GET|-|127.0.0.1|-|-|-|200|/mounted/answered?within|-',
          '1.1|GET|/only|127.0.0.1|-|-|1, 2|200|/|-', '1.1|GET|-|127.0.0.1|-|-|1, 2|200|/|-',
          '1.0|GET|-|127.0.0.1|-|ä|1, 2|200|/old|-',
          ...Array(2).fill('1.1|GET|-|127.0.0.1|-|-|1, 2|200|/|-'),
        ].map((line) => `${dates}|${line}|4242\n`),
      );
    },
  }),
  scenario({
    name: 'response-time and total-time have three decimals or the given number',
    clauses: ['L-2.4-16', 'L-2.4-17', 'L-2.4-18', 'L-2.4-21', 'L-2.4-22', 'L-8-01'],
    build({ framework, logger, log }) {
      const app = framework();
      const durations = ['', '[0]', '[1]', '[3]', '[6]'].flatMap((digits) => [
        `:response-time${digits} ms`,
        `:total-time${digits} ms`,
      ]);
      app.use(logger(durations.join(' '), { stream: log }));
      app.use((_req, res) => res.send('x'));
      return app;
    },
    requests: [get('/')],
    expect: ({ log }) =>
      expect(log).to.deep.equal([
        '0.000 ms 0.000 ms 0 ms 0 ms 0.0 ms 0.0 ms 0.000 ms 0.000 ms 0.000000 ms 0.000000 ms\n',
      ]),
  }),
  scenario({
    name: 'tokens of a plain server join several values, and have no value before the headers are sent',
    clauses: ['L-2.4-06', 'L-2.4-10', 'L-2.4-12', 'L-2.4-15', 'L-2.4-18', 'L-2.4-19', 'L-2.4-24'],
    build({ logger, log }) {
      const format = ':method :remote-addr :url :req[X-MANY] :res[x-set] :status :response-time[many] ms';
      const middleware = logger(format, { stream: log });
      return (req, res) => {
        Object.assign(req.headers, { 'x-many': ['a', 'b'] });
        middleware(req, res, () => {
          res.setHeader('X-Set', '1');
          if (req.url === '/destroyed') res.destroy();
          else res.writeHead(418).end();
        });
      };
    },
    requests: [patch('/plain?a'), get('/destroyed')],
    expect: ({ log }) =>
      expect(log).to.deep.equal([
        'PATCH 127.0.0.1 /plain?a a, b 1 418 0 ms\n',
        'GET 127.0.0.1 /destroyed a, b - - - ms\n',
      ]),
  }),
];
