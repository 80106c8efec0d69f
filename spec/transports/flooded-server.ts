/**
 * A server for `floods.spec.ts` in a process of its own. It sends its port, and its memory after a garbage
 * collection.
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
