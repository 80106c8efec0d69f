const { createServer } = require('node:http');
const { startProxy } = require('./package/');

const upstream = createServer((req, res) => {
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify({ method: req.method, url: req.url }));
});
upstream.listen(0, '127.0.0.1', () => {
  startProxy(3000, `http://127.0.0.1:${upstream.address().port}`, 'proxy', false, '*');
});
