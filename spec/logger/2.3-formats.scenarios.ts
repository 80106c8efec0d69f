/** Scenarios for the named formats of the logger. L-2.3 */
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  combined: ['L-2.3-01'],
  common: ['L-2.3-02'],
  default: ['L-2.3-10'],
  dev: ['L-2.3-03', 'L-2.3-04', 'L-2.3-05', 'L-2.3-06', 'L-2.3-07', 'L-2.3-08'],
  short: ['L-2.3-09'],
  tiny: ['L-2.3-11'],
};

export default Object.entries(FORMATS).flatMap(([name, clauses]) =>
  [undefined, { NO_COLOR: '1' }].map((env) =>
    scenario({
      name: `the logger writes the format ${name}${env ? ' without colours' : ''}`,
      clauses: ['L-2.1-01', ...clauses],
      ...(env && { env }),
      build({ framework, logger, log }) {
        const app = framework();
        app.use(logger(name, { stream: log }));
        app.get('/', (_req, res) => res.send('hello'));
        app.get('/moved', (_req, res) => res.redirect('/'));
        app.get('/broken', () => {
          throw new Error('broken');
        });
        app.get('/status/:code', (req, res) => void res.status(Number(req.params.code)).end());
        app.get('/odd', (_req, res) => {
          res.writeHead(700);
          res.end();
        });
        return app;
      },
      requests: [
        get('/', { Referer: 'http://parity.test/from', 'User-Agent': 'parity "1.0"' }),
        get('/missing?x=1', { Authorization: `Basic ${Buffer.from('tj:secret').toString('base64')}` }),
        get('/moved'),
        get('/broken'),
        get('/odd'),
        // The format `dev` has a colour for each class of status from 2xx to 5xx: test the first and last of each.
        ...(name === 'dev' ? [200, 299, 300, 399, 400, 499, 500, 599] : []).map((code) =>
          get(`/status/${code}`),
        ),
      ],
    }),
  ),
);
