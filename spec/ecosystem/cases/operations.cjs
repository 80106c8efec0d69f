// Packages for logs, request contexts, client detection, metrics, health checks and graceful shutdown.
const { Writable } = require('node:stream');
const hello = (_req, res) => res.send('hello');
const boom = () => {
  throw new Error('boom');
};

/** @returns A stream that adds each line to `log`. */
function linesTo(log) {
  return new Writable({
    write(chunk, _encoding, done) {
      log.push(...String(chunk).split('\n').filter(Boolean));
      done();
    },
  });
}

module.exports = {
  morgan: {
    shows: 'writes predefined and custom formats, skips lines, logs a handler that fails',
    app({ log }) {
      const morgan = require('morgan');
      const stream = linesTo(log);
      morgan.token('id', (req) => req.get('X-Id'));
      const app = require('express')();
      app.use(
        morgan('common', { stream }),
        morgan(':id :method :url :status :res[content-length] :referrer', {
          stream,
          skip: (_req, res) => res.statusCode === 404,
        }),
      );
      return app.get('/', hello).get('/boom', boom);
    },
    async play({ get }) {
      await get('/?a=1', { headers: { 'X-Id': '7', Referer: 'http://a.test' } });
      await get('/missing');
      await get('/boom');
    },
    statuses: [200, 404, 500],
    mask: [/\d\d\/\w+\/\d{4}[^\]]+/g, /(?<= 500 )\d+/g],
  },
  'morgan-body': {
    shows: 'logs bodies of requests and responses by overriding res.send',
    app({ log }) {
      const express = require('express');
      const app = express();
      const stream = linesTo(log);
      app.use(express.json());
      require('morgan-body')(app, {
        stream,
        noColors: true,
        logReqDateTime: false,
        logReqUserAgent: false,
        prettify: false,
        includeFinalNewLine: false,
      });
      return app.post('/', (req, res) => res.json(req.body));
    },
    async play({ post }) {
      await post('/', { json: { a: 1 } });
    },
    statuses: [200],
    mask: [/[\d.]+ ms/g],
  },
  'express-winston': {
    shows: 'logs requests and errors with meta data',
    uses: ['winston'],
    app({ log }) {
      const winston = require('winston');
      const expressWinston = require('express-winston');
      const stream = linesTo(log);
      const transports = [new winston.transports.Stream({ stream })];
      const app = require('express')();
      const format = winston.format.json();
      expressWinston.responseWhitelist.push('body');
      app.use(
        expressWinston.logger({
          transports,
          format,
          expressFormat: true,
          dynamicMeta: (req) => ({ path: req.route?.path ?? null }),
        }),
      );
      app.get('/boom/:id', boom).get('/', hello);
      app.use(
        expressWinston.errorLogger({
          transports,
          format,
          dynamicMeta: (req) => ({ path: req.route?.path ?? null }),
          blacklistedMetaFields: ['process', 'os', 'trace', 'date', 'stack', 'error'],
        }),
      );
      return app;
    },
    async play({ get }) {
      await get('/');
      await get('/boom/1');
    },
    statuses: [200, 500],
    mask: [/(?<="responseTime":)\d+|\d+ms/g, /"(stack|trace|date|process|os)":.*/g, /\\u001b\[\d+m/g],
  },
  'pino-http': {
    shows: 'logs each request with its route, sets req.log',
    uses: ['pino'],
    app({ log }) {
      const stream = linesTo(log);
      const app = require('express')();
      app.use(require('pino-http')({ genReqId: () => 'id' }, stream));
      app.get('/user/:id', (req, res) => {
        req.log.info('inside');
        res.send('hello');
      });
      return app.get('/boom', boom);
    },
    async play({ get, until, log }) {
      await get('/user/7?q=1');
      await get('/boom');
      await until(() => log.length >= 3);
    },
    statuses: [200, 500],
    mask: [
      /"(time|pid|responseTime|remotePort|hostname|stack)":("[^"]*"|[\d.]+)/g,
      /"content-length":"?\d+"?/g,
    ],
  },
  log4js: {
    shows: 'logs through its connect logger by level and format',
    app({ log }) {
      const log4js = require('log4js');
      log4js.configure({
        appenders: {
          list: { type: { configure: () => (event) => log.push(`${event.level} ${event.data.join(' ')}`) } },
        },
        categories: { default: { appenders: ['list'], level: 'info' } },
      });
      const app = require('express')();
      app.use(
        log4js.connectLogger(log4js.getLogger('http'), {
          level: 'auto',
          format: ':method :url :status :content-length',
        }),
      );
      return app.get('/', hello);
    },
    async play({ get, until, log }) {
      await get('/');
      await get('/missing');
      await until(() => log.length >= 2);
    },
    statuses: [200, 404],
  },
  'express-requests-logger': {
    shows: 'logs requests with masked bodies',
    app({ log }) {
      const express = require('express');
      const logger = Object.fromEntries(
        ['info', 'warn', 'error', 'debug'].map((level) => [
          level,
          (...data) => log.push(JSON.stringify([level, ...data])),
        ]),
      );
      const app = express();
      app.use(
        express.json(),
        require('express-requests-logger')({
          logger,
          doubleAudit: true,
          request: { maskBody: ['password'] },
        }),
      );
      return app.post('/:id', (req, res) => res.status(201).json(req.body));
    },
    async play({ post, until, log }) {
      await post('/7?a=1', { json: { name: 'ann', password: 'secret' } });
      await until(() => log.length >= 2);
    },
    statuses: [201],
    mask: [/"(\w*timestamp\w*|millis-timestamp|elapsed)":("[^"]*"|[\d.]+)/g],
  },
  'response-time': {
    shows: 'reports the time in a header, or to a function',
    app({ note }) {
      const time = require('response-time');
      const app = require('express')();
      app.use(
        time({ digits: 0 }),
        time((req, res, ms) => note('timed', [req.url, res.statusCode, typeof ms])),
      );
      return app.get('/', hello);
    },
    async play({ get }) {
      await get('/');
    },
    statuses: [200],
    mask: [/^\d+ms$/g],
  },
  'express-http-context': {
    shows: 'keeps values across promises and timers',
    app() {
      const context = require('express-http-context');
      const app = require('express')();
      app.use(context.middleware, (req, _res, next) => {
        context.set('id', req.query.id);
        setTimeout(next, 5);
      });
      return app.get('/', async (_req, res) => {
        await null;
        res.json(context.get('id') ?? null);
      });
    },
    async play({ get }) {
      await Promise.all([get('/?id=1'), get('/?id=1')]);
    },
    statuses: [200, 200],
  },
  'cls-rtracer': {
    shows: 'gives every request an id that is available in all callbacks',
    app() {
      const tracer = require('cls-rtracer');
      const app = require('express')();
      app.use(tracer.expressMiddleware({ useHeader: true, headerName: 'X-Id', echoHeader: true }));
      return app.get('/', (_req, res) => setTimeout(() => res.json(tracer.id()), 1));
    },
    async play({ get }) {
      await get('/', { headers: { 'X-Id': 'mine' } });
      await get('/');
    },
    statuses: [200, 200],
    mask: [/[\da-f]{8}-[\da-f-]{27}/g],
  },
  'cls-hooked': {
    shows: 'binds the event emitters of a request to a namespace',
    app() {
      const space = require('cls-hooked').createNamespace('app');
      const app = require('express')();
      app.use((req, res, next) => {
        space.bindEmitter(req);
        space.bindEmitter(res);
        space.run(() => {
          space.set('url', req.url);
          next();
        });
      });
      return app.get('/:id', async (_req, res) => {
        await new Promise(setImmediate);
        res.send(space.get('url'));
      });
    },
    async play({ get }) {
      await get('/7');
    },
    statuses: [200],
  },
  'express-request-id': {
    shows: 'reads or creates a request id',
    async app() {
      const { default: requestId } = await import('express-request-id');
      const app = require('express')();
      app.use(requestId());
      return app.get('/', (req, res) => res.send(req.id));
    },
    async play({ get }) {
      await get('/', { headers: { 'X-Request-Id': 'mine' } });
      await get('/');
    },
    statuses: [200, 200],
    mask: [/[\da-f]{8}-[\da-f-]{27}/g],
  },
  'request-ip': {
    shows: 'finds the address of the client behind proxies',
    app() {
      const app = require('express')();
      app.use(require('request-ip').mw());
      return app.get('/', (req, res) => res.send(req.clientIp));
    },
    async play({ get }) {
      await get('/');
      await get('/', { headers: { 'X-Forwarded-For': '1.2.3.4, 10.0.0.1' } });
    },
    statuses: [200, 200],
  },
  'express-useragent': {
    shows: 'detects browsers, also in res.locals',
    app() {
      const app = require('express')();
      app.use(require('express-useragent').express());
      return app.get('/', (req, res) =>
        res.json([req.useragent.browser, req.useragent.os, res.locals.useragent?.isMobile]),
      );
    },
    async play({ get }) {
      await get('/', {
        headers: {
          'User-Agent':
            'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
        },
      });
    },
    statuses: [200],
  },
  'express-device': {
    shows: 'detects devices, adds helpers for views',
    app() {
      const device = require('express-device');
      const app = require('express')();
      app.use(device.capture());
      device.enableDeviceHelpers(app);
      return app.get('/', (req, res) => res.json([req.device, res.locals.is_phone ?? null]));
    },
    async play({ get }) {
      await get('/', {
        headers: {
          'User-Agent':
            'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
        },
      });
    },
    statuses: [200],
  },
  'express-prom-bundle': {
    shows: 'counts requests by method, status and route',
    uses: ['prom-client'],
    app() {
      const app = require('express')();
      app.use(
        require('express-prom-bundle')({
          includeMethod: true,
          includePath: true,
          buckets: [10],
          autoregister: true,
        }),
      );
      const router = require('express').Router();
      app.use('/api', router.get('/user/:id', hello));
      return app;
    },
    async play({ get }) {
      await get('/api/user/7');
      await get('/api/user/7');
      await get('/metrics');
    },
    statuses: [200, 200, 200],
    mask: [/(?<=_sum\{.*\} )[\d.e-]+/g],
  },
  'prom-client': {
    shows: 'counts by route pattern when a response is finished',
    app() {
      const { Counter, Registry } = require('prom-client');
      const registry = new Registry();
      const counter = new Counter({
        name: 'http_total',
        help: 'h',
        labelNames: ['route', 'status'],
        registers: [registry],
      });
      const express = require('express');
      const app = express();
      app.use((req, res, next) => {
        res.on('finish', () =>
          counter.inc({ route: req.baseUrl + (req.route?.path ?? ''), status: res.statusCode }),
        );
        next();
      });
      app.use('/shop', express.Router().get('/:item{/:size}', hello));
      return app.get('/metrics', async (_req, res) =>
        res.type(registry.contentType).send(await registry.metrics()),
      );
    },
    async play({ get }) {
      for (const path of ['/shop/a', '/shop/a/b', '/none', '/metrics']) await get(path);
    },
    statuses: [200, 200, 404, 200],
  },
  'swagger-stats': {
    shows: 'keeps statistics by API operation',
    app() {
      const stats = require('swagger-stats');
      const app = require('express')();
      app.use(
        stats.getMiddleware({
          swaggerSpec: { swagger: '2.0', basePath: '/', paths: { '/pets/{id}': { get: { responses: {} } } } },
        }),
      );
      return app.get('/pets/:id', hello);
    },
    async play({ get, note }) {
      await get('/pets/7');
      await get('/missing');
      const { apistats } = JSON.parse((await get('/swagger-stats/stats?fields=apistats')).body);
      note(
        'operations',
        Object.keys(apistats).map((path) => [
          path,
          Object.values(apistats[path]).map(({ requests, responses, errors }) => [
            requests,
            responses,
            errors,
          ]),
        ]),
      );
    },
    statuses: [200, 404, 200],
    mask: [/^\{"startts".*/g],
  },
  'express-status-monitor': {
    shows: 'serves its page, counts responses by status',
    app() {
      const app = require('express')();
      app.use(require('express-status-monitor')({ path: '/status', healthChecks: [] }));
      return app.get('/', hello);
    },
    async play({ get }) {
      await get('/');
      await get('/status');
    },
    statuses: [200, 200],
    mask: [/port: \S+/g],
  },
  'express-actuator': {
    shows: 'serves health and info below a path',
    app() {
      const express = require('express');
      const app = express();
      app.use(require('express-actuator')({ basePath: '/manage', infoGitMode: 'simple' }));
      return app;
    },
    async play({ get }) {
      for (const page of ['health', 'info']) await get(`/manage/${page}`);
    },
    statuses: [200, 200],
  },
  'express-healthcheck': {
    shows: 'responds to a health probe',
    app() {
      return require('express')().use(
        '/health',
        require('express-healthcheck')({ healthy: () => ({ everything: 'is ok' }) }),
      );
    },
    async play({ get }) {
      await get('/health');
    },
    statuses: [200],
  },
  '@godaddy/terminus': {
    shows: 'adds health checks to the server of an application',
    app() {
      const app = require('express')().get('/', hello);
      const server = require('node:http').createServer(app);
      require('@godaddy/terminus').createTerminus(server, {
        healthChecks: {
          '/health': async () => 'fine',
          '/bad': async () => {
            throw new Error('bad');
          },
        },
        logger() {},
      });
      return server;
    },
    async play({ get }) {
      for (const path of ['/', '/health', '/bad']) await get(path);
    },
    statuses: [200, 200, 503],
  },
  'http-terminator': {
    shows: 'waits for running requests, closes idle connections',
    app({ log }) {
      return require('express')().get('/slow', (_req, res) => {
        log.push('running');
        setTimeout(() => res.send('done'), 60);
      });
    },
    async play({ get, server, note, until, log }) {
      const terminator = require('http-terminator').createHttpTerminator({
        server,
        gracefulTerminationTimeout: 1000,
      });
      const running = get('/slow');
      await until(() => log.length === 1);
      await Promise.all([terminator.terminate(), running]);
      note('listening', server.listening);
    },
    statuses: [200],
  },
  'http-graceful-shutdown': {
    shows: 'ends the server after the running request',
    app({ log }) {
      return require('express')().get('/slow', (_req, res) => {
        log.push('running');
        setTimeout(() => res.send('done'), 60);
      });
    },
    async play({ get, server, note, until, log }) {
      const shutdown = require('http-graceful-shutdown')(server, {
        forceExit: false,
        timeout: 1000,
        finally: () => note('finally', true),
      });
      const running = get('/slow');
      await until(() => log.length === 1);
      await Promise.all([shutdown(), running]);
      note('listening', server.listening);
    },
    statuses: [200],
  },
  stoppable: {
    shows: 'stops a listening application',
    app() {
      return require('stoppable')(
        require('node:http').createServer(require('express')().get('/', hello)),
        100,
      );
    },
    async play({ get, server, note }) {
      await get('/');
      note('graceful', await new Promise((resolve) => server.stop((_err, graceful) => resolve(graceful))));
    },
    statuses: [200],
  },
};
