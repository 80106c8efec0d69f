// APM agents. They wrap or rewrite files of `express` and `router`, which they find by package, version and path.
const { createServer } = require('node:http');
const { createGunzip } = require('node:zlib');

const isExpress4 = require('express/package.json').version.startsWith('4.');

/** @returns An application with nested routers, a mounted application, parameters, patterns, views and errors. */
function monitored() {
  const express = require('express');
  const app = express();
  const api = express.Router();
  const mounted = express();
  app.set(
    'view',
    class {
      path = 'memory';
      render(_options, done) {
        done(null, 'page');
      }
    },
  );
  app.use(express.json());
  app.use(function session(_req, _res, next) {
    next();
  });
  app.param('id', (_req, _res, next) => next());
  app.get('/users/:id', (req, res) => res.json(req.params));
  app.route('/page').get((_req, res) => res.render('page.txt'));
  app.all(['/either', '/or/:that'], (_req, res) => res.send('one of two'));
  app.get(/^\/pattern(\d+)$/, (_req, res) => res.send('pattern'));
  api.get('/things/:thing', (req, res) => res.json(req.params));
  api.use(
    '/deep/:level',
    express.Router({ mergeParams: true }).get('/end', (req, res) => res.json(req.params)),
  );
  app.use('/api', api);
  mounted.get('/inside/:out', (req, res) => res.json(req.params));
  app.use('/mounted', mounted);
  app.get('/throws', () => {
    throw new Error('thrown');
  });
  // Express 4 ignores rejections.
  if (!isExpress4) {
    app.get('/rejects', async () => {
      throw new Error('rejected');
    });
  }
  app.use(function handleError(err, _req, res, _next) {
    res.status(500).json(err.message);
  });
  return app;
}

const PATHS = [
  '/users/7?q=1',
  '/page',
  '/or/that',
  '/pattern7',
  '/api/things/1',
  '/api/deep/2/end',
  '/mounted/inside/3',
  '/throws',
  ...(isExpress4 ? [] : ['/rejects']),
  '/nothing',
];
const ERRORS = isExpress4 ? 1 : 2;
const ANSWERED = [200, 200, 200, 200, 200, 200, 200, 500, 500, 404];
const ANSWERED4 = [200, 200, 200, 200, 200, 200, 200, 500, 404];

async function visit(get) {
  for (const path of PATHS) await get(path);
}

let agent;
let collected;

const AGENTS = {
  'dd-trace': {
    node: 24,
    shows: 'names requests by their route, with a span for each middleware',
    // The agent stores the route on the request that the server emits. With node:http2 the application receives
    // another object, so the case uses nozomi/http2.
    ownServer: true,
    app({ made }) {
      Object.assign(process.env, {
        DD_INSTRUMENTATION_TELEMETRY_ENABLED: 'false',
        DD_REMOTE_CONFIGURATION_ENABLED: 'false',
        DD_TRACE_STARTUP_LOGS: 'false',
      });
      agent = require('dd-trace').init({ url: 'http://127.0.0.1:9', plugins: true });
      collected = [];
      agent._tracer._exporter.export = (spans) => collected.push(spans);
      return made();
    },
    async play({ get, until, note }) {
      await visit(get);
      const served = () => collected.flat().filter(({ meta }) => meta['span.kind'] === 'server');
      await until(() => served().length === PATHS.length);
      const traces = served().map((root) => collected.flat().filter(isOf(root)).map(describe));
      note('traces', traces);

      function isOf(root) {
        return ({ trace_id, meta }) =>
          String(trace_id) === String(root.trace_id) && /express|router/.test(meta.component);
      }
      function describe({ name, resource, error, meta }) {
        return [
          name,
          resource,
          error,
          meta.component,
          meta['http.route'] ?? null,
          meta['error.message'] ?? null,
        ];
      }
    },
    statuses: ANSWERED,
    statuses4: ANSWERED4,
  },
  newrelic: {
    node: 24,
    shows: 'names transactions by their route, with a segment for each router, middleware and view',
    app({ log, made }) {
      Object.assign(process.env, {
        NEW_RELIC_APP_NAME: 'ecosystem',
        NEW_RELIC_LICENSE_KEY: '0'.repeat(40),
        NEW_RELIC_HOST: '127.0.0.1',
        NEW_RELIC_LOG_ENABLED: 'false',
        NEW_RELIC_NO_CONFIG_FILE: 'true',
      });
      agent = require('newrelic').agent;
      agent.setState('started');
      agent.on('transactionFinished', ({ name, statusCode, exceptions, trace }) => {
        const segments = ({ id, name: segment }) => [segment, trace.getChildren(id).map(segments)];
        log.push([name, statusCode, exceptions.length, segments(trace.root)]);
      });
      return made();
    },
    async play({ get, until, log }) {
      await visit(get);
      await until(() => log.length === PATHS.length);
    },
    statuses: ANSWERED,
    statuses4: ANSWERED4,
  },
  'elastic-apm-node': {
    shows: 'sends transactions named by their route, and errors',
    async app({ log, made }) {
      const server = createServer((req, res) => {
        const body = req.headers['content-encoding'] === 'gzip' ? req.pipe(createGunzip()) : req;
        body.toArray().then((chunks) => {
          for (const line of Buffer.concat(chunks).toString().split('\n').filter(Boolean)) {
            const { metadata, transaction, error } = JSON.parse(line);
            if (metadata) log.push(['framework', metadata.service.framework.name]);
            if (transaction) log.push([transaction.name, transaction.result, transaction.outcome]);
            if (error) log.push([error.exception.message, error.exception.handled]);
          }
          res.writeHead(202).end();
        });
      });
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      agent = require('elastic-apm-node').start({
        serviceName: 'ecosystem',
        serverUrl: `http://127.0.0.1:${server.address().port}`,
        apiRequestTime: '1h',
        centralConfig: false,
        cloudProvider: 'none',
        logLevel: 'off',
        metricsInterval: '0s',
      });
      return made();
    },
    async play({ get, until, log }) {
      await visit(get);
      await agent.flush();
      await until(() => log.length >= 1 + PATHS.length + ERRORS);
      log.sort();
    },
    statuses: ANSWERED,
    statuses4: ANSWERED4,
  },
};

for (const [name, { node, ...one }] of Object.entries(AGENTS)) {
  module.exports[name] = { ...one, node, app: (context) => one.app({ ...context, made: monitored }) };
  module.exports[`${name} on Node.js 22`] = {
    ...one,
    node: 22,
    shows: `${one.shows}, with the server of node:http`,
    app: (context) => one.app({ ...context, made: () => createServer(monitored()) }),
  };
}
