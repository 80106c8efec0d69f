const { require: load } = require('../packages/load.cjs');
const { listen } = require('./listen.cjs');

module.exports = function serve({ work, files }) {
  const program = PROGRAMS[work.program];
  if (!program) return;
  const [Koa, Router] = [load('koa'), load('@koa/router').Router];
  const app = new Koa();
  program({ app, Koa, Router, work, files });
  return listen(app.callback(), work);
};

const PROGRAMS = {
  hello,
  json({ app, Router, work }) {
    const value = JSON.parse(work.answer);
    route(app, Router, '/', (ctx) => {
      ctx.body = value;
    });
  },
  params({ app, Router }) {
    route(app, Router, '/lines/:line/trains/:train', (ctx) => {
      const { line, train } = ctx.params;
      const { fields, limit } = ctx.query;
      ctx.body = { line, train, fields, limit };
    });
  },
  middleware({ app, Router, work }) {
    for (let i = 0; i < 10; i++) app.use((_ctx, next) => next());
    const [outer, a, b, c] = [new Router(), new Router(), new Router(), new Router()];
    c.get('/end', (ctx) => {
      ctx.body = work.answer;
    });
    b.use('/c', c.routes());
    a.use('/b', b.routes());
    outer.use('/a', a.routes());
    app.use(outer.routes());
  },
  subapp({ app, Koa, Router, work }) {
    const mount = load('koa-mount');
    const [a, b, c] = [new Koa(), new Koa(), new Koa()];
    hello({ app: c, Router, work });
    b.use(mount('/c', c));
    a.use(mount('/b', b));
    app.use(mount('/a', a));
  },
  routes({ app, Router, work }) {
    const router = new Router();
    for (let i = 0; i < work.routes; i++) {
      router.get(`/api/v1/resource${i}/:id`, (ctx) => {
        ctx.body = `${i}:${ctx.params.id}`;
      });
    }
    app.use(router.routes());
  },
  'post-json': post,
  'post-form': post,
  headers({ app, Router, work }) {
    route(app, Router, '/', (ctx) => {
      for (let i = 1; i <= 12; i++) ctx.set(`X-Field-${i}`, `value ${i}`);
      ctx.body = work.answer;
    });
  },
  static({ app, files }) {
    app.use(load('koa-static')(files));
  },
};

function hello({ app, Router, work }) {
  route(app, Router, '/', (ctx) => {
    ctx.body = work.answer;
  });
}

function post({ app, Router, work }) {
  const router = new Router();
  router.post('/', load('@koa/bodyparser').bodyParser(), (ctx) => {
    ctx.body = work.answer;
  });
  app.use(router.routes());
}

function route(app, Router, path, handle) {
  app.use(new Router().get(path, handle).routes());
}
