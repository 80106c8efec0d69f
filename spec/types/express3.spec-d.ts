/** Types of `nozomi/3`, in an application of Express 3, with deprecated members. */
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
  // A member of Express 5 that nozomi/3 has too.
  expectTypeOf(req.hostname).toEqualTypeOf<string>();
  expectTypeOf(next).parameters.toEqualTypeOf<[err?: unknown]>();
  // @ts-expect-error the value is missing
  res.set('X-Field');
  return res.send(404);
});

// Forms of `send`, `json` and `jsonp` with a status, and other methods in the form of Express 3.
app.post('/', (_req, res) => {
  expectTypeOf(res.send(200, 'body')).toEqualTypeOf(res);
  expectTypeOf(res.send('body', 200)).toEqualTypeOf(res);
  expectTypeOf(res.json(201, { a: 1 })).toEqualTypeOf(res);
  expectTypeOf(res.jsonp({ a: 1 }, 201)).toEqualTypeOf(res);
  expectTypeOf(res.locals({ a: 1 })).toEqualTypeOf<{ a: number }>();
  expectTypeOf(res.redirect).toBeCallableWith('/there', 301);
  expectTypeOf(res.sendfile).toBeCallableWith('/file', { root: '/', hidden: true }, () => undefined);
});

// Members that later versions of Express removed or changed.
expectTypeOf(app.configure).toBeCallableWith('production', 'test', () => undefined);
expectTypeOf(app.del).toBeCallableWith('/', (_req: express3.Request, res: express3.Response) =>
  res.send(200),
);
expectTypeOf(app.router).toEqualTypeOf<express3.Handler>();
expectTypeOf(app.route).toEqualTypeOf<string>();
expectTypeOf<express3.Route['keys']>().toEqualTypeOf<Array<{ name: string; optional: boolean }>>();
// @ts-expect-error the value is missing
app.set('name');
// @ts-expect-error in Express 3 the path of middleware is a string
app.use(/x/, () => undefined);

// An application and a router of nozomi mounted in an application of nozomi/3, and the reverse.
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
