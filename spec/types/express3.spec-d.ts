/** The types of `nozomi/3`: correct uses of a 3.x application, and deprecated ones. */
import { expectTypeOf } from 'expect-type';
import framework from 'nozomi';
import express3 from 'nozomi/3';

const app = express3();
expectTypeOf(app).toEqualTypeOf<express3.Application>();

app.get('/user/:id', (req, res, next) => {
  expectTypeOf(req.params.id).extract<string>().toBeString();
  expectTypeOf(req.params[0]).extract<string>().toBeString();
  expectTypeOf(req.accepts('html')).toEqualTypeOf<string | undefined>();
  expectTypeOf(req.is('html')).toEqualTypeOf<boolean>();
  expectTypeOf<(typeof req.accepted)[number]['quality']>().toEqualTypeOf<number>();
  expectTypeOf(req.route.path).toEqualTypeOf<string | RegExp | readonly string[]>();
  // Members of Express 5, unless 3.x gives the name another meaning.
  expectTypeOf(req.hostname).toEqualTypeOf<string>();
  expectTypeOf(next).parameters.toEqualTypeOf<[err?: unknown]>();
  // @ts-expect-error the value is missing
  res.set('X-Field');
  return res.send(404);
});

// Each form of `send` and similar methods returns the response.
app.post('/', (_req, res) => {
  expectTypeOf(res.send(200, 'body')).toEqualTypeOf(res);
  expectTypeOf(res.send('body', 200)).toEqualTypeOf(res);
  expectTypeOf(res.json(201, { a: 1 })).toEqualTypeOf(res);
  expectTypeOf(res.jsonp({ a: 1 }, 201)).toEqualTypeOf(res);
  expectTypeOf(res.locals({ a: 1 })).toEqualTypeOf<{ a: number }>();
  expectTypeOf(res.redirect).toBeCallableWith('/there', 301);
  expectTypeOf(res.sendfile).toBeCallableWith('/file', { root: '/', hidden: true }, () => undefined);
});

// Deprecated members still exist.
expectTypeOf(app.configure).toBeCallableWith('production', 'test', () => undefined);
expectTypeOf(app.del).toBeCallableWith('/', (_req: express3.Request, res: express3.Response) =>
  res.send(200),
);
expectTypeOf(app.router).toEqualTypeOf<express3.Handler>();
expectTypeOf(app.route).toEqualTypeOf<string>();
expectTypeOf<express3.Route['keys']>().toEqualTypeOf<Array<{ name: string; optional: boolean }>>();
// @ts-expect-error the value is missing
app.set('name');
// @ts-expect-error In 3.x the path of middleware is a string.
app.use(/x/, () => undefined);

// 5.x in 3.x, and 3.x in 5.x.
app.use('/api', framework());
app.use('/router', framework.Router());
framework().use('/old', app);

const told: express3.ErrorHandler = (err, _req, res, _next) => res.send(500, err.message);
app.use(told);
app.get('/chain', (_req, _res, next) => next(), told);
app.param('id', (_req, _res, next, value, name) => {
  expectTypeOf(name).toEqualTypeOf<string>();
  next(value ? undefined : new Error('none'));
});
app.use(express3.bodyParser());
app.use(express3.static('/public'));
