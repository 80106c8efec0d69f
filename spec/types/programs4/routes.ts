// Routes of Express 4, and the types in their handlers.
import { expectTypeOf } from 'expect-type';
import express from 'express';

const app = express();
const router = express.Router({ mergeParams: true, caseSensitive: true, strict: true });

app.get('/', (req, res, next) => {
  expectTypeOf(req.params).toEqualTypeOf<{}>();
  expectTypeOf(req.query).toEqualTypeOf<express.Request['query']>();
  expectTypeOf(req.query.q).toEqualTypeOf<express.Request['query'][string]>();
  expectTypeOf(req.body).toBeAny();
  expectTypeOf(req.cookies).toBeAny();
  expectTypeOf(req.signedCookies).toBeAny();
  expectTypeOf(req.ip).toEqualTypeOf<string | undefined>();
  expectTypeOf(req.get('set-cookie')).toEqualTypeOf<string[] | undefined>();
  expectTypeOf(req.header('accept')).toEqualTypeOf<string | undefined>();
  expectTypeOf(req.is('json')).toEqualTypeOf<string | false | null>();
  expectTypeOf(res.locals).toEqualTypeOf<express.Response['locals']>();
  expectTypeOf(res.locals.title).toBeAny();
  expectTypeOf(app.locals.title).toBeAny();
  expectTypeOf(res.status(201).set('X-A', 'b').json({})).toEqualTypeOf(res);
  expectTypeOf(next).toEqualTypeOf<express.NextFunction>();
});

// Paths whose parameters TypeScript infers.
app.get('/users/:id', (req, res) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
  // @ts-expect-error the path has no such parameter
  res.send(req.params.name);
});
app.put('/flights/:from-:to', (req) => {
  expectTypeOf(req.params.from).toEqualTypeOf<string>();
  expectTypeOf(req.params.to).toEqualTypeOf<string>();
});
app.patch('/files/:name.:extension?', (req) => {
  expectTypeOf(req.params.name).toEqualTypeOf<string>();
  expectTypeOf(req.params.extension).toEqualTypeOf<string | undefined>();
});
app.delete('/users/:id/:part?', (req) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
  expectTypeOf(req.params.part).toEqualTypeOf<string | undefined>();
});
// Paths that may have any parameter: patterns, lists, regular expressions, computed strings.
app.post('/users/:id(\\d+)', (req) => expectTypeOf(req.params.id).extract<string>().toBeString());
app.head(['/a', '/b/:id'], (req) => expectTypeOf(req.params.id).extract<string>().toBeString());
app.options(/^\/files\/(.*)$/, (req) => expectTypeOf(req.params[0]).extract<string>().toBeString());
app.all(['/c', /^\/d/], (req) => expectTypeOf(req.params[0]).extract<string>().toBeString());
const prefix: string = process.env.PREFIX ?? '/';
app.get(prefix, (req) => expectTypeOf(req.params.id).extract<string>().toBeString());
const paths: string[] = ['/e'];
app.get(paths, (_req, res) => res.end());
// Paths with stars and optional characters.
app.get('*', (_req, res) => res.end());
app.get('/ab?cd', (_req, res) => res.end());
app.get('/ab+cd', (_req, res) => res.end());
app.get('/ab*cd', (_req, res) => res.end());
app.get('/a(bc)?d', (_req, res) => res.end());

// Several handlers, arrays of handlers, and error handlers.
const log: express.RequestHandler = (_req, _res, next) => next();
const fail: express.ErrorRequestHandler = (err, _req, res, _next) => res.status(500).send(err.message);
app.get('/many', log, log, (_req, res) => res.end());
app.get('/lists', [log, log], log);
app.get('/deep', log, [log, log], log);
app.get('/errors', log, fail);
app.use(log, fail);
app.use([log, log]);
app.use('/users/:id', (req, _res, next) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
  expectTypeOf(req.baseUrl).toEqualTypeOf<string>();
  next();
});
app.use(['/x', /^\/y/], log);
app.use((_req, res) => {
  res.status(404).render('404', { title: 'none' });
});
app.use((err: Error, req: express.Request, res: express.Response, next: express.NextFunction) => {
  if (res.headersSent) return next(err);
  res.status(500).json({ message: err.message, path: req.path });
});
app.get('/async', async (req, res, next) => {
  try {
    res.json(await Promise.resolve(req.query));
  } catch (err) {
    next(err);
  }
});

// Routers and applications, mounted and nested.
router.use(log);
router
  .route('/books/:isbn')
  .all(log)
  .get((req, res) => res.json(req.params.isbn))
  .post(log, (_req, res) => res.end());
router.get('/', log, (_req, res) => res.end());
app.use(router);
app.use('/v1', log, router);
app.use('/v2', express().use(router));
app.use(express().disable('x-powered-by'));
app
  .route('/chain')
  .get((_req, res) => res.end())
  .put([log, log], log);
const nested: express.Router = express.Router().use('/deep', router);
app.use('/nested', nested);

// Routes with type arguments.
interface Book {
  isbn: string;
}
app.post<
  { shelf: string },
  Book,
  Omit<Book, 'isbn'> & { title: string },
  { notify?: string },
  { user: string }
>('/shelves/:shelf', (req, res) => {
  expectTypeOf(req.params).toEqualTypeOf<{ shelf: string }>();
  expectTypeOf(req.body.title).toEqualTypeOf<string>();
  expectTypeOf(req.query.notify).toEqualTypeOf<string | undefined>();
  expectTypeOf(res.locals.user).toEqualTypeOf<string>();
  res.json({ isbn: req.params.shelf });
  // @ts-expect-error the property isbn is missing
  res.json({ title: 'none' });
});
type Params = { id: string };
const typed: express.RequestHandler<Params, Book, never, { full?: string }> = (req, res) => {
  res.send({ isbn: req.params.id + (req.query.full ?? '') });
};
app.get('/typed/:id', typed);
const read = (req: express.Request<Params>, res: express.Response<Book>): void => {
  res.json({ isbn: req.params.id });
};
app.get('/read/:id', read);
function wrap(handler: (req: express.Request, res: express.Response) => Promise<unknown>): express.Handler {
  return (req, res, next) => void handler(req, res).catch(next);
}
app.get(
  '/wrapped/:id',
  wrap(async (req, res) => res.send(req.params.id)),
);

// Parameter callbacks.
app.param('id', (req, _res, next, id, name) => {
  expectTypeOf(id).toBeAny();
  expectTypeOf(name).toEqualTypeOf<string>();
  req.app.locals.last = id;
  next();
});
app.param(['id', 'name'], (_req, _res, next) => next('route'));
router.param('id', (_req, _res, next) => next('router'));
