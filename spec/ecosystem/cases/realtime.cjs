// Packages for WebSockets and server-sent events.
const hello = (_req, res) => res.send('hello');
const client = (url, path) => {
  const socket = new (require('ws').WebSocket)(url.replace('http', 'ws') + path);
  const seen = [];
  return new Promise((resolve) => {
    socket.on('open', () => socket.send('ping'));
    socket.on('message', (data) => {
      seen.push(String(data));
      if (seen.length === 2) socket.close(1000, 'bye');
    });
    socket.on('close', (code) => resolve([...seen, code]));
    socket.on('unexpected-response', (_req, res) => resolve([res.statusCode]));
    socket.on('error', (err) => resolve([err.message]));
  });
};

/** @returns Status, Content-Type and Cache-Control of a response, and the text of its first `count` server-sent events. */
async function events(url, count) {
  const res = await fetch(url, { headers: { Accept: 'text/event-stream' } });
  let text = '';
  for await (const chunk of res.body) {
    text += Buffer.from(chunk);
    if (text.split('\n\n').length > count) break;
  }
  return [res.status, res.headers.get('content-type'), res.headers.get('cache-control'), text];
}

module.exports = {
  ws: {
    shows: 'handles upgrades on the server of an application, with its session',
    uses: ['express-session'],
    app() {
      const { WebSocketServer } = require('ws');
      const session = require('express-session')({ secret: 'cat', resave: false, saveUninitialized: true });
      const app = require('express')().use(session).get('/', hello);
      const server = require('node:http').createServer(app);
      const sockets = new WebSocketServer({ noServer: true });
      server.on('upgrade', (req, socket, head) =>
        session(req, {}, () =>
          sockets.handleUpgrade(req, socket, head, (ws) => {
            ws.send(`session ${typeof req.session.id}`);
            ws.on('message', (data) => ws.send(`got ${data}`));
          }),
        ),
      );
      return server;
    },
    async play({ get, note, url }) {
      await get('/');
      note('socket', await client(url, '/live'));
    },
    statuses: [200],
    mask: [/(?<==)s%3A[\w%.-]+/g],
  },
  'express-ws': {
    shows: 'routes sockets through middleware, params and routers',
    app({ note }) {
      const express = require('express');
      const app = express();
      const { applyTo } = require('express-ws')(app);
      app.use((req, _res, next) => {
        note('passes', [req.method, req.url]);
        next();
      });
      app.get('/:id', hello);
      app.ws('/echo/:id', (ws, req) => {
        ws.send(`id ${req.params.id}`);
        ws.on('message', (data) => ws.send(`got ${data}`));
      });
      const router = express.Router();
      applyTo(router);
      router.ws('/room', (ws, req) => {
        ws.send(`base ${req.baseUrl}`);
        ws.on('message', (data) => ws.send(`got ${data}`));
      });
      app.use('/in', router);
      return app;
    },
    async play({ get, note, url }) {
      await get('/7');
      note('app', await client(url, '/echo/7'));
      note('router', await client(url, '/in/room'));
      note('nowhere', await client(url, '/not/here'));
    },
    statuses: [200],
  },
  'socket.io': {
    shows: 'shares the server and express middleware, serves its client',
    uses: ['socket.io-client', 'express-session'],
    app() {
      const { Server } = require('socket.io');
      const app = require('express')().get('/', hello);
      const server = require('node:http').createServer(app);
      const io = new Server(server);
      io.engine.use(require('express-session')({ secret: 'cat', resave: false, saveUninitialized: true }));
      io.on('connection', (socket) =>
        socket.on('sum', (a, b, done) => done({ sum: a + b, session: typeof socket.request.session.id })),
      );
      return server;
    },
    async play({ get, note, url }) {
      const { io } = require('socket.io-client');
      for (const transports of [['polling'], ['websocket'], ['polling', 'websocket']]) {
        const socket = io(url, { transports, forceNew: true });
        note(transports.join(), await socket.emitWithAck('sum', 1, 2));
        socket.close();
      }
      await get('/');
      await get('/socket.io/socket.io.js.map', { headers: { 'If-None-Match': '"none"' } });
      await get('/socket.io/?EIO=3&transport=polling');
    },
    statuses: [200, 200, 400],
    mask: [/(?<==)s%3A[\w%.-]+/g],
  },
  sockjs: {
    shows: 'responds on its info page and a socket, next to an application',
    app() {
      const app = require('express')().get('/', hello);
      const server = require('node:http').createServer(app);
      const echo = require('sockjs').createServer({ log() {} });
      echo.on('connection', (connection) => connection.on('data', (data) => connection.write(`got ${data}`)));
      echo.installHandlers(server, { prefix: '/echo' });
      return server;
    },
    async play({ get, note, url }) {
      await get('/');
      await get('/echo/info');
      note(
        'raw socket',
        await new Promise((resolve) => {
          const socket = new (require('ws').WebSocket)(`${url.replace('http', 'ws')}/echo/websocket`);
          socket.on('open', () => socket.send('hi'));
          socket.on('message', (data) => {
            socket.close();
            resolve(String(data));
          });
        }),
      );
    },
    statuses: [200, 200],
    mask: [/(?<="entropy":)\d+/g],
  },
  'better-sse': {
    shows: 'pushes events, broadcasts to a channel',
    async app() {
      const { createSession, createChannel } = await import('better-sse');
      const channel = createChannel();
      const app = require('express')();
      return app.get('/sse', async (req, res) => {
        const session = await createSession(req, res);
        channel.register(session);
        session.push('Hello', 'greeting', '1');
        channel.broadcast({ all: true }, 'news', { eventId: '2' });
      });
    },
    async play({ note, url }) {
      note('events', await events(`${url}/sse`, 3));
    },
    statuses: [],
  },
  'express-sse': {
    shows: 'sends events to all clients',
    app({ log }) {
      const SSE = require('express-sse');
      const sse = new SSE(['first'], { isSerialized: true });
      const app = require('express')();
      app.get(
        '/sse',
        (_req, _res, next) => {
          log.push('listening');
          next();
        },
        sse.init,
      );
      return app.post('/', (_req, res) => {
        sse.send({ n: 2 }, 'tick');
        res.end();
      });
    },
    async play({ note, url, post, until, log }) {
      const listening = events(`${url}/sse`, 2);
      await until(() => log.length === 1);
      await post('/');
      note('events', await listening);
    },
    statuses: [200],
  },
  peer: {
    shows: 'mounts its broker below a path: identifiers, a socket, a path of its own',
    uses: ['ws'],
    app() {
      const { ExpressPeerServer } = require('peer');
      const app = require('express')();
      const server = require('node:http').createServer(app);
      app.use(
        '/peers',
        ExpressPeerServer(server, { path: '/', allow_discovery: true, generateClientId: () => 'made' }),
      );
      return server;
    },
    async play({ get, note, url }) {
      for (const path of ['', '/peerjs/id', '/peerjs/peers', '/none']) await get(`/peers${path}`);
      note(
        'socket',
        await new Promise((resolve) => {
          const socket = new (require('ws').WebSocket)(
            `${url.replace('http', 'ws')}/peers/peerjs?key=peerjs&id=a&token=t`,
          );
          socket.on('message', (data) => {
            socket.close();
            resolve(String(data));
          });
          socket.on('error', (err) => resolve(err.message));
        }),
      );
    },
    statuses: [200, 200, 200, 404],
  },
};
