// Applications and packages that augment the types of Express.

import audit, { type AuditedRequest } from 'connect-audit';
import express, { type Handler, type Request, type RequestHandler } from 'express';
import type { Session } from 'express-session';

declare global {
  namespace Express {
    interface User {
      email: string;
    }
    interface Request {
      user?: { id: number };
      requestId: string;
      login(user: User, done: (err: unknown) => void): void;
    }
    interface Response {
      success<T>(data: T, status?: number): this;
    }
    interface Locals {
      nonce: string;
    }
  }
}
declare module 'express-session' {
  interface SessionData {
    views: number;
  }
}
declare module 'express-serve-static-core' {
  interface Request {
    startedAt: number;
    flash(kind: string, message?: string): string[];
  }
  interface Application {
    close(): Promise<void>;
  }
}

interface AuthenticatedRequest extends Request {
  user: { id: number };
}
const isAuthenticated = (req: Request): req is AuthenticatedRequest => req.user !== undefined;
const authenticate: Handler = (req, res, next) => {
  if (!isAuthenticated(req)) return void res.sendStatus(401);
  res.locals.nonce = req.user.id.toString(16);
  next();
};
const ownOnly: RequestHandler<{ id: string }> = (req, res, next) => {
  if (Number(req.params.id) === (req as unknown as AuthenticatedRequest).user.id) next();
  else res.sendStatus(403);
};

const app = express();
app.use((req, _res, next) => {
  req.requestId = req.get('x-request-id') ?? String(req.startedAt);
  next();
});
app.use(audit({ level: 'info' }), audit.errors());
audit.attach(app, authenticate, [audit()]).set('audited', true);
app.get('/', authenticate, (req, res) => {
  const session: Session = req.session;
  req.session.views = (req.session.views ?? 0) + 1;
  req.login({ email: 'a@example.com' }, () => session.touch());
  res.success({ flash: req.flash('info'), by: (req as AuditedRequest).auditor?.name }).status(200);
});
app.get('/:id', authenticate, ownOnly, (req, res) => {
  res.success(res.audited ? req.params.id.length : 0);
});
app.close().then(() => console.log('closed'));
