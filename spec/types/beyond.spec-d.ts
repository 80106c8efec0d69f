// Types of members that @types/express does not declare.
import { expectTypeOf } from 'expect-type';
import framework, {
  type Application,
  type ListedRoute,
  type RequestHandler,
  Router,
  urlencoded,
} from 'nozomi';

const app = framework();
const router = Router();
const handler: RequestHandler = (_req, res) => {
  res.end();
};

const made = new Router({ strict: true });
expectTypeOf(made).toEqualTypeOf(Router());
expectTypeOf(new framework.Router()).toEqualTypeOf(router);

expectTypeOf(router.listRoutes()).toEqualTypeOf<ListedRoute[]>();
expectTypeOf(app.router.listRoutes()).toEqualTypeOf<ListedRoute[]>();
for (const { path, methods, router: mounted } of router.listRoutes()) {
  expectTypeOf(path).toEqualTypeOf<string | RegExp>();
  expectTypeOf(methods).toEqualTypeOf<string[] | undefined>();
  expectTypeOf(mounted?.listRoutes()).toEqualTypeOf<ListedRoute[] | undefined>();
}
// @ts-expect-error only routers have this method
app.listRoutes();

// After `param(fn)`, each later call of `param` calls `fn` with its arguments to create the callback.
router.param(
  (name, option) => (_req, _res, next, value) => next(option(value) ? undefined : new Error(name)),
);
app.param((_name, option) => (typeof option === 'function' ? undefined : (_req, _res, next) => next()));
router.param('id', (_req, _res, next) => next());
app.param(['id', 'page'], (_req, _res, next) => next());
// @ts-expect-error a callback is missing
router.param('id');

// Without a path, the handlers are added to `/`.
app.get(handler);
app.get(handler, handler).post(handler).all([handler], handler);
router
  .get(handler)
  .put(handler, [handler])
  .delete((_req, res) => {
    expectTypeOf(res.headersSent).toEqualTypeOf<boolean>();
  });
app.get((req, res, next) => {
  expectTypeOf(req.path).toEqualTypeOf<string>();
  res.end();
  next();
});

urlencoded({
  extended: true,
  depth: 5,
  charsetSentinel: true,
  interpretNumericEntities: true,
  defaultCharset: 'utf-8',
});
// @ts-expect-error the value must be a number
urlencoded({ depth: 'deep' });

// Code may accept an application or a router.
const either = Math.random() < 0.5 ? framework() : Router();
either.get('/either', handler).use('/sub', either);
const targets: Array<Router | Application> = [app, router];
for (const target of targets) target.use(handler);
