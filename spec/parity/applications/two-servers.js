// An application with a stream that never ends, a route without a request, and a second server.
const express = require('express');
const { createServer } = require('node:http');

const app = express();
app.get('/events', (_req, res) => {
  const start = Date.now();
  res.type('text/event-stream').write('data: 1\n\n');
  res.on('close', () => console.log(Date.now() - start > 6000 ? 'whole patience' : 'less'));
});
app.get('/users/:id', (req, res) => res.set('X-Id', crypto.randomUUID()).json({ id: req.params.id }));
app.post('/users', (_req, res) => res.sendStatus(201));
app.all('/any', (_req, res) => res.send('any'));
app.listen(3000);
createServer((_req, res) => res.end('metrics')).listen(9090);
