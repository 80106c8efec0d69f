// A CommonJS program without `esModuleInterop`, with `import * as`, which then is the function itself.

import { expectTypeOf } from 'expect-type';
import * as express from 'express';
import { type NextFunction, type Request, type Response, Router } from 'express';

const app: express.Application = express();
const router = Router();
router.param('id', (_req: Request, _res: Response, next: NextFunction, id: string) => next(id));
app.use('/api', express.json(), router);
app.use((err: Error, _req: Request, res: Response, _next: NextFunction) => {
  res.status(500).send(err.message);
});
app.set('views', 'views').listen(0);

expectTypeOf(express.urlencoded).not.toBeAny();
expectTypeOf(express.static('public')).toBeCallableWith(
  {} as express.Request,
  {} as express.Response,
  {} as NextFunction,
);
