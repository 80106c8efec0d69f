// Types of handlers (§1). Applications rely on the order and defaults of type parameters in @types/express.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expectTypeOf } from 'expect-type';
import framework, {
  type Application,
  type ErrorRequestHandler,
  type Express,
  type Handler,
  type IRoute,
  type IRouter,
  type NextFunction,
  type Request,
  type RequestHandler,
  type RequestParamHandler,
  type Response,
  Router,
} from 'nozomi';

const app = framework();

expectTypeOf(app).toEqualTypeOf<ReturnType<typeof framework>>();
expectTypeOf(app).toMatchTypeOf<Express>();
expectTypeOf(app).toMatchTypeOf<Application>();
expectTypeOf(app).toMatchTypeOf<RequestHandler>();
expectTypeOf(app).toMatchTypeOf<(req: IncomingMessage, res: ServerResponse) => unknown>();
expectTypeOf(Router()).toMatchTypeOf<Router>();
expectTypeOf(Router()).toMatchTypeOf<IRouter>();
expectTypeOf(Router()).toMatchTypeOf<RequestHandler>();
expectTypeOf(app.route('/' as string)).toMatchTypeOf<IRoute>();

app.use((req, res, next) => {
  expectTypeOf(req).toMatchTypeOf<Request>();
  expectTypeOf(res).toMatchTypeOf<Response>();
  expectTypeOf(next).toEqualTypeOf<Parameters<RequestHandler>[2]>();
  next();
  next(new Error('x'));
  next('route');
  next('router');
});
app.use((err: Error, _req: Request, res: Response, _next: NextFunction) => {
  res.status(500).send(err.message);
});
app.get('/', async (_req, res) => {
  res.send('later');
});

const handler: RequestHandler = (req, res, next) => {
  expectTypeOf(req.body).toBeAny();
  expectTypeOf(req.query).not.toBeAny();
  expectTypeOf(res.locals).toMatchTypeOf<Record<string, any>>();
  next();
};
const onError: ErrorRequestHandler = (err, _req, res, next) => {
  expectTypeOf(err).toBeAny();
  if (res.headersSent) return next(err);
  res.sendStatus(500);
};
const plain: Handler = (_req, res) => {
  res.end();
};
const onParam: RequestParamHandler = (_req, _res, next, value, name) => {
  expectTypeOf(value).toBeAny();
  expectTypeOf(name).toEqualTypeOf<string>();
  next();
};
app.use(handler, plain, onError);
app.use([handler, [onError]] as RequestHandler[]);
app.use('/path', handler);
app.use(['/a', /b/], handler);
app.use('/sub', framework());
app.use('/sub', Router());
app.param('id', onParam);
app.param(['id', 'page'], onParam);
Router().param('id', onParam);
// @ts-expect-error a number is not middleware
app.use(5);
// @ts-expect-error a string is not a handler
app.get('/', 'handler');

interface Params {
  id: string;
}
interface Body {
  name: string;
}
interface ReceivedResponse {
  ok: boolean;
}
interface Query {
  page?: string;
}
interface Locals extends Record<string, unknown> {
  user: string;
}

const typed: RequestHandler<Params, ReceivedResponse, Body, Query, Locals> = (req, res) => {
  expectTypeOf(req.params).toEqualTypeOf<Params>();
  expectTypeOf(req.body).toEqualTypeOf<Body>();
  expectTypeOf(req.query).toEqualTypeOf<Query>();
  expectTypeOf(res.locals.user).toEqualTypeOf<string>();
  expectTypeOf(res.json).parameter(0).toEqualTypeOf<ReceivedResponse | undefined>();
  res.json({ ok: true });
  // @ts-expect-error the body is not of the declared type
  res.json({ nope: true });
};
app.post('/things/:id', typed);
app.post<Params, ReceivedResponse, Body, Query, Locals>('/things/:id', (req, res) => {
  expectTypeOf(req.body.name).toEqualTypeOf<string>();
  expectTypeOf(res.locals.user).toEqualTypeOf<string>();
  res.send({ ok: true });
});

expectTypeOf<Request>().toMatchTypeOf<IncomingMessage>();
expectTypeOf<Response>().toMatchTypeOf<ServerResponse>();
expectTypeOf<Request<Params>['params']>().toEqualTypeOf<Params>();
expectTypeOf<Request<Params, ReceivedResponse, Body>['body']>().toEqualTypeOf<Body>();
expectTypeOf<Request<Params, ReceivedResponse, Body, Query>['query']>().toEqualTypeOf<Query>();
expectTypeOf<Request['body']>().toBeAny();
expectTypeOf<Request['cookies']>().toMatchTypeOf<Record<string, any>>();
expectTypeOf<Request['signedCookies']>().toMatchTypeOf<Record<string, any>>();
expectTypeOf<Response<ReceivedResponse>['send']>().parameter(0).toEqualTypeOf<ReceivedResponse | undefined>();
expectTypeOf<Response<ReceivedResponse, Locals>['locals']['user']>().toEqualTypeOf<string>();
expectTypeOf<NextFunction>().toBeCallableWith();
expectTypeOf<NextFunction>().toBeCallableWith(new Error('x'));
expectTypeOf<NextFunction>().toBeCallableWith('route');
