// Packages that proxy requests to another server.
const http = require('node:http');

/** Starts the server behind the proxy. It responds with properties of the request that it received. */
async function origin() {
  const server = http.createServer(async (req, res) => {
    const body = Buffer.concat(await req.toArray()).toString();
    const { host, 'x-forwarded-host': forwarded, 'content-type': type } = req.headers;
    res.setHeader('X-Origin', 'yes');
    res.end(JSON.stringify({ method: req.method, url: req.url, host, forwarded, type, body }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

module.exports = {
  'http-proxy-middleware': {
    shows:
      'rewrites paths, forwards bodies (also parsed ones), changes responses, reports an unreachable origin',
    async app() {
      const express = require('express');
      const { createProxyMiddleware, fixRequestBody, responseInterceptor } = require('http-proxy-middleware');
      const target = await origin();
      const app = express();
      app.use(
        '/api',
        createProxyMiddleware({ target, changeOrigin: true, pathRewrite: { '^/old': '/new' } }),
      );
      app.use('/json', express.json(), createProxyMiddleware({ target, on: { proxyReq: fixRequestBody } }));
      app.use(
        '/up',
        createProxyMiddleware({
          target,
          selfHandleResponse: true,
          on: { proxyRes: responseInterceptor(async (buffer) => buffer.toString().toUpperCase()) },
        }),
      );
      app.use('/dead', createProxyMiddleware({ target: 'http://127.0.0.1:1' }));
      return app;
    },
    async play({ get, post }) {
      await get('/api/old/a?b=c');
      await post('/api', { body: 'hello' });
      await post('/json/x', { json: { a: 1 } });
      await get('/up/z');
      await get('/dead');
    },
    statuses: [200, 200, 200, 200, 504],
  },
  'express-http-proxy': {
    shows: 'changes the path, the body and the response of a proxied request',
    async app() {
      const proxy = require('express-http-proxy');
      const target = await origin();
      const app = require('express')();
      app.use(
        '/api',
        proxy(target, {
          proxyReqPathResolver: (req) => `/v1${req.url}`,
          userResDecorator: (_res, data) => JSON.stringify({ wrapped: JSON.parse(data) }),
          userResHeaderDecorator: (headers) => ({ ...headers, 'x-added': '1' }),
        }),
      );
      app.use('/dead', proxy('http://127.0.0.1:1'));
      return app;
    },
    async play({ get, post }) {
      await get('/api/a?b=c');
      await post('/api', { json: { a: 1 } });
      await get('/dead');
    },
    statuses: [200, 200, 500],
  },
  'http-proxy': {
    shows: 'proxies the requests of a route, with its events',
    async app({ note }) {
      const proxy = require('http-proxy').createProxyServer({ target: await origin(), xfwd: true });
      proxy.on('proxyReq', (_out, req) => note('proxyReq', [req.url, req.baseUrl, req.originalUrl]));
      const app = require('express')();
      app.use('/api', (req, res, next) => proxy.web(req, res, {}, next));
      return app;
    },
    async play({ get, post }) {
      await get('/api/a?b=c');
      await post('/api/x', { body: 'hello' });
    },
    statuses: [200, 200],
  },
};
