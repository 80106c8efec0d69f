// Error classes and error handlers.
import express, { type NextFunction, type Request, type Response } from 'express';

export class HttpError extends Error {
  readonly status: number;
  readonly details: Record<string, string[]> | undefined;

  constructor(status: number, message: string, details?: Record<string, string[]>) {
    super(message);
    this.name = new.target.name;
    this.status = status;
    this.details = details;
  }
}

export class NotFound extends HttpError {
  constructor(what: string) {
    super(404, `${what} not found`);
  }
}

type Problem = { type: string; title: string; status: number };

export function onError(err: unknown, req: Request, res: Response<Problem>, next: NextFunction): void {
  if (res.headersSent) return next(err);
  const status = err instanceof HttpError ? err.status : 500;
  const title = err instanceof Error ? err.message : String(err);
  res.status(status).type('application/problem+json').json({ type: req.path, title, status });
}

const app = express();
app.get('/users/:userId', async (req, res, next) => {
  const user = await Promise.resolve<{ id: string } | undefined>(undefined);
  if (!user) return next(new NotFound(`user ${req.params.userId}`));
  res.json(user);
});
app.get('/skip', (_req, _res, next) => next('route'));
app.get('/leave', (_req, _res, next) => {
  next('router');
});
app.get('/thrown', () => {
  throw new HttpError(422, 'invalid', { name: ['is missing'] });
});
app.all('*rest', (req: Request, _res: Response, next: NextFunction) => {
  next(new NotFound(req.originalUrl));
});
app.use((err: HttpError, _req: Request, res: Response, next: NextFunction) => {
  if (err.status === 422) {
    res.status(422).json(err.details);
  } else {
    next(err);
  }
});
app.use(onError);
app.use('/api', (err: any, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
  res.status(err.statusCode ?? 500).send({ message: err.message });
});
