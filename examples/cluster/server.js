// One of several equal processes behind a proxy, with sessions in Redis. docs/deployment.md explains how to start it:
// alone, with primary.js, with PM2, or in a container.
//
// The environment variables are PORT, REDIS_URL, SESSION_SECRET and IDLE.
const session = require('express-session');
const { RedisStore } = require('connect-redis');
const { createClient } = require('redis');
const framework = require('nozomi');
const { graceful } = require('nozomi/graceful');

const {
  PORT = '3000',
  REDIS_URL = 'redis://127.0.0.1:6379',
  SESSION_SECRET = 'only for development',
} = process.env;
/**
 * How many milliseconds idle connections stay open after a shutdown begins. This must be longer than nginx keeps them
 * (4 s in nginx.conf).
 */
const IDLE = Number(process.env.IDLE ?? 5000);

const redis = createClient({ url: REDIS_URL });
redis.on('error', (err) => console.error('redis:', err.message));

let isEnding = false;
const app = framework();
app.set('trust proxy', 'loopback');

// These routes come before the session middleware, because probes need no session.
app.get('/health', (_req, res) => void res.send('alive'));
app.get('/ready', (_req, res) => {
  const isReady = redis.isReady && !isEnding;
  res.status(isReady ? 200 : 503).send(isReady ? 'ready' : 'not ready');
});

app.use(
  session({
    store: new RedisStore({ client: redis }),
    secret: SESSION_SECRET,
    resave: false,
    saveUninitialized: false,
  }),
);
app.all('/', framework.json(), (req, res) => {
  req.session.count = (req.session.count ?? 0) + 1;
  const { ip, host, method, body } = req;
  res.json({ pid: process.pid, count: req.session.count, ip, host, method, body });
});

async function start() {
  await redis.connect();
  const server = app.listen(Number(PORT), (err) => {
    if (err) throw err;
    // With `wait_ready`, PM2 waits for this message.
    process.send?.('ready');
  });
  // This must be longer than the proxy keeps idle connections. Otherwise the server may close a connection that the
  // proxy is about to use.
  server.keepAliveTimeout = 10_000;
  const close = graceful(server, { idle: IDLE });

  async function end() {
    if (isEnding) return;
    isEnding = true;
    await close();
    await redis.close();
    process.exit(0);
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, end);
}

start().catch((err) => {
  console.error(err);
  process.exit(1);
});
