/** Scenarios for the tokens of the logger. L-2.4 */
import { get, raw } from '../../parity/client/request';
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
    ],
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
  }),
];
