/**
 * The server of `floods.spec.ts`, in a child process. Sends its port to the parent process, and for each message its
 * memory after a garbage collection.
 */
import type { AddressInfo } from 'node:net';
import framework from 'nozomi';
import { createServer } from 'nozomi/http2';

const app = framework().set('env', 'production');
app.post('/', (req) => void req.on('error', () => undefined).resume());
app.get('/part', (_req, res) => void res.write('part'));
app.get('/', (_req, res) => void res.send('alive'));

const server = createServer({ cleartext: true }, app).listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.on('message', () => {
  globalThis.gc?.();
  process.send?.({ heap: process.memoryUsage().heapUsed, rss: process.memoryUsage.rss() });
});
process.on('disconnect', () => process.exit());
