// An import of all exports under one name.
import * as express from 'express';

export function setUp(make: typeof express.default): express.Express {
  const app: express.Express = make();
  app.use(express.json(), express.urlencoded({ extended: false }), express.static('public'));
  return app;
}
const router: express.Router = express.Router();
router.use((req: express.Request, res: express.Response, next: express.NextFunction) => {
  res.setHeader('x-path', req.path);
  next();
});
export const handler: express.RequestHandler = (_req, res) => {
  res.end();
};
