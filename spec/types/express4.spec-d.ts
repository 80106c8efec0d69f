/** Types of `nozomi/4`, in an application of Express 4, with deprecated members. */
import type { Server } from 'node:http';
import { expectTypeOf } from 'expect-type';
import framework from 'nozomi';
import express4 from 'nozomi/4';

const app = express4();
expectTypeOf(app).toExtend<express4.Application>();
expectTypeOf(app).toExtend<express4.Express>();

app.get('/users/:id/:part?', (req, res, next) => {
  expectTypeOf(req.params).toEqualTypeOf<{ id: string } & { part?: string }>();
  expectTypeOf(req.query).toBeObject();
  req.query = { replaced: 'yes' };
  expectTypeOf(req.hostname).toEqualTypeOf<string>();
  expectTypeOf(req.accepts('html')).toEqualTypeOf<string | false>();
  expectTypeOf(res.status(404).json({ a: 1 })).toEqualTypeOf(res);
  expectTypeOf(next).parameters.toExtend<[unknown?]>();
});

// A path with a pattern or a star, a list and a regular expression may have any parameter.
app.get('/users/:id(\\d+)', (req) => expectTypeOf(req.params.id).extract<string>().toBeString());
app.get('/files/*', (req) => expectTypeOf(req.params[0]).extract<string>().toBeString());
app.get(['/a', /^\/b(.*)$/], (req) => expectTypeOf(req.params[0]).extract<string>().toBeString());
app.get('/one', [(_req: express4.Request, res: express4.Response) => res.end()]);
app.get('/async', async (_req, res) => {
  res.send('later');
});

interface Item {
  id: number;
}
app.post<{ id: string }, Item, Omit<Item, 'id'>>('/items/:id', (req, res) => {
  expectTypeOf(req.params.id).toEqualTypeOf<string>();
  res.json({ id: Number(req.params.id) });
  // @ts-expect-error the body must be an item
  res.json({ name: 'x' });
});

// Members that Express 5 removed or changed.
app.del('/', (req, res) => {
  expectTypeOf(req.param('id', 'none')).toBeAny();
  expectTypeOf(req.acceptsCharset('utf-8')).toEqualTypeOf<string | false>();
  res.send(200, 'body');
  res.send('body', 200);
  res.send(204);
  res.json(201, { a: 1 });
  res.json({ a: 1 }, 201);
  res.jsonp(201, { a: 1 });
  res.redirect('/there', 301);
  res.redirect('back');
  res.sendfile('/file', { root: '/', hidden: true }, () => undefined);
  res.vary();
});
app.param((_name, option: RegExp) => (_req, _res, next, value) => next(option.test(value) ? null : 'route'));
app.param('id', /^\d+$/);
app.param(['id', 'name'], (_req, _res, next) => next());
app.lazyrouter();
expectTypeOf(app._router).toBeAny();
expectTypeOf(app.router).toBeNever();

app.use((err: Error, _req: express4.Request, res: express4.Response, _next: express4.NextFunction) => {
  res.status(500).send(err.message);
});
app.use(
  '/api',
  express4.Router({ mergeParams: true }).get('/', (_req, res) => res.end()),
  express4(),
);
app.use(express4.json({ limit: '1mb' }), express4.urlencoded({ extended: true }), express4.static('public'));
express4.static('public', { preCompressed: ['br'] });
app.use(express4.query());
expectTypeOf(express4.static.mime.lookup('a.js')).toEqualTypeOf<string>();
expectTypeOf(new express4.Route('/x').get(() => undefined)).toExtend<express4.IRoute>();
app
  .route('/chained')
  .get((_req, res) => res.end())
  .post((_req, res) => res.end());

// A router and an application of nozomi, mounted in an application of nozomi/4.
app.use('/next', framework.Router(), framework());
expectTypeOf(app.listen(0, () => undefined)).toEqualTypeOf<Server>();

const handler: express4.RequestHandler = (_req, _res, next) => next();
const failing: express4.ErrorRequestHandler = (err, _req, _res, next) => next(err);
const router: express4.Router = express4.Router();
router.use(handler, failing);
