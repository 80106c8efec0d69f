/** Express with the seeded faults. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { FAULTS } from './faults';

function framework(): express.Express {
  const app = express();
  app.use((_req, res, next) => {
    res.setHeader('X-Powered-By', 'Faulty');
    next();
  });
  const { handle } = app as unknown as { handle: (...args: unknown[]) => void };
  Object.assign(app, {
    handle(req: IncomingMessage, res: ServerResponse, next: unknown) {
      const name = req.headers['x-fault'] as string | undefined;
      if (name === 'the process ends') {
        process.stderr.write('farewell\n');
        process.exit(3);
      }
      if (name === 'the process hangs') for (;;);
      FAULTS[name ?? '']?.framework?.(res, req);
      Reflect.apply(handle, app, [req, res, next]);
    },
  });
  return app;
}

module.exports = Object.assign(framework, express);
