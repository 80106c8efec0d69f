// Serves WebSockets in a process of its own, to measure its memory: with the package ws alone, or through an application
// with sessions and authentication. Sends its port, and its memory after each message.
const http = require('node:http');
const { WebSocketServer } = require('ws');

const [kind] = process.argv.slice(2);
const wss = new WebSocketServer({ noServer: true });
const accept = (req, socket, head) =>
  wss.handleUpgrade(req, socket, head, (ws) => ws.on('message', (data) => ws.send(data)));

const server = kind === 'ws' ? http.createServer().on('upgrade', accept) : application();
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

process.on('message', async () => {
  for (let turn = 0; turn < 10; turn++) {
    await new Promise(setImmediate);
    globalThis.gc();
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send({ memory: heapUsed + external, sockets: wss.clients.size });
});

function application() {
  const session = require('express-session');
  const nozomi = require('nozomi');
  const { onUpgrade, upgrade } = require('nozomi/extras');
  const app = nozomi();
  app.use(session({ secret: 'a secret', resave: false, saveUninitialized: false }));
  app.get('/login', (req, res) => {
    req.session.user = 'Ada';
    res.sendStatus(204);
  });
  app.use((req, res, next) => (req.session.user ? next() : res.sendStatus(401)));
  app.get('/echo/:room', onUpgrade(accept));
  return upgrade(http.createServer(app), app);
}
