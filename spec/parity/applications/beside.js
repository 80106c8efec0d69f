// Redirects from HTTP; the application listens after that.
const { createServer } = require('node:http');
const app = require('express')();

createServer((_req, res) => res.writeHead(301, { Location: 'https://shop.test' }).end()).listen(80);
app.get('/', (_req, res) => res.send('the application'));
setTimeout(() => createServer(app).listen(443), 50);
