const { require: load } = require('../packages/load.cjs');

module.exports = function serve({ work, files, log }) {
  const program = PROGRAMS[work.program];
  // The logger of Hono has one format, which resembles morgan's "dev".
  if (!program || (work.program === 'logged' && work.format !== 'dev')) return;
  const { Hono } = load('hono');
  const app = new Hono();
  program({ app, Hono, work, files, log });
  return load('@hono/node-server').serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
};

const PROGRAMS = {
  hello,
  json({ app, work }) {
    const value = JSON.parse(work.answer);
    app.get('/', (c) => c.json(value));
  },
  params({ app }) {
    app.get('/lines/:line/trains/:train', (c) => {
      const { line, train } = c.req.param();
      const { fields, limit } = c.req.query();
      return c.json({ line, train, fields, limit });
    });
  },
  middleware({ app, Hono, work }) {
    for (let i = 0; i < 10; i++) app.use((_c, next) => next());
    const [a, b, c] = [new Hono(), new Hono(), new Hono()];
    c.get('/end', (context) => context.text(work.answer));
    app.route('/a', a.route('/b', b.route('/c', c)));
  },
  subapp({ app, Hono, work }) {
    const [a, b, c] = [new Hono(), new Hono(), new Hono()];
    hello({ app: c, work });
    b.mount('/c', c.fetch);
    a.mount('/b', b.fetch);
    app.mount('/a', a.fetch);
  },
  routes({ app, work }) {
    for (let i = 0; i < work.routes; i++) {
      app.get(`/api/v1/resource${i}/:id`, (c) => c.text(`${i}:${c.req.param('id')}`));
    }
  },
  'post-json'({ app, work }) {
    app.post('/', async (c) => {
      await c.req.json();
      return c.text(work.answer);
    });
  },
  'post-form'({ app, work }) {
    app.post('/', async (c) => {
      await c.req.parseBody();
      return c.text(work.answer);
    });
  },
  headers({ app, work }) {
    app.get('/', (c) => {
      for (let i = 1; i <= 12; i++) c.header(`X-Field-${i}`, `value ${i}`);
      return c.text(work.answer);
    });
  },
  logged({ app, work, log }) {
    const { logger } = load('hono/logger');
    app.use(logger((line) => log.write(`${line}\n`)));
    hello({ app, work });
  },
  static({ app, files }) {
    const { serveStatic } = load('@hono/node-server/serve-static');
    app.use(serveStatic({ root: files }));
  },
};

function hello({ app, work }) {
  app.get('/', (c) => c.text(work.answer));
}
