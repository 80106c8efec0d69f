const { require: load } = require('../packages/load.cjs');

module.exports = function serve({ work, files, log }) {
  const program = PROGRAMS[work.program];
  if (!program || work.format === 'json') return;
  const app = load('restana')();
  program({ app, work, files, log });
  return app.start(0, '127.0.0.1');
};

const PROGRAMS = {
  hello,
  json({ app, work }) {
    const value = JSON.parse(work.answer);
    app.get('/', (_req, res) => res.send(value));
  },
  params({ app }) {
    app.get('/lines/:line/trains/:train', (req, res) => {
      const { line, train } = req.params;
      const { fields, limit } = req.query;
      res.send({ line, train, fields, limit });
    });
  },
  middleware({ app, work }) {
    for (let i = 0; i < 10; i++) app.use((_req, _res, next) => next());
    nest(app, (c) => c.get('/end', (_req, res) => res.send(work.answer)));
  },
  subapp({ app, work }) {
    nest(app, (c) => hello({ app: c, work }));
  },
  routes({ app, work }) {
    for (let i = 0; i < work.routes; i++) {
      app.get(`/api/v1/resource${i}/:id`, (req, res) => res.send(`${i}:${req.params.id}`));
    }
  },
  'post-json'({ app, work }) {
    app.post('/', load('body-parser').json({ limit: '1mb' }), (_req, res) => res.send(work.answer));
  },
  'post-form'({ app, work }) {
    app.post('/', load('body-parser').urlencoded({ extended: false }), (_req, res) => res.send(work.answer));
  },
  headers({ app, work }) {
    app.get('/', (_req, res) => {
      for (let i = 1; i <= 12; i++) res.setHeader(`X-Field-${i}`, `value ${i}`);
      res.send(work.answer);
    });
  },
  logged({ app, work, log }) {
    app.use(load('morgan')(work.format, { stream: log }));
    hello({ app, work });
  },
  static({ app, files }) {
    app.use(load('serve-static')(files));
  },
};

function hello({ app, work }) {
  app.get('/', (_req, res) => res.send(work.answer));
}

/** Nests routers, because restana has no sub-applications. */
function nest(app, fill) {
  const [a, b, c] = [app.newRouter(), app.newRouter(), app.newRouter()];
  fill(c);
  b.use('/c', c);
  a.use('/b', b);
  app.use('/a', a);
}
