// Declarations that augment the types of Express, in either of two ways, augment the types of this package too.
import { expectTypeOf } from 'expect-type';
import framework, { type Request, type RequestHandler, type Response } from 'nozomi';

interface User {
  id: number;
}

declare global {
  namespace Express {
    interface Request {
      user?: { id: number };
    }
    interface Response {
      flash(message: string): void;
    }
    interface Locals {
      title?: string;
    }
    interface Application {
      version?: string;
    }
  }
}

declare module 'express-serve-static-core' {
  interface Request {
    tenant?: string;
  }
  interface Response {
    ok(): void;
  }
}

const app = framework();

expectTypeOf(app.version).toEqualTypeOf<string | undefined>();
app.get('/', (req, res) => {
  expectTypeOf(req.user).toEqualTypeOf<User | undefined>();
  expectTypeOf(req.tenant).toEqualTypeOf<string | undefined>();
  expectTypeOf(res.flash).toEqualTypeOf<(message: string) => void>();
  expectTypeOf(res.ok).toEqualTypeOf<() => void>();
  expectTypeOf(res.locals.title).toMatchTypeOf<string | undefined>();
});
expectTypeOf<Request['user']>().toEqualTypeOf<User | undefined>();
expectTypeOf<Request['tenant']>().toEqualTypeOf<string | undefined>();
expectTypeOf<Response['flash']>().toEqualTypeOf<(message: string) => void>();

interface Counted extends Request {
  count: { views: number };
}
const counted: RequestHandler = (req, _res, next) => {
  (req as Counted).count.views++;
  next();
};
app.use(counted);
