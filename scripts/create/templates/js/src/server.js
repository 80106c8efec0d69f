import { graceful } from 'nozomi/graceful';
import { createApp } from './app.js';

const SIGNALS = ['SIGTERM', 'SIGINT'];
let isEnding = false;

const app = createApp({ isReady: () => !isEnding });
const server = app.listen(process.env.PORT ?? 3000, (err) => {
  if (err) throw err;
  console.log(`http://localhost:${server.address().port}`);
});
// Longer than a proxy keeps idle connections, so that the server closes none that the proxy uses.
server.keepAliveTimeout = 10_000;
// Completes the running requests, then ends the process. A second signal ends it at once.
graceful(server, { idle: process.env.NODE_ENV === 'production' ? 5000 : 0, signals: SIGNALS });
for (const signal of SIGNALS)
  process.once(signal, () => {
    isEnding = true;
  });
