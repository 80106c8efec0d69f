import express from 'nozomi';
import logger from 'nozomi/logger';
import { openapi } from 'nozomi/openapi';
import { z } from 'zod';
import { notes } from './notes.js';

/**
 * Creates the application without a server, so that tests can start it on any port.
 *
 * @param {object} [options]
 * @param {() => boolean} [options.isReady] Whether the application accepts requests: false while it ends.
 * @param {boolean} [options.hasLog] Whether to write a line for each request.
 */
export function createApp({ isReady = () => true, hasLog = true } = {}) {
  const app = express();
  app.disable('x-powered-by');
  app.get('/health', (_req, res) => res.send('alive'));
  app.get('/ready', (_req, res) => res.status(isReady() ? 200 : 503).send(isReady() ? 'ready' : 'not ready'));
  if (hasLog) app.use(logger(process.env.NODE_ENV === 'production' ? 'json' : 'dev'));

  app.use(openapi({ info: { title: 'Notes', version: '1.0.0' }, error: z.object({ error: z.string() }) }));
  app.use('/notes', notes());

  app.use((req, res) => res.status(404).json({ error: `${req.path} does not exist` }));
  app.use((err, _req, res, _next) => {
    const status = err?.status ?? 500;
    if (status >= 500) console.error(err);
    res.status(status).json({ error: status < 500 ? err.message : 'internal error' });
  });
  return app;
}
