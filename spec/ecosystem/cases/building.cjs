// Build tools that run as middleware: development servers, a CSS compiler and live reload.
const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const put = (directory, files) => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(directory, file, '..'), { recursive: true });
    writeFileSync(join(directory, file), text);
  }
};

module.exports = {
  vite: {
    shows: 'serves modules, transforms, pages of transformIndexHtml and missing files, in middleware mode',
    async app({ tmp }) {
      put(tmp, {
        'src/main.ts': 'import { n } from "./n.ts"; const a: number = n; console.log(a);',
        'src/n.ts': 'export const n: number = 1;',
        'style.css': 'a { color: red }',
        'public/robots.txt': 'robots',
      });
      const { createServer } = await import('vite');
      const vite = await createServer({
        root: tmp,
        appType: 'custom',
        configFile: false,
        logLevel: 'silent',
        cacheDir: join(tmp, '.cache'),
        server: { middlewareMode: true, hmr: false, ws: false, watch: null },
        optimizeDeps: { noDiscovery: true, include: [] },
      });
      const app = require('express')();
      app.use(vite.middlewares);
      app.use('*all', async (req, res) =>
        res
          .status(200)
          .set('Content-Type', 'text/html')
          .end(await vite.transformIndexHtml(req.originalUrl, '<html><head></head><body>app</body></html>')),
      );
      app.closing = () => vite.close();
      return app;
    },
    async play({ get, app }) {
      for (const path of ['/src/main.ts', '/src/n.ts', '/style.css?direct', '/robots.txt', '/any/page'])
        await get(path, { headers: { Accept: '*/*' } });
      await app.closing();
    },
    statuses: [200, 200, 200, 200, 200],
    mask: [/\?t=\d+/g, /\w+, \d\d \w+ \d{4} [\d:]+ GMT/g, /W\/"[^"]+"/g, /sourceMappingURL=\S+/g],
  },
  'webpack-dev-middleware': {
    shows: 'serves a bundle from memory, with hot middleware and routes',
    uses: ['webpack', 'webpack-hot-middleware'],
    async app({ tmp }) {
      put(tmp, { 'main.js': 'console.log(1);' });
      const { default: webpack } = await import('webpack');
      const loaded = await import('webpack-dev-middleware');
      const compiler = webpack({
        mode: 'production',
        context: tmp,
        entry: './main.js',
        output: { path: join(tmp, 'out'), filename: 'bundle.js' },
        infrastructureLogging: { level: 'none' },
        stats: 'none',
        watchOptions: { poll: 10_000 },
      });
      const middleware = (loaded.default ?? loaded)(compiler, { publicPath: '/assets/', index: false });
      await new Promise((resolve) => middleware.waitUntilValid(resolve));
      const hot = require('webpack-hot-middleware')(compiler, { log: false });
      const app = require('express')();
      app.use(middleware, hot);
      app.get('/', (_req, res) => res.send('home'));
      app.closing = () =>
        new Promise((resolve) => {
          hot.close();
          middleware.close(resolve);
        });
      return app;
    },
    async play({ get, app, request }) {
      await get('/assets/bundle.js');
      await get('/assets/bundle.js', { headers: { Range: 'bytes=0-6' } });
      await request('HEAD', '/assets/bundle.js');
      for (const path of ['/assets/none.js', '/']) await get(path);
      await app.closing();
    },
    statuses: [200, 206, 200, 404, 200],
    mask: [/\w+, \d\d \w+ \d{4} [\d:]+ GMT/g],
  },
  stylus: {
    shows: 'compiles style sheets on request',
    app({ tmp }) {
      put(tmp, { 'a.styl': 'a\n  color red' });
      const express = require('express');
      return express().use(
        require('stylus').middleware({ src: tmp, dest: tmp }),
        express.static(tmp, { etag: false, lastModified: false }),
      );
    },
    async play({ get }) {
      await get('/a.css');
      await get('/none.css');
    },
    statuses: [200, 404],
  },
  'connect-livereload': {
    shows: 'adds its script to pages',
    app() {
      return require('express')()
        .use(require('connect-livereload')({ port: 35729 }))
        .get('/', (_req, res) => res.send('<html><body>home</body></html>'))
        .get('/data', (_req, res) => res.json({}));
    },
    async play({ get }) {
      await get('/', { headers: { Accept: 'text/html' } });
      await get('/data', { headers: { Accept: 'text/html' } });
    },
    statuses: [200, 200],
  },
};
