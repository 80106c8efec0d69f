// View engines, which render a page with app.locals, res.locals and locals of the call, and packages for translations.
const { mkdirSync, writeFileSync } = require('node:fs');
const { join, dirname } = require('node:path');

/** Writes templates. @returns An application with their folder as the setting views. */
function viewing(tmp, templates) {
  for (const [file, text] of Object.entries(templates)) {
    mkdirSync(dirname(join(tmp, file)), { recursive: true });
    writeFileSync(join(tmp, file), text);
  }
  const app = require('express')();
  app.set('views', tmp);
  app.locals.site = 'Site';
  app.use((_req, res, next) => {
    res.locals.user = '<Ann>';
    next();
  });
  app.get('/', (_req, res) => res.render('page', { items: ['a', 'b'] }));
  app.get('/missing', (_req, res) => res.render('nowhere'));
  app.get('/status', (_req, res, next) =>
    res
      .status(202)
      .render('page', { items: [] }, (err, html) => (err ? next(err) : res.send(html.toUpperCase()))),
  );
  app.use((err, _req, res, _next) => res.status(500).json([err.name, err.message.split('\n')[0]]));
  return app;
}

async function look({ get }) {
  for (const path of ['/', '/status', '/missing']) await get(path);
}
const LOOKED = [200, 202, 500];

module.exports = {
  ejs: {
    shows: 'includes, locals, a missing view',
    app: ({ tmp }) =>
      viewing(tmp, {
        'page.ejs': '<%- include("head") %><%= user %> <% for (const i of items) { %>[<%= i %>]<% } %>',
        'head.ejs': '<h1><%= site %></h1>',
      }).set('view engine', 'ejs'),
    play: look,
    statuses: LOOKED,
  },
  'ejs-mate': {
    shows: 'layouts and blocks',
    app({ tmp }) {
      const app = viewing(tmp, {
        'page.ejs': '<% layout("frame") -%><%= user %> <%= items.length %>',
        'frame.ejs': '<main><%= site %>: <%- body %></main>',
      });
      return app.engine('ejs', require('ejs-mate')).set('view engine', 'ejs');
    },
    play: look,
    statuses: LOOKED,
  },
  'express-ejs-layouts': {
    shows: 'wraps res.render to put pages into a layout',
    uses: ['ejs'],
    app({ tmp }) {
      const express = require('express');
      const app = express();
      app.use(require('express-ejs-layouts'));
      app.use(
        viewing(tmp, {
          'page.ejs': '<%= user %><%- contentFor("foot") %>foot',
          'layout.ejs': '<main><%- body %></main><%- foot %>',
        }).set('view engine', 'ejs'),
      );
      return app
        .set('views', tmp)
        .set('view engine', 'ejs')
        .get('/own', (_req, res) => res.render('page', { user: 'Bob' }));
    },
    async play({ get }) {
      await get('/own');
      await get('/missing');
    },
    statuses: [200, 500],
  },
  pug: {
    shows: 'inheritance, locals, a missing view',
    app: ({ tmp }) =>
      viewing(tmp, {
        'page.pug': 'extends frame\nblock body\n  p= user\n  each i in items\n    li= i',
        'frame.pug': 'main\n  h1= site\n  block body',
      }).set('view engine', 'pug'),
    play: look,
    statuses: LOOKED,
  },
  'express-handlebars': {
    shows: 'layouts, partials and helpers',
    app({ tmp }) {
      const { engine } = require('express-handlebars');
      const app = viewing(tmp, {
        'page.handlebars': '{{> head}}{{user}} {{#each items}}[{{up this}}]{{/each}}',
        'layouts/main.handlebars': '<main>{{{body}}}</main>',
        'partials/head.handlebars': '<h1>{{site}}</h1>',
      });
      return app
        .engine(
          'handlebars',
          engine({
            helpers: { up: (text) => text.toUpperCase() },
            partialsDir: join(tmp, 'partials'),
            layoutsDir: join(tmp, 'layouts'),
          }),
        )
        .set('view engine', 'handlebars');
    },
    play: look,
    statuses: LOOKED,
  },
  hbs: {
    shows: 'a layout, helpers and locals as template data',
    app({ tmp }) {
      const hbs = require('hbs').create();
      const app = viewing(tmp, {
        'page.hbs': '{{user}} {{#each items}}[{{up this}}]{{/each}}',
        'layout.hbs': '<main>{{{body}}}</main>',
      });
      hbs.registerHelper('up', (text) => text.toUpperCase());
      hbs.localsAsTemplateData(app);
      return app.engine('hbs', hbs.__express).set('view engine', 'hbs');
    },
    play: look,
    statuses: LOOKED,
  },
  nunjucks: {
    shows: 'replaces the view class through its option express',
    app({ tmp }) {
      const app = viewing(tmp, {
        'page.njk': '{% extends "frame.njk" %}{% block body %}{{ user }} {{ items | join }}{% endblock %}',
        'frame.njk': '<main>{{ site }} {% block body %}{% endblock %}</main>',
      });
      require('nunjucks').configure(tmp, { autoescape: true, express: app });
      return app.set('view engine', 'njk');
    },
    play: look,
    statuses: LOOKED,
  },
  eta: {
    shows: 'as an engine function',
    app({ tmp }) {
      const { Eta } = require('eta');
      const eta = new Eta({ views: tmp });
      const app = viewing(tmp, {
        'page.eta': '<h1><%= it.site %></h1><%= it.user %> <%= it.items.length %>',
      });
      return app
        .engine('eta', (file, data, done) => {
          try {
            done(null, eta.renderString(eta.readFile(file), data));
          } catch (err) {
            done(err);
          }
        })
        .set('view engine', 'eta');
    },
    play: look,
    statuses: LOOKED,
  },
  'mustache-express': {
    shows: 'partials and a cache',
    app({ tmp }) {
      const app = viewing(tmp, {
        'page.mustache': '{{> head}}{{user}} {{#items}}[{{.}}]{{/items}}',
        'head.mustache': '<h1>{{site}}</h1>',
      });
      return app.engine('mustache', require('mustache-express')(tmp)).set('view engine', 'mustache');
    },
    play: look,
    statuses: LOOKED,
  },
  '@ladjs/consolidate': {
    shows: 'handlebars through the adapter for all engines',
    uses: ['handlebars'],
    app({ tmp }) {
      const app = viewing(tmp, { 'page.html': '{{site}} {{user}} {{#each items}}[{{this}}]{{/each}}' });
      return app.engine('html', require('@ladjs/consolidate').handlebars).set('view engine', 'html');
    },
    play: look,
    statuses: LOOKED,
  },
  twig: {
    shows: 'inheritance, through its __express',
    app({ tmp }) {
      const app = viewing(tmp, {
        'page.twig': '{% extends "frame.twig" %}{% block body %}{{ user }} {{ items|join }}{% endblock %}',
        'frame.twig': '<main>{{ site }} {% block body %}{% endblock %}</main>',
      });
      return app
        .engine('twig', require('twig').__express)
        .set('view engine', 'twig')
        .set('twig options', { allowAsync: true });
    },
    play: look,
    statuses: LOOKED,
  },
  liquidjs: {
    shows: 'reads view settings of the application',
    app({ tmp }) {
      const { Liquid } = require('liquidjs');
      const app = viewing(tmp, {
        'page.liquid': '{% render "head", site: site %}{{ user }} {{ items | join }}',
        'head.liquid': '<h1>{{ site }}</h1>',
      });
      return app
        .engine('liquid', new Liquid({ root: tmp, extname: '.liquid' }).express())
        .set('view engine', 'liquid');
    },
    play: look,
    statuses: LOOKED,
  },
  squirrelly: {
    shows: 'through its __express',
    app({ tmp }) {
      const { renderFile } = require('squirrelly');
      return viewing(tmp, {
        'page.squirrelly': '<h1>{{it.site}}</h1>{{it.user}} {{@each(it.items) => i}}[{{i}}]{{/each}}',
      })
        .engine('squirrelly', renderFile)
        .set('view engine', 'squirrelly');
    },
    play: look,
    statuses: LOOKED,
  },
  i18n: {
    shows: 'translates in handlers and views by header, query and cookie',
    uses: ['ejs', 'cookie-parser'],
    app({ tmp }) {
      const i18n = require('i18n');
      i18n.configure({
        staticCatalog: { en: { Hello: 'Hello' }, de: { Hello: 'Hallo' } },
        defaultLocale: 'en',
        queryParameter: 'lang',
        cookie: 'lang',
      });
      const app = require('express')();
      app.use(require('cookie-parser')(), i18n.init);
      app.use(viewing(tmp, { 'page.ejs': '<%= __("Hello") %> <%= locale %>' }).set('view engine', 'ejs'));
      return app.get('/plain', (req, res) =>
        res.send([req.__('Hello'), res.__('Hello'), req.getLocale()].join()),
      );
    },
    async play({ get }) {
      await get('/plain');
      await get('/plain', { headers: { 'Accept-Language': 'de' } });
      await get('/?lang=de');
      await get('/', { headers: { Cookie: 'lang=de' } });
    },
    statuses: [200, 200, 200, 200],
  },
  'i18next-http-middleware': {
    mask: [/Expires=[^;]+/g],
    shows: 'detects the language, gives req.t, serves resources and localized routes',
    uses: ['i18next'],
    async app() {
      const i18next = require('i18next').createInstance();
      const middleware = require('i18next-http-middleware');
      await i18next.use(middleware.LanguageDetector).init({
        fallbackLng: 'en',
        preload: ['en', 'de'],
        resources: {
          en: { translation: { hi: 'Hello', route: 'home' } },
          de: { translation: { hi: 'Hallo', route: 'heim' } },
        },
        detection: { order: ['querystring', 'cookie', 'header'], caches: ['cookie'] },
      });
      const app = require('express')();
      app.use(middleware.handle(i18next, { removeLngFromUrl: false }));
      app.get('/', (req, res) => res.json([req.t('hi'), req.language, req.languages, res.locals.language]));
      app.get('/resources.json', middleware.getResourcesHandler(i18next));
      return app;
    },
    async play({ get }) {
      await get('/', { headers: { 'Accept-Language': 'de-AT,de;q=0.9' } });
      await get('/?lng=en');
      await get('/resources.json?lng=de&ns=translation');
    },
    statuses: [200, 200, 200],
  },
};
