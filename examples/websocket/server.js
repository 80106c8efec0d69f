// The example of docs/websockets.md: a chat whose WebSockets pass the session, the authentication and the parameters of
// the application. Needs the packages ws and express-session.
const session = require('express-session');
const nozomi = require('nozomi');
const { onUpgrade, upgrade } = require('nozomi/extras');
const { graceful } = require('nozomi/graceful');
const { WebSocketServer } = require('ws');

const app = nozomi();
const wss = new WebSocketServer({ noServer: true });

app.use(session({ secret: 'change this', resave: false, saveUninitialized: false }));

app.get('/login/:user', (req, res) => {
  req.session.user = req.params.user;
  res.sendStatus(204);
});

function requireUser(req, res, next) {
  if (req.session.user) next();
  else res.status(401).send('Log in first');
}

app.get(
  '/rooms/:room',
  requireUser,
  onUpgrade((req, socket, head) => {
    wss.handleUpgrade(req, socket, head, (ws) => {
      ws.on('error', console.error);
      ws.send(`${req.session.user} is in ${req.params.room}`);
      ws.on('message', (data) => ws.send(`${data}`));
    });
  }),
  (_req, res) => res.status(426).set('Upgrade', 'websocket').send('Only for WebSockets'),
);

const server = upgrade(app.listen(process.env.PORT ?? 3000), app);
graceful(server, { signals: ['SIGTERM', 'SIGINT'] });
process.once('SIGTERM', () => {
  for (const ws of wss.clients) ws.close(1001);
});
