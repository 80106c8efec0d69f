/** A worker that shuts down gracefully: on SIGTERM, on `end` from its parent process, and after an uncaught error. */
import framework from 'nozomi';
import { graceful } from 'nozomi/graceful';

const app = framework();
// Trust the proxy on the same machine: `req.ip` and `req.host` come from its headers.
app.set('trust proxy', 'loopback');
app.get(
  '/',
  (req, res) => void setTimeout(() => res.json({ pid: process.pid, ip: req.ip, host: req.host }), 5),
);
app.post('/', framework.json(), (req, res) => void setTimeout(() => res.json(req.body), 5));
app.get('/slow', (_req, res) => void setTimeout(() => res.send('slow'), 400));
app.get('/crash', (_req, res) => {
  res.send('soon');
  setImmediate(() => {
    throw new Error('an error that no handler catches');
  });
});

const server = app.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
// This must be longer than the proxy keeps idle connections, so that the server does not close one that the proxy uses.
server.keepAliveTimeout = 5000;

const close = graceful(server, {
  idle: Number(process.env.IDLE ?? 0),
  deadline: 8000,
  signals: ['SIGTERM'],
});

async function end(code: number): Promise<void> {
  await close();
  process.exit(code);
}

process.on('message', (message) => {
  if (message === 'end') void end(0);
});
// After an uncaught error, the state of the process may be damaged. Complete the running requests and exit; the
// supervisor starts a new process.
process.on('uncaughtException', (err) => {
  console.error(err);
  void end(1);
});
