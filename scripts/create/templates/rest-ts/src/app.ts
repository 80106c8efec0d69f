import express, { type ErrorRequestHandler } from 'nozomi';
import logger from 'nozomi/logger';
import { openapi } from 'nozomi/openapi';
import { z } from 'zod';
import { notes } from './notes.js';

export interface AppOptions {
  /** Whether the application accepts requests: false while it ends. */
  isReady?: () => boolean;
  /** Whether to write a line for each request. */
  hasLog?: boolean;
}

/** Creates the application without a server, so that tests can start it on any port. */
export function createApp({ isReady = () => true, hasLog = true }: AppOptions = {}): express.Application {
  const app = express();
  app.disable('x-powered-by');
  app.get('/health', (_req, res) => void res.send('alive'));
  app.get(
    '/ready',
    (_req, res) => void res.status(isReady() ? 200 : 503).send(isReady() ? 'ready' : 'not ready'),
  );
  if (hasLog) app.use(logger(process.env.NODE_ENV === 'production' ? 'json' : 'dev'));

  app.use(openapi({ info: { title: 'Notes', version: '1.0.0' }, error: z.object({ error: z.string() }) }));
  app.use('/notes', notes());

  app.use((req, res) => void res.status(404).json({ error: `${req.path} does not exist` }));
  const onError: ErrorRequestHandler = (err, _req, res, _next) => {
    const status = err?.status ?? 500;
    if (status >= 500) console.error(err);
    res.status(status).json({ error: status < 500 ? err.message : 'internal error' });
  };
  return app.use(onError);
}
