// An application that asks a service by node:http and by fetch, for spec/parity/hermetic.spec.ts.
const http = require('node:http');
const net = require('node:net');
const express = require('nozomi');

const { SERVICE, ASK = 'first' } = process.env;
const app = express();
app.get('/fetch', async (_req, res) => {
  const response = await fetch(`${SERVICE}/fetch?ask=${ASK}`, { method: 'POST', body: 'a body' });
  res.status(response.status).json(await response.json());
});
app.get('/http', (_req, res) => {
  http.get(`${SERVICE}/http`, (response) => response.pipe(res.status(response.statusCode)));
});
app.get('/none', (_req, res, next) => {
  http.get(`${SERVICE}/204`, (response) => res.sendStatus(response.statusCode)).on('error', next);
});
app.get('/socket', (_req, res) => {
  const socket = net.connect(new URL(SERVICE).port, '127.0.0.1');
  socket.on('error', () => {}).on('close', () => res.send('closed'));
  socket.on('data', (bytes) => res.end(bytes)).write('\x01\x02 no protocol');
});
app.use((err, _req, res, _next) => res.status(502).send(err.message));
app.listen(process.env.PORT);
