// Types of @types/express are assignable to those of this package, and the reverse.
import compression from 'compression';
import cookieParser from 'cookie-parser';
import cors from 'cors';
import { expectTypeOf } from 'expect-type';
import type express from 'express';
import session from 'express-session';
import morgan from 'morgan';
import framework, {
  type Application,
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'nozomi';
import responseTime from 'response-time';

const app = framework();

app.use(cookieParser('secret'));
app.use(compression());
app.use(cors({ origin: true }));
app.use(session({ secret: 'x', resave: false, saveUninitialized: false }));
app.use(morgan('dev'));
app.use(responseTime());
app.get('/', cors(), compression(), (req, res) => {
  expectTypeOf(req.session.id).toEqualTypeOf<string>();
  res.end();
});

expectTypeOf<Request>().toMatchTypeOf<express.Request>();
expectTypeOf<express.Request>().toMatchTypeOf<Request>();
expectTypeOf<Response>().toMatchTypeOf<express.Response>();
expectTypeOf<express.Response>().toMatchTypeOf<Response>();
expectTypeOf<NextFunction>().toMatchTypeOf<express.NextFunction>();
expectTypeOf<express.NextFunction>().toMatchTypeOf<NextFunction>();
expectTypeOf<RequestHandler>().toMatchTypeOf<express.RequestHandler>();
expectTypeOf<express.RequestHandler>().toMatchTypeOf<RequestHandler>();
expectTypeOf<ErrorRequestHandler>().toMatchTypeOf<express.ErrorRequestHandler>();
expectTypeOf<express.ErrorRequestHandler>().toMatchTypeOf<ErrorRequestHandler>();
expectTypeOf<Application>().toMatchTypeOf<express.Application>();
expectTypeOf<express.Application>().toMatchTypeOf<Application>();
expectTypeOf<Router>().toMatchTypeOf<express.Router>();
expectTypeOf<express.Router>().toMatchTypeOf<Router>();
expectTypeOf(framework()).toMatchTypeOf<express.Express>();
expectTypeOf(Router()).toMatchTypeOf<express.Router>();

declare const theirs: express.Router;
app.use('/theirs', theirs);
const typed: express.RequestHandler<{ id: string }> = (_req, res) => {
  res.end();
};
app.get('/:id', typed);
