// Packages for sessions and cookies, and packages that use them.
const count = (req, res) => {
  req.session.views = (req.session.views ?? 0) + 1;
  res.json({ views: req.session.views, isNew: req.session.isNew });
};
const SID = /(?<==)s%3A[\w%.-]+/g;

module.exports = {
  'express-session': {
    shows: 'counts requests in a session, regenerates and destroys the session',
    app() {
      const app = require('express')();
      app.set('trust proxy', 1);
      app.use(
        require('express-session')({
          secret: 'keyboard cat',
          resave: false,
          saveUninitialized: false,
          proxy: true,
          cookie: { secure: 'auto', sameSite: 'lax', httpOnly: true },
        }),
      );
      app.get('/', count);
      app.get('/new', (req, res, next) =>
        req.session.regenerate((err) => (err ? next(err) : res.json({ views: req.session.views ?? null }))),
      );
      app.get('/out', (req, res, next) =>
        req.session.destroy((err) => (err ? next(err) : res.redirect('/'))),
      );
      return app;
    },
    async play({ get }) {
      for (const path of ['/', '/', '/new', '/', '/out']) await get(path);
      await get('/', { headers: { Cookie: '', 'X-Forwarded-Proto': 'https' } });
    },
    statuses: [200, 200, 200, 200, 302, 200],
    mask: [SID],
  },
  'cookie-session': {
    shows: 'keeps a signed session in the cookie itself',
    app() {
      const app = require('express')();
      app.use(require('cookie-session')({ name: 'session', keys: ['one', 'two'], maxAge: undefined }));
      app.get('/', count);
      app.get('/out', (req, res) => {
        req.session = null;
        res.send('bye');
      });
      return app;
    },
    async play({ get }) {
      for (const path of ['/', '/', '/out', '/']) await get(path);
    },
    statuses: [200, 200, 200, 200],
  },
  memorystore: {
    shows: 'stores sessions in memory, and removes old ones',
    uses: ['express-session'],
    app() {
      const session = require('express-session');
      const MemoryStore = require('memorystore')(session);
      const app = require('express')();
      app.use(
        session({
          store: new MemoryStore({ checkPeriod: 86400000 }),
          secret: 'cat',
          resave: false,
          saveUninitialized: true,
        }),
      );
      app.get('/', count);
      return app;
    },
    async play({ get }) {
      await get('/');
      await get('/');
    },
    statuses: [200, 200],
    mask: [SID],
  },
  'session-file-store': {
    shows: 'keeps sessions in files',
    uses: ['express-session'],
    app({ tmp }) {
      const session = require('express-session');
      const FileStore = require('session-file-store')(session);
      const app = require('express')();
      app.use(
        session({
          store: new FileStore({ path: tmp, logFn() {}, retries: 0 }),
          secret: 'cat',
          resave: false,
          saveUninitialized: true,
        }),
      );
      app.get('/', count);
      return app;
    },
    async play({ get, tmp, note }) {
      await get('/');
      await get('/');
      note('files', require('node:fs').readdirSync(tmp).length);
    },
    statuses: [200, 200],
    mask: [SID],
  },
  'cookie-parser': {
    shows: 'reads plain, signed and JSON cookies that res.cookie wrote',
    app() {
      const app = require('express')();
      app.use(require('cookie-parser')(['new', 'old']));
      app.get('/set', (_req, res) =>
        res
          .cookie('plain', 'a b')
          .cookie('sure', 'yes', { signed: true, httpOnly: true })
          .cookie('data', { n: 1 })
          .send('set'),
      );
      app.get('/', (req, res) =>
        res.json({ plain: req.cookies, signed: req.signedCookies, secret: req.secret }),
      );
      app.get('/clear', (_req, res) => res.clearCookie('plain', { path: '/' }).end());
      return app;
    },
    async play({ get }) {
      for (const path of ['/set', '/', '/clear']) await get(path);
      await get('/', { headers: { Cookie: 'sure=s%3Ayes.forged; x=j%3A{}' } });
    },
    statuses: [200, 200, 200, 200],
  },
  'connect-flash': {
    shows: 'shows a message once after a redirect',
    uses: ['express-session'],
    app() {
      const app = require('express')();
      app.use(
        require('express-session')({ secret: 'cat', resave: false, saveUninitialized: false }),
        require('connect-flash')(),
      );
      app.get('/flash', (req, res) => {
        req.flash('info', 'Flash is back!');
        res.redirect('/');
      });
      app.get('/', (req, res) => res.json(req.flash('info')));
      return app;
    },
    async play({ get }) {
      for (const path of ['/flash', '/', '/']) await get(path);
    },
    statuses: [302, 200, 200],
    mask: [SID],
  },
  'express-flash': {
    shows: 'passes messages to the view',
    uses: ['express-session', 'ejs'],
    app({ files }) {
      const app = require('express')();
      app.set('views', files).set('view engine', 'ejs');
      app.use(
        require('express-session')({ secret: 'cat', resave: false, saveUninitialized: false }),
        require('express-flash')(),
      );
      app.get('/flash', (req, res) => {
        req.flash('info', 'Welcome');
        res.redirect('/');
      });
      app.get('/', (_req, res) => res.render('flash'));
      return app;
    },
    async play({ get }) {
      for (const path of ['/flash', '/', '/']) await get(path);
    },
    statuses: [302, 200, 200],
    mask: [SID],
  },
};
