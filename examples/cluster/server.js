// One of several equal processes behind a proxy, with sessions in Redis. docs/deployment.md explains how to start it:
// alone, with primary.js, with PM2, or in a container.
//
// The environment variables are PORT, METRICS_PORT, REDIS_URL, SESSION_SECRET and IDLE.
const { performance } = require('node:perf_hooks');
const { promisify } = require('node:util');
const { rateLimit } = require('express-rate-limit');
const session = require('express-session');
const { RedisStore } = require('connect-redis');
const { collectDefaultMetrics, Gauge, register } = require('prom-client');
const { RedisStore: LimitStore } = require('rate-limit-redis');
const { createClient } = require('redis');
const framework = require('nozomi');
const { graceful } = require('nozomi/graceful');

const {
  PORT = '3000',
  METRICS_PORT,
  REDIS_URL = 'redis://127.0.0.1:6379',
  SESSION_SECRET = 'only for development',
} = process.env;
/**
 * How many milliseconds idle connections stay open after a shutdown begins. This must be longer than nginx keeps them
 * (4 s in nginx.conf).
 */
const IDLE = Number(process.env.IDLE ?? 5000);

/** How many milliseconds to wait for a reply of Redis. */
const PATIENCE = 2000;

// While there is no connection, commands fail at once. By default, node-redis would queue them.
const redis = createClient({ url: REDIS_URL, disableOfflineQueue: true });
redis.on('error', (err) => console.error('redis:', err.message));

/** Makes a command fail with status 503 if Redis does not reply in time. node-redis waits without a limit. */
const limited =
  (command) =>
  async (...args) => {
    let timer;
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no reply from Redis to ${command}`)), PATIENCE);
    });
    try {
      return await Promise.race([redis[command](...args), late]);
    } catch (err) {
      throw Object.assign(err, { status: 503 });
    } finally {
      clearTimeout(timer);
    }
  };
const [get, set, expire, del, ping, sendCommand] = ['get', 'set', 'expire', 'del', 'ping', 'sendCommand'].map(
  limited,
);

let isEnding = false;
const app = framework();
app.set('trust proxy', 'loopback');

// These routes come before the session middleware, because probes need no session.
app.get('/health', (_req, res) => void res.send('alive'));
app.get('/ready', async (_req, res) => {
  const isReady = !isEnding && (await ping().catch(() => false));
  res.status(isReady ? 200 : 503).send(isReady ? 'ready' : 'not ready');
});

// Its limit needs a connection to Redis, so `start` adds it.
const login = framework.Router();
app.use('/login', login);

app.use(
  session({
    store: new RedisStore({ client: { get, set, expire, del } }),
    secret: SESSION_SECRET,
    resave: false,
    saveUninitialized: false,
  }),
);
app.all('/', framework.json(), async (req, res) => {
  req.session.count = (req.session.count ?? 0) + 1;
  // express-session would save the session after it has begun to respond. An error must come before.
  await promisify(req.session.save).call(req.session);
  const { ip, host, method, body } = req;
  res.json({ pid: process.pid, count: req.session.count, ip, host, method, body });
});
// Otherwise, express-session would save the session again after an error response, and cut the connection if it fails.
app.use((err, req, _res, next) => {
  req.session = null;
  next(err);
});

/** Limits the attempts of each address. Redis counts them for all processes. */
function limitLogin() {
  const store = new LimitStore({ sendCommand: (...command) => sendCommand(command) });
  login.use(rateLimit({ windowMs: 60_000, limit: 5, store }));
  login.post('/', (_req, res) => void res.send('tried'));
}

/** Serves metrics for Prometheus on a port of their own, which the proxy does not forward. */
function serveMetrics(port) {
  collectDefaultMetrics();
  let before = performance.eventLoopUtilization();
  new Gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'How busy the event loop was since the last request for metrics, from 0 to 1.',
    collect() {
      const now = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(now, before).utilization);
      before = now;
    },
  });
  const metrics = framework();
  metrics.get(
    '/metrics',
    async (_req, res) => void res.type(register.contentType).send(await register.metrics()),
  );
  metrics.listen(port);
}

async function start() {
  await redis.connect();
  limitLogin();
  const server = app.listen(Number(PORT), (err) => {
    if (err) throw err;
    // With `wait_ready`, PM2 waits for this message.
    process.send?.('ready');
  });
  // This must be longer than the proxy keeps idle connections. Otherwise the server may close a connection that the
  // proxy is about to use.
  server.keepAliveTimeout = 10_000;
  if (METRICS_PORT) serveMetrics(Number(METRICS_PORT));
  // The process exits without redis.close(), which waits for Redis. All responses have been sent.
  graceful(server, { idle: IDLE, signals: ['SIGTERM', 'SIGINT'] });
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.once(signal, () => {
      isEnding = true;
    });
  }
}

start().catch((err) => {
  console.error(err);
  process.exit(1);
});
