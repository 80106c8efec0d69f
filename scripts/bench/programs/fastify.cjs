const { require: load } = require('../packages/load.cjs');

module.exports = async function serve({ work, files, log }) {
  const program = PROGRAMS[work.program];
  // Fastify logs with pino, which writes two JSON lines per request. It has no other format.
  if (!program || (work.program === 'logged' && work.format !== 'json')) return;
  const logger = log === process.stdout ? true : { stream: log };
  const app = load('fastify')({
    ...(work.program === 'logged' && { logger }),
    ...(work.server === 'http2' && { http2: true }),
    ...(work.tls && { https: work.tls }),
  });
  program({ app, work, files });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server;
};

const PROGRAMS = {
  hello,
  logged: hello,
  json({ app, work }) {
    const value = JSON.parse(work.answer);
    app.get('/', (_request, reply) => {
      reply.send(value);
    });
  },
  params({ app }) {
    app.get('/lines/:line/trains/:train', (request, reply) => {
      const { line, train } = request.params;
      const { fields, limit } = request.query;
      reply.send({ line, train, fields, limit });
    });
  },
  middleware({ app, work }) {
    for (let i = 0; i < 10; i++) app.addHook('onRequest', (_request, _reply, done) => done());
    nest(app, ['/a', '/b', '/c'], (inner) => hello({ app: inner, work }, '/end'));
  },
  subapp({ app, work }) {
    nest(app, ['/a', '/b', '/c'], (inner) => hello({ app: inner, work }, ''));
  },
  routes({ app, work }) {
    for (let i = 0; i < work.routes; i++) {
      app.get(`/api/v1/resource${i}/:id`, (request, reply) => {
        reply.send(`${i}:${request.params.id}`);
      });
    }
  },
  changing({ app }) {
    let count = 1_000_000;
    app.get('/', (_request, reply) => {
      reply.send(`Hello ${count++}`);
    });
  },
  'post-json': post,
  'post-form'({ app, work }) {
    app.register(load('@fastify/formbody'));
    post({ app, work });
  },
  headers({ app, work }) {
    app.get('/', (_request, reply) => {
      for (let i = 1; i <= 12; i++) reply.header(`X-Field-${i}`, `value ${i}`);
      reply.send(work.answer);
    });
  },
  static({ app, files }) {
    app.register(load('@fastify/static'), { root: files });
  },
  precompressed({ app, files }) {
    app.register(load('@fastify/static'), { root: files, preCompressed: true });
  },
};

function hello({ app, work }, path = '/') {
  app.get(path, (_request, reply) => {
    reply.send(work.answer);
  });
}

function post({ app, work }) {
  app.post('/', (_request, reply) => {
    reply.send(work.answer);
  });
}

/** Nests plugins: Fastify has neither routers nor sub-applications, but each plugin has its own scope. */
function nest(app, [prefix, ...more], fill) {
  app.register(
    (inner, _options, done) => {
      if (more.length > 0) nest(inner, more, fill);
      else fill(inner);
      done();
    },
    { prefix },
  );
}
