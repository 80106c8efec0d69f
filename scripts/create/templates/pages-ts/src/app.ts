import { fileURLToPath } from 'node:url';
import express, { type ErrorRequestHandler } from 'nozomi';
import logger from 'nozomi/logger';
import { notes } from './notes.js';

export interface AppOptions {
  /** Whether the application accepts requests: false while it ends. */
  isReady?: () => boolean;
  /** Whether to write a line for each request. */
  hasLog?: boolean;
}

const pathOf = (folder: string): string => fileURLToPath(new URL(`../${folder}`, import.meta.url));

/** Creates the application without a server, so that tests can start it on any port. */
export function createApp({ isReady = () => true, hasLog = true }: AppOptions = {}): express.Application {
  const app = express();
  app.disable('x-powered-by');
  app.set('views', pathOf('views')).set('view engine', 'ejs');
  app.get('/health', (_req, res) => void res.send('alive'));
  app.get(
    '/ready',
    (_req, res) => void res.status(isReady() ? 200 : 503).send(isReady() ? 'ready' : 'not ready'),
  );
  app.use(express.static(pathOf('public')));
  if (hasLog) app.use(logger(process.env.NODE_ENV === 'production' ? 'json' : 'dev'));

  app.use(notes());

  app.use((req, res) => void res.status(404).render('error', { message: `${req.path} does not exist.` }));
  const onError: ErrorRequestHandler = (err, _req, res, _next) => {
    const status = err?.status ?? 500;
    if (status >= 500) console.error(err);
    res.status(status).render('error', { message: status < 500 ? err.message : 'An error occurred.' });
  };
  return app.use(onError);
}
