// Packages for authentication and authorization.
const users = { ann: 'secret' };
const basic = (name, password) => ({
  headers: { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` },
});
const bearer = (token) => ({ headers: { Authorization: `Bearer ${token}` } });
const SID = /(?<==)s%3A[\w%.-]+/g;

module.exports = {
  passport: {
    shows: 'logs in with a form and a session, protects a page, logs out',
    uses: ['passport-local', 'express-session', 'connect-ensure-login'],
    app() {
      const express = require('express');
      const passport = require('passport');
      const { Strategy } = require('passport-local');
      passport.use(
        new Strategy((name, password, done) =>
          done(null, users[name] === password ? { name } : false, { message: 'no' }),
        ),
      );
      passport.serializeUser((user, done) => done(null, user.name));
      passport.deserializeUser((name, done) => done(null, { name }));
      const app = express();
      app.use(
        require('express-session')({ secret: 'cat', resave: false, saveUninitialized: false }),
        passport.authenticate('session'),
      );
      app.post(
        '/login',
        express.urlencoded(),
        passport.authenticate('local', {
          successReturnToOrRedirect: '/',
          failureRedirect: '/login',
          failureMessage: true,
        }),
      );
      app.get('/login', (req, res) => res.json(req.session.messages ?? []));
      app.get('/', require('connect-ensure-login').ensureLoggedIn(), (req, res) => res.json(req.user));
      app.post('/logout', (req, res, next) => req.logout((err) => (err ? next(err) : res.redirect('/'))));
      return app;
    },
    async play({ get, post }) {
      await get('/');
      await post('/login', { form: { username: 'ann', password: 'wrong' } });
      await get('/login');
      await post('/login', { form: { username: 'ann', password: 'secret' } });
      await get('/');
      await post('/logout');
      await get('/');
    },
    statuses: [302, 302, 200, 302, 200, 302, 302],
    mask: [SID],
  },
  'passport-http': {
    shows: 'accepts Basic credentials, sends a challenge without them',
    uses: ['passport'],
    app() {
      const passport = require('passport');
      const { BasicStrategy } = require('passport-http');
      passport.use(
        new BasicStrategy((name, password, done) => done(null, users[name] === password && { name })),
      );
      const app = require('express')();
      app.get('/', passport.authenticate('basic', { session: false }), (req, res) => res.json(req.user));
      return app;
    },
    async play({ get }) {
      await get('/');
      await get('/', basic('ann', 'wrong'));
      await get('/', basic('ann', 'secret'));
    },
    statuses: [401, 401, 200],
  },
  'passport-http-bearer': {
    shows: 'reads a token from the header, the query or the body',
    uses: ['passport'],
    app() {
      const express = require('express');
      const passport = require('passport');
      const { Strategy } = require('passport-http-bearer');
      passport.use(
        new Strategy((token, done) => done(null, token === 't0ken' && { name: 'ann' }, { scope: 'all' })),
      );
      const app = express();
      app.all('/', express.urlencoded(), passport.authenticate('bearer', { session: false }), (req, res) =>
        res.json([req.user, req.authInfo]),
      );
      return app;
    },
    async play({ get, post }) {
      await get('/', bearer('t0ken'));
      await get('/?access_token=t0ken');
      await post('/', { form: { access_token: 't0ken' } });
      await get('/?access_token=other');
    },
    statuses: [200, 200, 200, 401],
  },
  'passport-jwt': {
    shows: 'reads a signed token from the Authorization header',
    uses: ['passport', 'jsonwebtoken'],
    app() {
      const passport = require('passport');
      const { Strategy, ExtractJwt } = require('passport-jwt');
      passport.use(
        new Strategy(
          { jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(), secretOrKey: 'shh' },
          (payload, done) => done(null, payload),
        ),
      );
      const app = require('express')();
      app.use(passport.initialize());
      app.get('/', passport.authenticate('jwt', { session: false }), (req, res) => res.json(req.user));
      return app;
    },
    async play({ get }) {
      const jwt = require('jsonwebtoken');
      await get('/');
      await get('/', bearer(jwt.sign({ sub: 'ann', iat: 1 }, 'shh')));
      await get('/', bearer(jwt.sign({ sub: 'ann', iat: 1 }, 'other')));
    },
    statuses: [401, 200, 401],
  },
  'express-jwt': {
    shows: 'protects all paths except a few, reports its own errors',
    uses: ['jsonwebtoken'],
    app() {
      const { expressjwt } = require('express-jwt');
      const app = require('express')();
      app.use(
        expressjwt({ secret: 'shh', algorithms: ['HS256'] }).unless({
          path: ['/open', { url: /^\/items\/\d+$/, methods: ['GET'] }],
        }),
      );
      app.use((req, res) => res.json(req.auth ?? null));
      app.use((err, _req, res, _next) => res.status(err.status).json([err.name, err.code, err.message]));
      return app;
    },
    async play({ get, post }) {
      await get('/open');
      await get('/items/7?x=1');
      await post('/items/7');
      await get('/', bearer(require('jsonwebtoken').sign({ sub: 'ann', iat: 1 }, 'shh')));
      await get('/', bearer('a.b.c'));
    },
    statuses: [200, 200, 401, 200, 401],
  },
  'express-jwt-permissions': {
    shows: 'checks the permissions in the token',
    app() {
      const guard = require('express-jwt-permissions')({ requestProperty: 'who' });
      const app = require('express')();
      app.use((req, _res, next) => {
        req.who = { permissions: 'user:read' };
        next();
      });
      app.get('/read', guard.check('user:read'), (_req, res) => res.send('ok'));
      app.get('/write', guard.check([['user:write'], ['admin']]), (_req, res) => res.send('ok'));
      app.use((err, _req, res, _next) => res.status(err.status).send(err.code));
      return app;
    },
    async play({ get }) {
      await get('/read');
      await get('/write');
    },
    statuses: [200, 403],
  },
  'express-basic-auth': {
    shows: 'sends a challenge with a realm, and sets the user on req.auth',
    app() {
      const app = require('express')();
      app.use(
        require('express-basic-auth')({
          users,
          challenge: true,
          realm: 'Imb4T3st4pp',
          unauthorizedResponse: (req) => ({ got: req.auth ?? null }),
        }),
      );
      app.get('/', (req, res) => res.json(req.auth));
      return app;
    },
    async play({ get }) {
      await get('/');
      await get('/', basic('ann', 'wrong'));
      await get('/', basic('ann', 'secret'));
    },
    statuses: [401, 401, 200],
  },
  'http-auth': {
    shows: 'sends a challenge through its connect middleware',
    uses: ['http-auth-connect'],
    app() {
      const gate = require('http-auth').basic({ realm: 'Simon Area' }, (name, password, done) =>
        done(users[name] === password),
      );
      const app = require('express')();
      app.use(require('http-auth-connect')(gate));
      app.get('/', (req, res) => res.send(`Hello ${req.user}`));
      return app;
    },
    async play({ get }) {
      await get('/');
      await get('/', basic('ann', 'secret'));
    },
    statuses: [401, 200],
  },
  '@node-oauth/express-oauth-server': {
    mask: [/(?<="expires_in":)\d+/g],
    shows: 'grants a token for client credentials, and protects a page with it',
    app() {
      const express = require('express');
      const OAuthServer = require('@node-oauth/express-oauth-server');
      const tokens = new Map();
      const model = {
        getClient: (id, secret) => secret === 'shh' && { id, grants: ['client_credentials'] },
        getUserFromClient: () => ({ name: 'ann' }),
        generateAccessToken: () => 't0ken',
        saveToken: (token, client, user) => {
          tokens.set(token.accessToken, { ...token, client, user });
          return tokens.get(token.accessToken);
        },
        getAccessToken: (token) => tokens.get(token),
      };
      const app = express();
      app.oauth = new OAuthServer({ model });
      app.use(express.urlencoded());
      app.post('/token', app.oauth.token());
      app.get('/', app.oauth.authenticate(), (_req, res) => res.json(res.locals.oauth.token.user));
      return app;
    },
    async play({ get, post }) {
      await get('/');
      await post('/token', {
        form: { grant_type: 'client_credentials', client_id: 'a', client_secret: 'no' },
      });
      await post('/token', {
        form: { grant_type: 'client_credentials', client_id: 'a', client_secret: 'shh' },
      });
      await get('/', bearer('t0ken'));
    },
    statuses: [401, 400, 200, 200],
  },
  'oidc-provider': {
    shows: 'mounts an OpenID provider below a path',
    async app() {
      const { default: Provider } = await import('oidc-provider');
      const oidc = new Provider('http://127.0.0.1/oidc', {
        clients: [{ client_id: 'foo', client_secret: 'bar', redirect_uris: ['http://127.0.0.1/cb'] }],
      });
      const app = require('express')();
      app.use('/oidc', oidc.callback());
      return app;
    },
    async play({ get }) {
      await get('/oidc/.well-known/openid-configuration');
      await get('/oidc/auth?client_id=nobody');
      await get('/oidc/me');
    },
    statuses: [200, 400, 401],
    mask: [/_state=\w+/g],
  },
};
