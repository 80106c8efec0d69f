// Starts a server that redirects HTTP to HTTPS, and later the server of the application.
const { createServer } = require('node:http');
const app = require('express')();

createServer((_req, res) => res.writeHead(301, { Location: 'https://shop.test' }).end()).listen(80);
app.get('/', (_req, res) => res.send('the application'));
setTimeout(() => createServer(app).listen(443), 50);
