// Functions that create middleware, with options, generics, promises and arrays of handlers.
import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import express from 'express';

interface LimitOptions {
  windowMs: number;
  max: number;
  keyOf?: (req: Request) => string;
}

export function limit({ max, keyOf = (req) => req.ip ?? '' }: LimitOptions): RequestHandler {
  const hits = new Map<string, number>();
  return (req, res, next) => {
    const count = (hits.get(keyOf(req)) ?? 0) + 1;
    hits.set(keyOf(req), count);
    if (count > max) {
      res.set('Retry-After', '60').status(429).json({ error: 'too many' });
      return;
    }
    next();
  };
}

export const wrap =
  (handler: (req: Request, res: Response, next: NextFunction) => Promise<unknown>): RequestHandler =>
  (req, res, next) => {
    Promise.resolve(handler(req, res, next)).catch(next);
  };

export function wrapTyped<P, ResBody, ReqBody, ReqQuery>(
  handler: (...args: Parameters<RequestHandler<P, ResBody, ReqBody, ReqQuery>>) => void | Promise<void>,
): RequestHandler<P, ResBody, ReqBody, ReqQuery> {
  return async (req, res, next) => {
    try {
      await handler(req, res, next);
    } catch (err) {
      next(err);
    }
  };
}

interface Schema<T> {
  parse(value: unknown): T;
}

export const validate =
  <B>(schema: Schema<B>): RequestHandler<Record<string, string>, unknown, B> =>
  (req, _res, next) => {
    req.body = schema.parse(req.body);
    next();
  };

function requireRole(...roles: string[]): RequestHandler {
  return (req, res, next) => (roles.includes(req.get('X-Role') ?? '') ? next() : res.sendStatus(403));
}

const logErrors: ErrorRequestHandler = (err, req, _res, next) => {
  console.error(req.method, req.originalUrl, err);
  next(err);
};

const chain: RequestHandler[] = [
  express.json({ limit: '10kb' }),
  limit({ windowMs: 1000, max: 5 }),
  requireRole('admin'),
];

const app = express();
app.use(chain);
app.use('/api', ...chain, [requireRole('root')]);
app.get(
  '/a',
  chain,
  wrap(async (_req, res) => res.json({ ok: true })),
);
app.get(
  '/b/:id',
  wrapTyped<{ id: string }, { id: string }, unknown, { full?: string }>(async (req, res) => {
    res.json({ id: req.params.id + (req.query.full ?? '') });
  }),
);
app.post('/c', validate<{ name: string }>({ parse: (value) => value as { name: string } }), (req, res) => {
  res.status(201).location(`/c/${req.body.name}`).end();
});
app.use((_req, res) => {
  res.status(404).type('txt').send('nothing here');
});
app.use(logErrors);
app.use(((err, _req, res, _next) => {
  res.status(err.status || 500).render('error', { error: err });
}) satisfies ErrorRequestHandler);
