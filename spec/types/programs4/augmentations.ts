// Packages and an application that augment requests, responses and locals.
import compression from 'compression';
import cookieParser from 'cookie-parser';
import cors from 'cors';
import { expectTypeOf } from 'expect-type';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import session from 'express-session';
import morgan from 'morgan';
import multer from 'multer';
import passport from 'passport';
import responseTime from 'response-time';

declare global {
  namespace Express {
    interface User {
      id: number;
    }
    interface Request {
      requestId: string;
    }
    interface Response {
      success<T>(data: T): this;
    }
    interface Locals {
      nonce?: string;
    }
    interface Application {
      version?: string;
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
    tenant?: string;
  }
  interface Response {
    ok(): void;
  }
  interface Application {
    close(): Promise<void>;
  }
}

const app = express();
const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 1000 } });

app.use(compression(), cookieParser('secret'), cors({ origin: true }), morgan('dev'), responseTime());
app.use(session({ secret: 'x', resave: false, saveUninitialized: false }));
app.use(passport.initialize(), passport.session());
app.post('/login', passport.authenticate('local', { failureRedirect: '/login' }), (req, res) => {
  expectTypeOf(req.user).toEqualTypeOf<Express.User | undefined>();
  expectTypeOf(req.isAuthenticated()).toEqualTypeOf<boolean>();
  req.logIn({ id: 1 }, (err) => (err ? res.sendStatus(500) : res.redirect('/')));
});
app.post('/files', upload.single('file'), (req, res) => {
  expectTypeOf(req.file?.originalname).toEqualTypeOf<string | undefined>();
  expectTypeOf(req.file).toEqualTypeOf<Express.Multer.File | undefined>();
  res.json(req.file?.size);
});
app.post('/photos/:album', upload.array('photos', 3), (req, res) => {
  expectTypeOf(req.params.album).toEqualTypeOf<string>();
  res.json(Array.isArray(req.files) ? req.files.length : 0);
});
app.get('/', cors(), (req, res) => {
  req.session.views = (req.session.views ?? 0) + 1;
  expectTypeOf(req.sessionID).toEqualTypeOf<string>();
  expectTypeOf(req.requestId).toEqualTypeOf<string>();
  expectTypeOf(req.tenant).toEqualTypeOf<string | undefined>();
  expectTypeOf(res.ok).toEqualTypeOf<() => void>();
  expectTypeOf(res.success({ a: 1 })).toEqualTypeOf(res);
  expectTypeOf(res.locals.nonce).toEqualTypeOf<string | undefined>();
  expectTypeOf(app.version).toEqualTypeOf<string | undefined>();
});
expectTypeOf(app.close()).toEqualTypeOf<Promise<void>>();
expectTypeOf<Request['requestId']>().toEqualTypeOf<string>();
expectTypeOf<Response['ok']>().toEqualTypeOf<() => void>();

// Interfaces that extend those of Express.
interface Authenticated extends Request {
  account: { name: string };
}
interface Counted extends Response<unknown, { count: number }> {
  total: number;
}
const isAuthenticated = (req: Request): req is Authenticated => 'account' in req;
const authenticate: RequestHandler = (req, res, next) => {
  if (!isAuthenticated(req)) return void res.sendStatus(401);
  res.locals.name = req.account.name;
  (res as Counted).total = 1;
  next();
};
const count = (_req: Request, res: Response<unknown, { count: number }>, next: NextFunction): void => {
  res.locals.count += 1;
  next();
};
app.get('/count', authenticate, count);
class Controller {
  constructor(private readonly router = express.Router()) {
    this.router.get('/', this.show).use('/:id', authenticate, this.show.bind(this));
  }
  mount(on: express.Application): void {
    on.use('/controller', this.router);
  }
  private readonly show = (req: Request<{ id?: string }>, res: Response): void => {
    res.send(req.params.id);
  };
}
new Controller().mount(app);
