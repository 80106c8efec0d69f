// Packages that trace requests or report errors, most of them with hooks on `require('express')`.

const isExpress4 = require('express/package.json').version.startsWith('4.');

/** @returns An application with routers, params, middleware, rejections and error handlers. */
function traced(beforeErrors = () => {}) {
  const express = require('express');
  const app = express();
  const router = express.Router();
  const inner = express.Router({ mergeParams: true });
  app.use(function first(_req, _res, next) {
    next();
  });
  app.use(express.json());
  app.get('/', (_req, res) => res.send('home'));
  app.get(['/list/a', /^\/pattern\/(.*)$/], (_req, res) => res.send('one of two'));
  router.param('id', (_req, _res, next) => next());
  router.get('/:id', async function show(req, res) {
    await null;
    res.json(req.params);
  });
  router.post(
    '/:id',
    function check(_req, _res, next) {
      next();
    },
    (_req, res) => res.sendStatus(201),
  );
  router.get('/:id/fail', () => {
    throw new Error('failed');
  });
  // Express 4 ignores rejections.
  if (!isExpress4) {
    router.get('/:id/reject', async () => {
      throw new Error('rejected');
    });
  }
  inner
    .route('/deep')
    .get((req, res) => res.json(req.params))
    .put((_req, res) => res.end());
  router.use('/:id/inner', inner);
  app.use('/users', router);
  beforeErrors(app);
  app.use(function handleError(err, _req, res, next) {
    if (res.headersSent) return next(err);
    res.status(500).json(err.message);
  });
  return app;
}

async function walk({ get, post, request }) {
  for (const path of [
    '',
    'list/a',
    'pattern/b',
    'users/7?q=1',
    'users/7/fail',
    ...(isExpress4 ? [] : ['users/7/reject']),
    'users/7/inner/deep',
    'nothing',
    'users',
  ])
    await get(`/${path}`);
  await post('/users/7', { json: {} });
  await request('PUT', '/users/7/inner/deep');
}
const WALKED = [200, 200, 200, 200, 500, 500, 200, 404, 404, 201, 200];
const WALKED4 = [200, 200, 200, 200, 500, 200, 404, 404, 201, 200];

/** @returns The properties of a span to compare. Ids, times and ports differ in each run. */
const describe = ({ name, kind, attributes, status, events, instrumentationScope }) => ({
  scope: instrumentationScope.name,
  name,
  kind,
  status,
  attributes: Object.fromEntries(Object.entries(attributes).filter(([key]) => !key.endsWith('port'))),
  events: events.map((event) => [event.name, event.attributes?.['exception.message']]),
});

function trace(instrumentation) {
  const {
    InMemorySpanExporter,
    NodeTracerProvider,
    SimpleSpanProcessor,
  } = require('@opentelemetry/sdk-trace-node');
  const { registerInstrumentations } = require('@opentelemetry/instrumentation');
  const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  registerInstrumentations({
    instrumentations: [
      new HttpInstrumentation({ disableOutgoingRequestInstrumentation: true }),
      instrumentation,
    ],
  });
  return exporter;
}

/** Records all finished spans in the order in which they ended, with the names of their parents. */
function noteSpans(note, exporter) {
  const spans = exporter.getFinishedSpans();
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  note(
    'spans',
    spans.map((span) => ({ ...describe(span), parent: names.get(span.parentSpanContext?.spanId) ?? null })),
  );
}

let exporter;

async function playTraced(context) {
  await walk(context);
  await context.until(
    () =>
      exporter.getFinishedSpans().filter(({ kind }) => kind === 1).length ===
      (isExpress4 ? WALKED4 : WALKED).length,
  );
  noteSpans(context.note, exporter);
}

module.exports = {
  '@opentelemetry/instrumentation-express': {
    node: 24,
    shows: 'the spans of an application with routers, params, rejections and error handlers',
    uses: [
      '@opentelemetry/instrumentation-http',
      '@opentelemetry/instrumentation',
      '@opentelemetry/sdk-trace-node',
      '@opentelemetry/api',
    ],
    app() {
      const { ExpressInstrumentation } = require('@opentelemetry/instrumentation-express');
      exporter = trace(new ExpressInstrumentation());
      return traced();
    },
    play: playTraced,
    statuses: WALKED,
    statuses4: WALKED4,
  },
  '@opentelemetry/instrumentation-router': {
    node: 24,
    shows: 'the spans of the same application, seen from its router',
    uses: [
      '@opentelemetry/instrumentation-http',
      '@opentelemetry/instrumentation',
      '@opentelemetry/sdk-trace-node',
      '@opentelemetry/api',
    ],
    app() {
      const { RouterInstrumentation } = require('@opentelemetry/instrumentation-router');
      exporter = trace(new RouterInstrumentation());
      return traced();
    },
    play: playTraced,
    statuses: WALKED,
    statuses4: WALKED4,
  },
  '@opentelemetry/instrumentation-express with options': {
    node: 24,
    shows: 'supports ignored layers, a request hook, custom span names',
    uses: [
      '@opentelemetry/instrumentation-http',
      '@opentelemetry/instrumentation',
      '@opentelemetry/sdk-trace-node',
      '@opentelemetry/api',
    ],
    app() {
      const { ExpressInstrumentation } = require('@opentelemetry/instrumentation-express');
      const options = {
        ignoreLayers: [/^middleware - json/, '/users'],
        ignoreLayersType: ['router'],
        requestHook: (span, info) =>
          span.setAttribute('hooked', `${info.layerType} ${info.route} ${info.request.baseUrl}`),
        spanNameHook: (info, name) => `${info.layerType}: ${name}`,
      };
      exporter = trace(new ExpressInstrumentation(options));
      return traced();
    },
    play: playTraced,
    statuses: WALKED,
    statuses4: WALKED4,
  },
  '@sentry/node': {
    shows: 'spans and errors that reach its transport, named by their route',
    app({ log }) {
      const sentry = require('@sentry/node');
      const keep = ([, items]) => {
        for (const [{ type }, content] of items) {
          if (type === 'event') log.push(describeEvent(content));
          if (type === 'span') log.push(...content.items.map(describeSpan));
        }
        return Promise.resolve({ statusCode: 200 });
      };
      const describeEvent = ({ transaction, exception, request }) => [
        'event',
        transaction ?? null,
        exception?.values.map(({ type: name, value, mechanism }) => [name, value, mechanism]) ?? null,
        request?.method ?? null,
      ];
      const describeSpan = ({ name, status, is_segment: isSegment, attributes }) => [
        'span',
        name,
        status,
        isSegment,
        ...['op', 'origin', 'segment.name'].map((key) => attributes[`sentry.${key}`]?.value ?? null),
        ...['express.type', 'http.route'].map((key) => attributes[key]?.value ?? null),
      ];
      sentry.init({
        dsn: 'https://key@127.0.0.1/1',
        tracesSampleRate: 1,
        transport: () => ({ send: keep, flush: async () => true }),
      });
      return traced((app) => sentry.setupExpressErrorHandler(app));
    },
    async play(context) {
      await walk(context);
      await require('@sentry/node').flush(2000);
      context.log.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    },
    statuses: WALKED,
    statuses4: WALKED4,
  },
  '@bugsnag/plugin-express': {
    shows: 'sends reports that contain the request',
    uses: ['@bugsnag/js'],
    app({ log }) {
      const bugsnag = require('@bugsnag/js');
      bugsnag.start({
        apiKey: '0'.repeat(32),
        autoTrackSessions: false,
        logger: null,
        plugins: [require('@bugsnag/plugin-express')],
        onError: (event) => {
          log.push([
            event.errors[0].errorMessage,
            event.severity,
            event.unhandled,
            event.request.httpMethod,
            event.request.url,
            event.request.params ?? null,
            event.request.query ?? null,
          ]);
          return false;
        },
      });
      const { requestHandler, errorHandler } = bugsnag.getPlugin('express');
      const express = require('express');
      const app = express();
      app.use(requestHandler);
      app.get('/fail/:id', () => {
        throw new Error('boom');
      });
      app.get('/note', (req, res) => {
        req.bugsnag.notify(new Error('by hand'));
        res.end();
      });
      app.use(errorHandler);
      return app;
    },
    async play({ get, until, log }) {
      await get('/fail/7?a=1');
      await get('/note');
      await until(() => log.length === 2);
    },
    statuses: [500, 200],
  },
};
