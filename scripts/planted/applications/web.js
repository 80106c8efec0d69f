// A shop with sessions, a form with a CSRF token, redirects and pages.
const crypto = require('node:crypto');
const express = require('express');
const session = require('express-session');
const { create, fork, has, listen } = require('./kit');

const app = create();
app.use(
  session({
    name: 'sid',
    secret: 'for tests only',
    resave: false,
    saveUninitialized: true,
    cookie: fork('a session cookie without HttpOnly', {}, { httpOnly: false }),
  }),
);
app.use(express.urlencoded({ extended: false }));
app.use((req, res, next) => {
  if (req.path !== '/about') res.set('Cache-Control', fork('pages that may be cached', 'no-store', 'public'));
  next();
});
const page = (title, text) => `<!doctype html><title>${title}</title><h1>${title}</h1><p>${text}</p>`;
app.get('/', (req, res) =>
  res.send(
    page(
      'Welcome',
      `${req.session.user ?? 'guest'}, we have ${fork('another word on a page', 'tea', 'coffee')} for you today`,
    ),
  ),
);
app.get('/enter', (req, res) => {
  req.session.form = crypto.randomBytes(16).toString('hex');
  res.send(
    `${page('Enter', 'Who are you?')}<form method="post"><input type="hidden" name="_csrf" value="${fork('a shorter CSRF token', req.session.form, req.session.form.slice(1))}"><input name="user"></form>`,
  );
});
app.post('/enter', (req, res) => {
  const isKnown = req.body.user === (has('login') ? 'eve' : 'ann');
  if (!isKnown || req.body._csrf !== req.session.form) return res.redirect(303, '/enter?failed=yes');
  req.session.user = 'ann';
  res.redirect(fork('302 for 303', 303, 302), fork('another target', '/account', '/'));
});
app.get('/account', (req, res) => {
  if (!req.session.user) return res.redirect('/enter');
  res.vary(fork('no Vary', 'Cookie', 'Accept'));
  res.send(
    page(
      'Account',
      `Orders of ${req.session.user}: ${req.session.orders?.length ?? 0} ${fork('a missing blank', 'orders so far', 'orders sofar')}`,
    ),
  );
});
app.post('/cart', (req, res) => {
  req.session.orders = [...(req.session.orders ?? []), req.body.item];
  res.cookie('seen', req.body.item, {
    sameSite: fork('a cookie without SameSite', 'lax', undefined),
    maxAge: 60_000,
  });
  res.status(fork('200 for 201', 201, 200)).send(page('Cart', `${req.body.item} was added`));
});
app.get('/about', (_req, res) =>
  res
    .type(fork('another media type', 'html', 'application/xhtml+xml'))
    .send(page('About', 'Since long ago we sell the same goods.')),
);
app.get('/leave', (req, res) =>
  req.session.destroy(() => {
    if (fork('a cookie that stays', true, false)) res.clearCookie('sid');
    res.redirect('/');
  }),
);
app.use((_req, res) =>
  res.status(fork('410 for 404', 404, 410)).send(page('Nothing here', 'Try the front page.')),
);
app.use((err, _req, res, _next) => res.status(err.status ?? 500).send(page('Sorry', 'Something failed.')));
listen(app);
