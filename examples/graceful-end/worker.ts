/** A worker that ends gracefully: on SIGTERM, on a word from its cluster, and after an uncaught error. */
import framework from 'nozomi';
import { graceful } from 'nozomi/graceful';

const app = framework();
// One proxy stands in front, on this machine.
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
    throw new Error('not caught');
  });
});

const server = app.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
// Longer than the proxy keeps its connections to us.
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
// What is broken may be broken for good: finish what others wait for, and let the supervisor start anew.
process.on('uncaughtException', (err) => {
  console.error(err);
  void end(1);
});
