// Members that this package has, and that @types/express does not declare
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
// @ts-expect-error a method of routers only
app.listRoutes();

// After `param(fn)`, later `param` calls pass their name and option to `fn`, which returns the callback.
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

// Each type is assignable to the other.
const either = Math.random() < 0.5 ? framework() : Router();
either.get('/either', handler).use('/sub', either);
const targets: Array<Router | Application> = [app, router];
for (const target of targets) target.use(handler);
