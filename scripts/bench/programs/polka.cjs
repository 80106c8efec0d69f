const { require: load } = require('../packages/load.cjs');

module.exports = function serve({ work, files, log }) {
  const program = PROGRAMS[work.program];
  if (!program || work.format === 'json') return;
  const polka = load('polka');
  const app = polka();
  program({ app, polka, work, files, log });
  return app.listen(0, '127.0.0.1').server;
};

const PROGRAMS = {
  hello,
  json({ app, work }) {
    const value = JSON.parse(work.answer);
    app.get('/', (_req, res) => sendJson(res, value));
  },
  params({ app }) {
    app.get('/lines/:line/trains/:train', (req, res) => {
      const { line, train } = req.params;
      const { fields, limit } = req.query;
      sendJson(res, { line, train, fields, limit });
    });
  },
  middleware({ app, polka, work }) {
    for (let i = 0; i < 10; i++) app.use((_req, _res, next) => next());
    nest(app, polka, (c) => c.get('/end', (_req, res) => res.end(work.answer)));
  },
  subapp({ app, polka, work }) {
    nest(app, polka, (c) => hello({ app: c, work }));
  },
  routes({ app, work }) {
    for (let i = 0; i < work.routes; i++) {
      app.get(`/api/v1/resource${i}/:id`, (req, res) => res.end(`${i}:${req.params.id}`));
    }
  },
  'post-json'({ app, work }) {
    app.post('/', load('body-parser').json({ limit: '1mb' }), (_req, res) => res.end(work.answer));
  },
  'post-form'({ app, work }) {
    app.post('/', load('body-parser').urlencoded({ extended: false }), (_req, res) => res.end(work.answer));
  },
  headers({ app, work }) {
    app.get('/', (_req, res) => {
      for (let i = 1; i <= 12; i++) res.setHeader(`X-Field-${i}`, `value ${i}`);
      res.end(work.answer);
    });
  },
  logged({ app, work, log }) {
    app.use(load('morgan')(work.format, { stream: log }));
    hello({ app, work });
  },
  static({ app, files }) {
    app.use(load('sirv')(files));
  },
  precompressed({ app, files }) {
    app.use(load('sirv')(files, { brotli: true, gzip: true, etag: true }));
  },
};

function hello({ app, work }) {
  app.get('/', (_req, res) => res.end(work.answer));
}

function sendJson(res, value) {
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify(value));
}

/** Nests applications, because polka uses them as routers too. */
function nest(app, polka, fill) {
  const [a, b, c] = [polka(), polka(), polka()];
  fill(c);
  b.use('/c', c);
  a.use('/b', b);
  app.use('/a', a);
}
