/**
 * The door `nozomi`: the function `framework` as `module.exports`, with its types under the names that
 * @types/express gives them. They extend the same interfaces of express-serve-static-core, so that
 * augmentations and third-party handlers written for Express fit. §4.1
 */
import type bodyParser from 'body-parser';
import type * as core from 'express-serve-static-core';
import type serveStatic from 'serve-static';
import { installAdapters } from './agents/install';
import { framework as create } from './framework';
import type { Logger } from './logger/types';

const framework: framework.Framework = installAdapters(create) as unknown as framework.Framework;

declare namespace framework {
  interface Framework {
    /** Make an application. */
    (): core.Express;
    application: Application;
    request: Request;
    response: Response;
    Route: new (path: string) => core.IRoute;
    /** Make a router. §2.5 */
    Router: (options?: RouterOptions) => core.Router;
    /** Parse JSON bodies. §2.10 */
    json: typeof bodyParser.json;
    /** Parse bodies as bytes. §2.10 */
    raw: typeof bodyParser.raw;
    /** Parse bodies as text. §2.10 */
    text: typeof bodyParser.text;
    /** Parse form bodies. §2.10 */
    urlencoded: typeof bodyParser.urlencoded;
    /** Serve the files below a directory. §2.11 */
    static: serveStatic.RequestHandlerConstructor<Response>;
    /** The request logger, as `nozomi/logger` exports it. */
    logger: Logger;
    framework: Framework;
    default: Framework;
  }

  interface RouterOptions {
    /** `/Foo` and `/foo` are different routes. Default false. */
    caseSensitive?: boolean | undefined;
    /** Keep the parameters of the parent router; a name in both is the child's. Default false. */
    mergeParams?: boolean | undefined;
    /** `/foo` and `/foo/` are different routes. Default false. */
    strict?: boolean | undefined;
  }

  interface Application extends core.Application {}
  interface CookieOptions extends core.CookieOptions {}
  interface Errback extends core.Errback {}
  interface ErrorRequestHandler<
    P = core.ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends Record<string, any> = Record<string, any>,
  > extends core.ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  interface Express extends core.Express {}
  interface Handler extends core.Handler {}
  interface IRoute extends core.IRoute {}
  interface IRouter extends core.IRouter {}
  interface IRouterHandler<T> extends core.IRouterHandler<T> {}
  interface IRouterMatcher<T> extends core.IRouterMatcher<T> {}
  interface Locals extends core.Locals {}
  interface MediaType extends core.MediaType {}
  interface NextFunction extends core.NextFunction {}
  interface Request<
    P = core.ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends Record<string, any> = Record<string, any>,
  > extends core.Request<P, ResBody, ReqBody, ReqQuery, Locals> {}
  interface RequestHandler<
    P = core.ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends Record<string, any> = Record<string, any>,
  > extends core.RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  interface RequestParamHandler extends core.RequestParamHandler {}
  interface Response<ResBody = any, Locals extends Record<string, any> = Record<string, any>>
    extends core.Response<ResBody, Locals> {}
  interface Router extends core.Router {}
  interface Send extends core.Send {}
}

export = framework;
