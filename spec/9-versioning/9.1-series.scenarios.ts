/** Scenarios for members of Express 3 and 4 that Express 5 does not have. §9.1 */
import { get, post } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

const BOUNDARY = 'b';
const FORM = [
  `--${BOUNDARY}`,
  'Content-Disposition: form-data; name="f"; filename="a.txt"',
  '',
  'hello',
  `--${BOUNDARY}--`,
  '',
];

const NOTHING = { old: Array(4).fill(false), gone: Array(4).fill(false), body: null };

export default [
  scenario({
    name: 'requests have no req.files or members of older series, and one hostname of several',
    clauses: ['F-9.1-02', 'F-9.1-03'],
    build({ framework }) {
      const app = framework().enable('trust proxy').use(framework.json(), framework.urlencoded());
      app.use((req, res) => {
        const old = ['param', 'acceptsCharset', 'accepted', 'files'].map((name) => name in req);
        const gone = ['del', 'lazyrouter', '_router', 'configure'].map((name) => name in app);
        res.json({ old, gone, body: req.body ?? null, hostname: req.hostname });
      });
      return app;
    },
    requests: [
      post('/', FORM.join('\r\n'), { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }).expect({
        json: { ...NOTHING, hostname: 'parity.test' },
      }),
      get('/', { 'X-Forwarded-Host': 'first.test:1, second.test' }).expect({
        json: { ...NOTHING, hostname: 'first.test' },
      }),
    ],
  }),
];
