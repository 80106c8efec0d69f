const packages = require('../packages/load.cjs');

module.exports = async function serve({ work, files, log }) {
  const program = PROGRAMS[work.program];
  if (!program || work.format === 'json') return;
  const { App } = await packages.import('@tinyhttp/app');
  const app = new App();
  await program({ app, App, work, files, log });
  return app.listen(0, undefined, '127.0.0.1');
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
  middleware({ app, App, work }) {
    for (let i = 0; i < 10; i++) app.use((_req, _res, next) => next());
    nest(app, App, (c) => {
      c.get('/end', (_req, res) => {
        res.send(work.answer);
      });
    });
  },
  subapp({ app, App, work }) {
    nest(app, App, (c) => hello({ app: c, work }));
  },
  routes({ app, work }) {
    for (let i = 0; i < work.routes; i++) {
      app.get(`/api/v1/resource${i}/:id`, (req, res) => {
        res.send(`${i}:${req.params.id}`);
      });
    }
  },
  async 'post-json'({ app, work }) {
    const { json } = await packages.import('milliparsec');
    app.post('/', json({ payloadLimit: 1_000_000 }), (_req, res) => {
      res.send(work.answer);
    });
  },
  async 'post-form'({ app, work }) {
    const { urlencoded } = await packages.import('milliparsec');
    app.post('/', urlencoded(), (_req, res) => {
      res.send(work.answer);
    });
  },
  headers({ app, work }) {
    app.get('/', (_req, res) => {
      for (let i = 1; i <= 12; i++) res.set(`X-Field-${i}`, `value ${i}`);
      res.send(work.answer);
    });
  },
  logged({ app, work, log }) {
    app.use(packages.require('morgan')(work.format, { stream: log }));
    hello({ app, work });
  },
  static({ app, files }) {
    app.use(packages.require('sirv')(files));
  },
};

function hello({ app, work }) {
  app.get('/', (_req, res) => {
    res.send(work.answer);
  });
}

/** Nests applications, because tinyhttp uses them as routers too. */
function nest(app, App, fill) {
  const [a, b, c] = [new App(), new App(), new App()];
  fill(c);
  b.use('/c', c);
  a.use('/b', b);
  app.use('/a', a);
}
