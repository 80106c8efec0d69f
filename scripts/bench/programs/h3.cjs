const { readFile, stat } = require('node:fs/promises');
const { join } = require('node:path');
const packages = require('../packages/load.cjs');

module.exports = async function serve({ work, files }) {
  const program = PROGRAMS[work.program];
  if (!program) return;
  const h3 = await packages.import('h3');
  const app = new h3.H3();
  program({ app, h3, work, files });
  const server = h3.serve(app, { port: 0, hostname: '127.0.0.1', silent: true });
  await server.ready();
  return server.node.server;
};

const PROGRAMS = {
  hello,
  json({ app, work }) {
    const value = JSON.parse(work.answer);
    app.get('/', () => value);
  },
  params({ app, h3 }) {
    app.get('/lines/:line/trains/:train', (event) => {
      const { line, train } = event.context.params;
      const { fields, limit } = h3.getQuery(event);
      return { line, train, fields, limit };
    });
  },
  middleware({ app, h3, work }) {
    for (let i = 0; i < 10; i++) app.use((_event, next) => next());
    nest(app, h3, (c) => c.get('/end', () => work.answer));
  },
  subapp({ app, h3, work }) {
    nest(app, h3, (c) => hello({ app: c, work }));
  },
  routes({ app, work }) {
    for (let i = 0; i < work.routes; i++) {
      app.get(`/api/v1/resource${i}/:id`, (event) => `${i}:${event.context.params.id}`);
    }
  },
  'post-json': post,
  'post-form': post,
  headers({ app, work }) {
    app.get('/', (event) => {
      for (let i = 1; i <= 12; i++) event.res.headers.set(`X-Field-${i}`, `value ${i}`);
      return work.answer;
    });
  },
  static({ app, h3, files }) {
    app.use((event) =>
      h3.serveStatic(event, {
        getContents: (id) => readFile(join(files, id)),
        async getMeta(id) {
          const found = await stat(join(files, id)).catch(() => undefined);
          return found?.isFile() ? { size: found.size, mtime: found.mtimeMs } : undefined;
        },
      }),
    );
  },
};

function hello({ app, work }) {
  app.get('/', () => work.answer);
}

function post({ app, h3, work }) {
  app.post('/', async (event) => {
    await h3.readBody(event);
    return work.answer;
  });
}

/** Nests applications, because h3 uses them as routers too. */
function nest(app, { H3 }, fill) {
  const [a, b, c] = [new H3(), new H3(), new H3()];
  fill(c);
  b.mount('/c', c);
  a.mount('/b', b);
  app.mount('/a', a);
}
