// Packages that compress, cache, change, send or observe responses.
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { gzipSync } = require('node:zlib');
const long = 'long enough to be worth it '.repeat(100);
const STAMP = [/\w+, \d\d \w+ \d{4} [\d:]+ GMT/g, /(?<=\w"?\/?"\w+-)[\da-f]{11}(?=")/g];

function site(tmp) {
  mkdirSync(join(tmp, 'sub dir'));
  writeFileSync(join(tmp, 'index.html'), '<h1>Home</h1>');
  writeFileSync(join(tmp, 'app.js'), 'let a = 1;\n\n// a comment\nlet b = 2;\n');
  writeFileSync(join(tmp, 'app.js.gz'), gzipSync('zipped'));
  writeFileSync(join(tmp, 'sub dir', '<a>.txt'), 'a');
  return tmp;
}

module.exports = {
  compression: {
    shows: 'compresses by Accept-Encoding, filter and threshold, streams with flush',
    app() {
      const app = require('express')();
      app.use(require('compression')({ threshold: 100 }));
      app.get('/long', (_req, res) => res.send(long));
      app.get('/short', (_req, res) => res.send('short'));
      app.get('/image', (_req, res) => res.type('png').send(Buffer.alloc(200)));
      app.get('/not', (_req, res) => res.set('Cache-Control', 'no-transform').send(long));
      app.get('/stream', (_req, res) => {
        res.type('txt');
        res.write('one');
        res.flush();
        res.end('two');
      });
      return app;
    },
    async play({ get, request }) {
      for (const path of ['/long', '/short', '/image', '/not', '/stream'])
        await get(path, { headers: { 'Accept-Encoding': 'gzip' } });
      await get('/long', { headers: { 'Accept-Encoding': 'br' } });
      await get('/long');
      await request('HEAD', '/long', { headers: { 'Accept-Encoding': 'gzip' } });
      const { headers } = await get('/long', { headers: { 'Accept-Encoding': 'gzip' } });
      await get('/long', { headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': headers.etag } });
    },
    statuses: [200, 200, 200, 200, 200, 200, 200, 200, 200, 304],
  },
  'serve-static': {
    shows: 'serves indexes, ranges, conditional requests, redirects, fallthrough, custom headers',
    app({ tmp }) {
      const app = require('express')();
      app.use(
        '/s',
        require('serve-static')(site(tmp), {
          setHeaders: (res, path) => res.set('X-Path', path.split('/').at(-1)),
        }),
      );
      app.use(
        '/strict',
        require('serve-static')(tmp, { fallthrough: false, index: false, dotfiles: 'deny' }),
      );
      return app;
    },
    async play({ get, request }) {
      for (const path of [
        '/s',
        '/s/',
        '/s/app.js',
        '/s/sub%20dir',
        '/s/none',
        '/strict/',
        '/strict/../x',
        '/strict/.env',
      ])
        await get(path);
      await get('/s/app.js', { headers: { Range: 'bytes=0-3' } });
      await get('/s/app.js', { headers: { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' } });
      await request('POST', '/strict/app.js');
    },
    statuses: [301, 200, 200, 301, 404, 404, 403, 403, 206, 304, 405],
    mask: STAMP,
  },
  'serve-index': {
    shows: 'lists a directory as HTML, JSON and text',
    app({ tmp }) {
      return require('express')().use('/files', require('serve-index')(site(tmp), { icons: true }));
    },
    async play({ get }) {
      for (const type of ['text/html', 'application/json', 'text/plain', 'image/png'])
        await get('/files/', { headers: { Accept: type } });
      await get('/files/sub%20dir/', { headers: { Accept: 'text/plain' } });
      await get('/files/none/');
    },
    statuses: [200, 200, 200, 406, 200, 404],
    mask: [/\d+\/\d+\/\d{4},? \d+:\d\d:\d\d [AP]M/g],
  },
  'serve-favicon': {
    shows: 'serves one icon from memory',
    app() {
      return require('express')().use(require('serve-favicon')(Buffer.from('icon'), { maxAge: 1000 }));
    },
    async play({ get, request }) {
      const { headers } = await get('/favicon.ico');
      await get('/favicon.ico', { headers: { 'If-None-Match': headers.etag } });
      await request('OPTIONS', '/favicon.ico');
      await request('POST', '/favicon.ico');
      await get('/');
    },
    statuses: [200, 304, 200, 405, 404],
  },
  'express-static-gzip': {
    shows: 'serves the compressed version of a file if there is one',
    app({ tmp }) {
      return require('express')().use(
        require('express-static-gzip')(site(tmp), { enableBrotli: true, orderPreference: ['br', 'gz'] }),
      );
    },
    async play({ get }) {
      await get('/app.js', { headers: { 'Accept-Encoding': 'gzip, br' } });
      await get('/app.js');
      await get('/');
    },
    statuses: [200, 200, 200],
    mask: STAMP,
  },
  'connect-history-api-fallback': {
    shows: 'rewrites requests for pages to the index, not those for files and data',
    app({ tmp }) {
      const app = require('express')();
      app.use(require('connect-history-api-fallback')({ rewrites: [{ from: /^\/legacy/, to: '/app.js' }] }));
      return app.use(require('express').static(site(tmp)));
    },
    async play({ get }) {
      for (const path of ['/deep/page', '/legacy', '/none.js'])
        await get(path, { headers: { Accept: 'text/html' } });
      await get('/deep/page', { headers: { Accept: 'application/json' } });
    },
    statuses: [200, 200, 404, 404],
    mask: STAMP,
  },
  'express-interceptor': {
    shows: 'rewrites pages before they are sent',
    app() {
      const intercept = require('express-interceptor');
      const app = require('express')();
      app.use(
        intercept((_req, res) => ({
          isInterceptable: () => /html/.test(res.get('Content-Type')),
          intercept: (body, send) => send(body.replace('</p>', ' more</p>')),
        })),
      );
      app.get('/page', (_req, res) => res.send('<p>some</p>'));
      return app.get('/data', (_req, res) => res.json({ p: '</p>' }));
    },
    async play({ get }) {
      await get('/page');
      await get('/data');
    },
    statuses: [200, 200],
  },
  'express-mung': {
    shows: 'changes JSON bodies and headers before they are sent',
    app() {
      const mung = require('express-mung');
      const app = require('express')();
      app.use(
        mung.json((body, req) => ({ ...body, seen: req.path })),
        mung.jsonAsync(async (body) => ({ ...body, later: true })),
        mung.headers((_req, res) => res.set('X-Munged', 'yes')),
      );
      app.get('/', (_req, res) => res.json({ a: 1 }));
      return app.get('/fail', (_req, res) => res.status(500).json({ a: 1 }));
    },
    async play({ get }) {
      await get('/');
      await get('/fail');
    },
    statuses: [200, 500],
  },
  'express-partial-response': {
    shows: 'filters JSON by the query parameter fields',
    app() {
      const app = require('express')();
      app.use(require('express-partial-response')());
      return app
        .get('/', (_req, res) => res.json({ a: { b: 1, c: 2 }, d: 3 }))
        .get('/p', (_req, res) => res.jsonp({ a: 1, d: 3 }));
    },
    async play({ get }) {
      await get('/?fields=a/b');
      await get('/?fields=a(c),d');
      await get('/p?fields=d&callback=f');
    },
    statuses: [200, 200, 200],
  },
  'express-minify': {
    shows: 'minifies scripts and style sheets of static files',
    app({ tmp }) {
      const express = require('express');
      return express().use(require('express-minify')({ cache: false }), express.static(site(tmp)));
    },
    async play({ get }) {
      await get('/app.js');
      await get('/');
    },
    statuses: [200, 200],
    mask: STAMP,
  },
  apicache: {
    shows: 'serves repeated requests from memory, by route and group',
    app({ note }) {
      const apicache = require('apicache');
      const app = require('express')();
      let calls = 0;
      app.get(
        '/',
        apicache.middleware('1 minute', (_req, res) => res.statusCode === 200),
        (req, res) => {
          req.apicacheGroup = 'g';
          res.json({ calls: ++calls });
        },
      );
      app.get('/clear', (_req, res) => res.json(apicache.clear('g').all.length));
      app.get('/text', apicache.middleware('1 minute'), (_req, res) => {
        res.write('a');
        res.end('b');
      });
      note('calls', calls);
      return app;
    },
    async play({ get }) {
      for (const path of ['/', '/', '/?a=1', '/text', '/text', '/clear', '/']) await get(path);
      await get('/', { headers: { 'X-Apicache-Bypass': '1' } });
    },
    statuses: [200, 200, 200, 200, 200, 200, 200, 200],
    mask: [/max-age=\d+/g, /\d{13}/g],
  },
  'route-cache': {
    shows: 'caches responses of a route for some seconds, also redirects',
    app() {
      const { cacheSeconds } = require('route-cache');
      let calls = 0;
      const app = require('express')();
      app.get('/', cacheSeconds(20), (_req, res) => res.send(`call ${++calls}`));
      app.get('/json', cacheSeconds(20), (_req, res) => res.json({ call: ++calls }));
      return app.get('/away', cacheSeconds(20), (_req, res) => res.redirect('/'));
    },
    async play({ get }) {
      for (const path of ['/', '/', '/json', '/json', '/away', '/away']) await get(path);
    },
    statuses: [200, 200, 200, 200, 302, 302],
  },
  'on-headers': {
    shows: 'changes status and headers just before they are written',
    app() {
      const onHeaders = require('on-headers');
      const app = require('express')();
      app.use((_req, res, next) => {
        onHeaders(res, function late() {
          this.setHeader('X-Late', this.statusCode);
          this.removeHeader('ETag');
          if (this.statusCode === 404) this.statusCode = 410;
        });
        next();
      });
      return app
        .get('/', (_req, res) => res.send('x'))
        .get('/raw', (_req, res) => {
          res.writeHead(201, { 'X-Own': '1' });
          res.end();
        });
    },
    async play({ get }) {
      for (const path of ['/', '/raw', '/none']) await get(path);
    },
    statuses: [200, 201, 410],
  },
  'on-finished': {
    shows: 'reports the end of responses and requests, also of aborted ones',
    app({ log }) {
      const onFinished = require('on-finished');
      const app = require('express')();
      app.use((req, res, next) => {
        onFinished(res, (err) =>
          log.push(
            `${req.path} ${err?.code ?? 'fine'} ${onFinished.isFinished(res)} ${res.writableFinished}`,
          ),
        );
        next();
      });
      return app
        .get('/', (_req, res) => res.send('x'))
        .get('/cut', (req, res) => {
          res.write('x');
          req.socket.destroy();
        });
    },
    async play({ get, until, log }) {
      await get('/');
      await get('/cut').catch((err) => log.push(err.code));
      await until(() => log.length === 3);
      log.sort();
    },
    statuses: [200],
  },
  errorhandler: {
    shows: 'shows errors as HTML, JSON and text',
    app({ log }) {
      const app = require('express')();
      app.get('/', () => {
        throw Object.assign(new Error('<boom>'), { status: 418 });
      });
      return app.use(require('errorhandler')({ log: (_err, text, req) => log.push([text, req.url]) }));
    },
    async play({ get }) {
      for (const type of ['text/html', 'application/json', 'text/plain'])
        await get('/', { headers: { Accept: type } });
    },
    statuses: [418, 418, 418],
    mask: [/<ul id="stacktrace">.*/g],
  },
  'express-boom': {
    shows: 'adds res.boom',
    app() {
      const app = require('express')();
      return app
        .use(require('express-boom')())
        .get('/', (_req, res) => res.boom.notFound('gone', { id: 7 }))
        .get('/no', (_req, res) => res.boom.unauthorized('no', 'Basic'));
    },
    async play({ get }) {
      await get('/');
      await get('/no');
    },
    statuses: [404, 401],
  },
  'express-robots-txt': {
    shows: 'serves robots.txt',
    async app() {
      const loaded = await import('express-robots-txt');
      return require('express')().use(
        (loaded.default ?? loaded)({
          UserAgent: '*',
          Disallow: '/private',
          CrawlDelay: '5',
          Sitemap: 'https://example.com/sitemap.xml',
        }),
      );
    },
    async play({ get }) {
      await get('/robots.txt');
      await get('/');
    },
    statuses: [200, 404],
  },
};
