/** Scenarios for the named formats of the logger. L-2.3 */
import { expect } from 'chai';
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

const AGENT = '"http://parity.test/from" "parity \\"1.0\\""';
/** The lines of each format for the first two requests. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  combined: [
    `127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5 ${AGENT}`,
    '127.0.0.1 - tj [01/Jan/2026:00:00:00 +0000] "GET /missing?x=1 HTTP/1.1" 404 146 "-" "-"',
  ],
  common: [
    '127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5',
    '127.0.0.1 - tj [01/Jan/2026:00:00:00 +0000] "GET /missing?x=1 HTTP/1.1" 404 146',
  ],
  default: [
    `127.0.0.1 - - [Thu, 01 Jan 2026 00:00:00 GMT] "GET / HTTP/1.1" 200 5 ${AGENT}`,
    '127.0.0.1 - tj [Thu, 01 Jan 2026 00:00:00 GMT] "GET /missing?x=1 HTTP/1.1" 404 146 "-" "-"',
  ],
  short: [
    '127.0.0.1 - GET / HTTP/1.1 200 5 - 0.000 ms',
    '127.0.0.1 tj GET /missing?x=1 HTTP/1.1 404 146 - 0.000 ms',
  ],
  tiny: ['GET / 200 5 - 0.000 ms', 'GET /missing?x=1 404 146 - 0.000 ms'],
};

const dev = (url: string, colour: number, status: number | string, length: number | string): string =>
  `\x1b[0mGET ${url} \x1b[${colour}m${status}\x1b[0m 0.000 ms - ${length}\x1b[0m\n`;
/** The lines of the format `dev`: red from 500, yellow from 400, cyan from 300, green from 200. */
const DEV = [
  dev('/', 32, 200, 5),
  dev('/missing?x=1', 33, 404, 146),
  dev('/moved', 36, 302, 23),
  dev('/broken', 31, 500, 168),
  dev('/odd', 31, 700, '-'),
  ...[200, 299, 300, 399, 400, 499, 500, 599].map((status) =>
    dev(`/status/${status}`, { 2: 32, 3: 36, 4: 33, 5: 31 }[Math.floor(status / 100)] as number, status, '-'),
  ),
];

const named = Object.entries(FORMATS).flatMap(([name, clauses]) =>
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
      expect({ log }) {
        if (name !== 'dev') expect(log.slice(0, 2)).to.deep.equal(LINES[name]?.map((line) => `${line}\n`));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of the colours
        else expect(log).to.deep.equal(env ? DEV.map((line) => line.replace(/\x1b\[\d+m/g, '')) : DEV);
      },
    }),
  ),
);

export default [
  ...named,
  scenario({
    name: 'the format dev has no colour for a status below 200, and for a request without a response',
    clauses: ['L-2.3-08', 'L-7-02'],
    build({ logger, log }) {
      const middleware = logger('dev', { stream: log });
      return (req, res) =>
        middleware(req, res, () => {
          // 101 is the only status below 200 that clients accept as a final response.
          if (req.url === '/switch') res.writeHead(101, { Connection: 'close' }).end();
          else res.destroy();
        });
    },
    requests: [get('/switch'), get('/gone')],
    expect: ({ log }) =>
      expect(log).to.deep.equal([
        dev('/switch', 0, 101, '-'),
        '\x1b[0mGET /gone \x1b[0m-\x1b[0m - ms - -\x1b[0m\n',
      ]),
  }),
];
