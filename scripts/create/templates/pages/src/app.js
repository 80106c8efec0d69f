import { fileURLToPath } from 'node:url';
import express from 'nozomi';
import logger from 'nozomi/logger';
import { notes } from './notes.js';

const pathOf = (folder) => fileURLToPath(new URL(`../${folder}`, import.meta.url));

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
  app.set('views', pathOf('views')).set('view engine', 'ejs');
  app.get('/health', (_req, res) => res.send('alive'));
  app.get('/ready', (_req, res) => res.status(isReady() ? 200 : 503).send(isReady() ? 'ready' : 'not ready'));
  app.use(express.static(pathOf('public')));
  if (hasLog) app.use(logger(process.env.NODE_ENV === 'production' ? 'json' : 'dev'));

  app.use(notes());

  app.use((req, res) => res.status(404).render('error', { message: `${req.path} does not exist.` }));
  app.use((err, _req, res, _next) => {
    const status = err?.status ?? 500;
    if (status >= 500) console.error(err);
    res.status(status).render('error', { message: status < 500 ? err.message : 'An error occurred.' });
  });
  return app;
}
