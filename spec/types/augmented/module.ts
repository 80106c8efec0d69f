// Every kind of declaration that an application can add to the module `express`, and to `express-serve-static-core`.
import express, { asyncRouter } from 'express';

declare module 'express' {
  interface Application {
    addedApplication?: 1;
  }
  interface Errback {
    addedErrback?: 1;
  }
  interface Express {
    addedExpress?: 1;
  }
  interface Handler {
    addedHandler?: 1;
  }
  interface IRoute {
    addedIRoute?: 1;
  }
  interface IRouter {
    addedIRouter?: 1;
  }
  interface NextFunction {
    addedNextFunction?: 1;
  }
  interface RouterOptions {
    addedRouterOptions?: 1;
  }
  interface Locals {
    addedLocals?: 1;
  }
  interface MediaType {
    addedMediaType?: 1;
  }
  interface RequestParamHandler {
    addedRequestParamHandler?: 1;
  }
  interface Send {
    addedSend?: 1;
  }
  interface CookieOptions {
    addedCookieOptions?: 1;
  }
  interface Router {
    addedRouter?: 1;
  }
  interface Request {
    addedRequest?: 1;
  }
  interface Response {
    addedResponse?: 1;
  }
  interface Added {
    a: 1;
  }
  type AddedType = 1;
  function Router(options: { special: true }): { special: number };
  function asyncRouter(): Router;
  const patched: boolean;
  namespace extra {
    const a: number;
  }
}
declare module 'express-serve-static-core' {
  interface Router {
    coreRouter?: 1;
  }
  interface Express {
    coreExpress?: 1;
  }
  interface IRouter {
    coreIRouter?: 1;
  }
  interface Application {
    coreApplication?: 1;
  }
  interface Response {
    coreResponse?: 1;
  }
  interface Request {
    coreRequest?: 1;
  }
  interface NextFunction {
    coreNextFunction?: 1;
  }
  interface IRoute {
    coreIRoute?: 1;
  }
  interface CookieOptions {
    coreCookieOptions?: 1;
  }
}

interface Members {
  Application: express.Application['addedApplication'];
  Errback: express.Errback['addedErrback'];
  Express: express.Express['addedExpress'];
  Handler: express.Handler['addedHandler'];
  IRoute: express.IRoute['addedIRoute'];
  IRouter: express.IRouter['addedIRouter'];
  NextFunction: express.NextFunction['addedNextFunction'];
  RouterOptions: express.RouterOptions['addedRouterOptions'];
  Locals: express.Locals['addedLocals'];
  MediaType: express.MediaType['addedMediaType'];
  RequestParamHandler: express.RequestParamHandler['addedRequestParamHandler'];
  Send: express.Send['addedSend'];
  CookieOptions: express.CookieOptions['addedCookieOptions'];
  Router: express.Router['addedRouter'];
  Request: express.Request['addedRequest'];
  Response: express.Response['addedResponse'];
}
export const members: Partial<Record<keyof Members, 1>> = {} as Members;
export const values: [number, boolean, number] = [
  express.Router({ special: true }).special,
  express.patched,
  express.extra.a,
];
export const types: [express.Router, express.Added, express.AddedType] = [asyncRouter(), { a: 1 }, 1];

const app = express();
const router = express.Router();
export const core: Array<1 | undefined> = [
  app.coreApplication,
  app.coreExpress,
  app.coreIRouter,
  router.coreRouter,
  router.coreIRouter,
  app.request.coreRequest,
  app.response.coreResponse,
  app.route('/').coreIRoute,
];
app.use((req, res, next) => {
  res.cookie('a', 'b', { coreCookieOptions: req.app.coreApplication });
  next.coreNextFunction = 1;
});
