// Runs the workloads with this build, and with Express 5 and 4.
const packages = require('../packages/load.cjs');
const { listen } = require('./listen.cjs');

/**
 * Starts the server of a workload.
 *
 * @param framework What `require('express')` or `require('nozomi')` returns.
 * @param logger The path of the module of morgan, or of the logger of this build.
 * @param http2 What `require('nozomi/http2')` returns, to start its server.
 */
module.exports = function serve({ framework, logger, http2 }, { work, files, log }) {
  // Express has no option for precompressed files.
  if (work.program === 'precompressed' && !framework.logger) return;
  const app = framework();
  PROGRAMS[work.program]({ app, framework, logger, work, files, log });
  if (http2) return http2.createServer(work.tls ?? { cleartext: true }, app).listen(0, '127.0.0.1');
  if (work.server === 'wrapped') return listen((req, res) => app(req, res), work);
  if (work.server) return listen(app, work);
  return app.listen(0, '127.0.0.1');
};

const PROGRAMS = {
  hello,
  json({ app, work }) {
    const value = JSON.parse(work.answer);
    app.get('/', (_req, res) => {
      res.json(value);
    });
  },
  params({ app }) {
    app.get('/lines/:line/trains/:train', (req, res) => {
      const { line, train } = req.params;
      const { fields, limit } = req.query;
      res.json({ line, train, fields, limit });
    });
  },
  middleware({ app, framework, work }) {
    for (let i = 0; i < 10; i++) app.use((_req, _res, next) => next());
    const [a, b, c] = [framework.Router(), framework.Router(), framework.Router()];
    c.get('/end', (_req, res) => {
      res.send(work.answer);
    });
    app.use('/a', a.use('/b', b.use('/c', c)));
  },
  subapp({ app, framework, work }) {
    const [a, b, c] = [framework(), framework(), framework()];
    hello({ app: c, work });
    b.use('/c', c);
    a.use('/b', b);
    app.use('/a', a);
  },
  routes({ app, work }) {
    for (let i = 0; i < work.routes; i++) {
      app.get(`/api/v1/resource${i}/:id`, (req, res) => {
        res.send(`${i}:${req.params.id}`);
      });
    }
  },
  'post-json'({ app, framework, work }) {
    app.post('/', framework.json({ limit: '1mb' }), (_req, res) => {
      res.send(work.answer);
    });
  },
  'post-form'({ app, framework, work }) {
    app.post('/', framework.urlencoded({ extended: false }), (_req, res) => {
      res.send(work.answer);
    });
  },
  headers({ app, work }) {
    app.get('/', (_req, res) => {
      for (let i = 1; i <= 12; i++) res.set(`X-Field-${i}`, `value ${i}`);
      res.send(work.answer);
    });
  },
  changing({ app }) {
    let count = 1_000_000;
    app.get('/', (_req, res) => {
      res.send(`Hello ${count++}`);
    });
  },
  'no-etag'({ app, work }) {
    app.disable('etag');
    hello({ app, work });
  },
  logged({ app, logger, work, log }) {
    const morgan = packages.require(logger);
    // morgan has no format "json", so applications with morgan write a format function.
    const format = work.format === 'json' && !('json' in morgan) ? lineOf : work.format;
    app.use(morgan(format, { stream: log }));
    hello({ app, work });
  },
  static({ app, framework, files }) {
    app.use(framework.static(files));
  },
  precompressed({ app, framework, files }) {
    app.use(framework.static(files, { preCompressed: true }));
  },
};

function hello({ app, work }) {
  app.get('/', (_req, res) => {
    res.send(work.answer);
  });
}

/**
 * Formats a line like the format "json" of the logger, without the route, the request id and whether the client
 * disconnected, for which morgan has no tokens.
 */
function lineOf(tokens, req, res) {
  return JSON.stringify({
    time: new Date().toISOString(),
    method: tokens.method(req, res),
    url: tokens.url(req, res),
    status: Number(tokens.status(req, res)),
    responseTime: Number(tokens['response-time'](req, res)),
    totalTime: Number(tokens['total-time'](req, res)),
    bytesSent: Number(tokens.res(req, res, 'content-length')),
    remoteAddress: tokens['remote-addr'](req, res),
    userAgent: tokens['user-agent'](req, res) ?? null,
    referrer: tokens.referrer(req, res) ?? null,
  });
}
