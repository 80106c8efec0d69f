// Packages that protect an application with headers, tokens and limits.
const hello = (_req, res) => res.send('hello');
const SID = /(?<==)s%3A[\w%.-]+/g;

module.exports = {
  helmet: {
    shows: 'sets its headers, removes X-Powered-By, adds a nonce to the policy',
    app() {
      const helmet = require('helmet');
      const app = require('express')();
      app.use((_req, res, next) => {
        res.locals.nonce = 'n0nce';
        next();
      });
      app.use(
        helmet({
          contentSecurityPolicy: {
            directives: { scriptSrc: ["'self'", (_req, res) => `'nonce-${res.locals.nonce}'`] },
          },
          frameguard: { action: 'deny' },
        }),
      );
      app.get('/', hello);
      return app;
    },
    async play({ get }) {
      await get('/');
      await get('/missing');
    },
    statuses: [200, 404],
  },
  cors: {
    shows: 'responds to preflight requests, allows origins from a list, for all routes and for one',
    app() {
      const cors = require('cors');
      const app = require('express')();
      const choose = (req, done) =>
        done(null, {
          origin: req.get('Origin') === 'http://a.test',
          credentials: true,
          exposedHeaders: ['X-A'],
          maxAge: 60,
        });
      app.options('/one', cors(choose));
      app.put('/one', cors(choose), hello);
      app.use('/all', cors(), hello);
      app.get('/one', hello);
      return app;
    },
    async play({ get, request }) {
      const headers = {
        Origin: 'http://a.test',
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'x-b',
      };
      await request('OPTIONS', '/one', { headers });
      await request('PUT', '/one', { headers });
      await request('PUT', '/one', { headers: { Origin: 'http://b.test' } });
      await request('OPTIONS', '/all', { headers });
      await get('/all', { headers });
      await get('/one', { headers });
    },
    statuses: [204, 200, 200, 204, 200, 200],
  },
  'csrf-csrf': {
    shows: 'refuses a form without its token, accepts it with the token',
    uses: ['cookie-parser', 'express-session'],
    app() {
      const app = require('express')();
      const { doubleCsrf } = require('csrf-csrf');
      const { generateCsrfToken, doubleCsrfProtection } = doubleCsrf({
        getSecret: () => 'secret',
        getSessionIdentifier: () => 'one',
        cookieName: 'csrf',
        cookieOptions: { secure: false },
      });
      app.use(require('cookie-parser')('secret'));
      app.get('/', (req, res) => res.json({ token: generateCsrfToken(req, res) }));
      app.use(doubleCsrfProtection);
      app.post('/', hello);
      return app;
    },
    async play({ get, post }) {
      await post('/');
      const { token } = JSON.parse((await get('/')).body);
      await post('/', { headers: { 'x-csrf-token': token } });
    },
    statuses: [403, 200, 200],
    mask: [/[0-9a-f]{64}(\.|%2E)[0-9a-f]+/gi],
  },
  'csrf-sync': {
    shows: 'stores the token in the session',
    uses: ['express-session'],
    app() {
      const app = require('express')();
      const { generateToken, csrfSynchronisedProtection } = require('csrf-sync').csrfSync();
      app.use(require('express-session')({ secret: 'cat', resave: false, saveUninitialized: true }));
      app.get('/', (req, res) => res.json({ token: generateToken(req) }));
      app.post('/', csrfSynchronisedProtection, hello);
      return app;
    },
    async play({ get, post }) {
      const { token } = JSON.parse((await get('/')).body);
      await post('/');
      await post('/', { headers: { 'x-csrf-token': token } });
    },
    statuses: [200, 403, 200],
    mask: [SID, /[0-9a-f]{64,}/g],
  },
  csurf: {
    shows: 'stores the secret in a cookie, reads the token from the body',
    uses: ['cookie-parser'],
    app() {
      const express = require('express');
      const app = express();
      app.use(require('cookie-parser')(), express.urlencoded(), require('csurf')({ cookie: true }));
      app.get('/', (req, res) => res.json({ token: req.csrfToken() }));
      app.post('/', hello);
      app.use((err, _req, res, next) =>
        err.code === 'EBADCSRFTOKEN' ? res.status(403).send('form tampered with') : next(err),
      );
      return app;
    },
    async play({ get, post }) {
      const { token } = JSON.parse((await get('/')).body);
      await post('/', { form: { _csrf: 'wrong' } });
      await post('/', { form: { _csrf: token } });
    },
    statuses: [200, 403, 200],
    mask: [/(?<=_csrf=)[\w-]+/g, /(?<="token":")[\w-]+/g],
  },
  lusca: {
    shows: 'csrf with a session, csp, xframe, hsts, nosniff',
    uses: ['express-session'],
    app() {
      const express = require('express');
      const app = express();
      app.use(
        require('express-session')({ secret: 'abc', resave: true, saveUninitialized: true }),
        express.urlencoded(),
      );
      app.use(
        require('lusca')({
          csrf: true,
          csp: { policy: { 'default-src': "'self'" } },
          xframe: 'SAMEORIGIN',
          p3p: 'ABCDEF',
          hsts: { maxAge: 1 },
          xssProtection: true,
          nosniff: true,
          referrerPolicy: 'same-origin',
        }),
      );
      app.get('/', (_req, res) => res.json({ token: res.locals._csrf }));
      app.post('/', hello);
      return app;
    },
    async play({ get, post }) {
      const { token } = JSON.parse((await get('/')).body);
      await post('/', { form: {} });
      await post('/', { form: { _csrf: token } });
    },
    statuses: [200, 403, 200],
    mask: [SID, /(?<="token":")[^"]+/g],
  },
  hpp: {
    shows: 'removes repeated names from the body; the query of Express 5 is a getter',
    app() {
      const express = require('express');
      const app = express();
      app.use(express.urlencoded({ extended: true }), require('hpp')({ whitelist: ['ok'] }));
      app.use((req, res) =>
        res.json([req.query, req.queryPolluted ?? null, req.body ?? null, req.bodyPolluted ?? null]),
      );
      return app;
    },
    async play({ get, post }) {
      await post('/?a=1&a=2&ok=1&ok=2', {
        body: 'b=1&b=2',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      });
      await get('/?a=1&a=2');
    },
    statuses: [200, 200],
  },
  'express-mongo-sanitize': {
    shows: 'writes to req.query',
    breaks: 'req.query has no setter since Express 5',
    app() {
      const express = require('express');
      const app = express();
      app.use(express.json(), require('express-mongo-sanitize')());
      app.use((req, res) => res.json([req.query, req.body ?? null]));
      return app;
    },
    async play({ post }) {
      await post('/?a[$gt]=1', { json: { $where: 1, b: 2 } });
    },
    statuses: [500],
  },
  'xss-clean': {
    shows: 'writes to req.query',
    breaks: 'req.query has no setter since Express 5',
    app() {
      const app = require('express')();
      app.use(require('xss-clean')(), (req, res) => res.json(req.query));
      return app;
    },
    async play({ get }) {
      await get('/?a=<script>');
    },
    statuses: [500],
  },
  nocache: {
    shows: 'sends headers that forbid caching',
    app() {
      const app = require('express')();
      app.use(require('nocache')());
      return app.get('/', hello);
    },
    async play({ get }) {
      await get('/');
    },
    statuses: [200],
  },
  'express-sslify': {
    shows: 'redirects HTTP requests to HTTPS behind a trusted proxy',
    app() {
      const app = require('express')();
      app.use(require('express-sslify').HTTPS({ trustProtoHeader: true }));
      return app.get('/a', hello);
    },
    async play({ get, post }) {
      await get('/a?b=c');
      await get('/a', { headers: { 'X-Forwarded-Proto': 'https' } });
      await post('/a');
    },
    statuses: [301, 200, 403],
  },
  'express-rate-limit': {
    shows: 'limits requests by address and by route, with standard and legacy headers',
    app() {
      const { rateLimit, ipKeyGenerator } = require('express-rate-limit');
      const app = require('express')();
      app.set('trust proxy', 1);
      app.use(
        '/a',
        rateLimit({ windowMs: 60_000, limit: 2, standardHeaders: 'draft-8', legacyHeaders: true }),
        hello,
      );
      app.use(
        '/b',
        rateLimit({
          windowMs: 60_000,
          limit: 1,
          keyGenerator: (req) => ipKeyGenerator(req.ip) + req.path,
          handler: (req, res, _next, options) => res.status(options.statusCode).json(req.rateLimit.used),
        }),
        hello,
      );
      return app;
    },
    async play({ get }) {
      for (const ip of ['1.1.1.1', '1.1.1.1', '1.1.1.1', '2.2.2.2'])
        await get('/a', { headers: { 'X-Forwarded-For': ip } });
      for (const path of ['/b/x', '/b/x', '/b/y']) await get(path);
    },
    statuses: [200, 200, 429, 200, 200, 429, 200],
    mask: [/(?<=t=)\d+/g, /^\d{10}$/g, /^(59|60)$/g],
  },
  'rate-limiter-flexible': {
    shows: 'limits requests by address',
    app() {
      const { RateLimiterMemory } = require('rate-limiter-flexible');
      const limiter = new RateLimiterMemory({ points: 2, duration: 60 });
      const app = require('express')();
      app.use((req, res, next) =>
        limiter.consume(req.ip).then(
          ({ remainingPoints }) => {
            res.set('X-Remaining', remainingPoints);
            next();
          },
          () => res.status(429).send('Too Many Requests'),
        ),
      );
      return app.get('/', hello);
    },
    async play({ get }) {
      for (let i = 0; i < 3; i++) await get('/');
    },
    statuses: [200, 200, 429],
  },
  'express-slow-down': {
    shows: 'delays requests that are too frequent',
    app() {
      const app = require('express')();
      app.use(
        require('express-slow-down').slowDown({
          windowMs: 60_000,
          delayAfter: 1,
          delayMs: (hits) => hits * 10,
        }),
      );
      return app.get('/', (req, res) => res.json([req.slowDown.used, req.slowDown.delay]));
    },
    async play({ get }) {
      for (let i = 0; i < 3; i++) await get('/');
    },
    statuses: [200, 200, 200],
  },
  'connect-timeout': {
    shows: 'sends 503 for a slow request',
    app() {
      const app = require('express')();
      app.use(require('connect-timeout')('20ms'));
      app.get('/fast', hello);
      app.get('/slow', () => {});
      app.use((err, req, res, _next) => res.status(err.status).json([err.code, err.timeout, req.timedout]));
      return app;
    },
    async play({ get }) {
      await get('/fast');
      await get('/slow');
    },
    statuses: [200, 503],
  },
  'express-timeout-handler': {
    shows: 'sends a response for a handler that is too slow, and ignores its late response',
    app({ log }) {
      const app = require('express')();
      app.use(
        require('express-timeout-handler').handler({
          timeout: 20,
          onTimeout: (_req, res) => res.status(503).send('Service unavailable.'),
          onDelayedResponse: (_req, method) => log.push(`late ${method}`),
        }),
      );
      app.get('/', (_req, res) => setTimeout(() => res.send('late'), 60));
      return app;
    },
    async play({ get, until, log }) {
      await get('/');
      await until(() => log.length === 1);
    },
    statuses: [503],
  },
};
