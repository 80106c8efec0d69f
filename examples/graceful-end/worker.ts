/** A worker that shuts down gracefully: on SIGTERM, on a message of its cluster, and after an uncaught error. */
import framework from 'nozomi';
import { graceful } from 'nozomi/graceful';

const app = framework();
// One proxy on this machine precedes the application.
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
// Longer than the proxy keeps its connections.
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
// The state of the process may be damaged: complete the running requests, then exit, so that the supervisor starts a
// new process.
process.on('uncaughtException', (err) => {
  console.error(err);
  void end(1);
});
