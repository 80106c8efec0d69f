/** L-2.3: the named formats. */
import { get } from '../../request';
import { scenario } from '../../scenario';

export default [
  ...['combined', 'common', 'default', 'dev', 'short', 'tiny'].map((name) =>
    scenario({
      name: `the format ${name}`,
      clauses: ['L-2.3-01'],
      build({ framework, logger, log }) {
        const app = framework();
        app.use(logger(name, { stream: log }));
        app.get('/', (_req, res) => res.send('hello'));
        app.get('/broken', () => {
          throw new Error('broken');
        });
        return app;
      },
      requests: [
        get('/', { Referer: 'http://parity.test/from', 'User-Agent': 'parity "1.0"' }),
        get('/missing?x=1', { Authorization: `Basic ${Buffer.from('tj:secret').toString('base64')}` }),
        get('/broken'),
      ],
    }),
  ),
];
