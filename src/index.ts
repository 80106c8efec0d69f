/**
 * Entry point `nozomi`: `module.exports` is the function `framework`. §4.1
 *
 * Types that @types/express also has keep their names. Most of them extend the same interfaces of
 * express-serve-static-core, so that augmentations and third-party handlers written for Express compile.
 */
import type * as core from 'express-serve-static-core';
import { installAdapters } from './agents/install';
import { framework as create, type Framework as Made, parts } from './framework';
import type * as types from './interface';

const framework: Made = installAdapters(create, parts);

type AnyLocals = Record<string, any>;

// biome-ignore format: a table
declare namespace framework {
  type Framework = Made;
  type SettingsMap = types.SettingsMap;
  type ListedRoute = types.ListedRoute;

  interface RouterOptions extends types.RouterOptions {} interface StaticOptions extends types.StaticOptions {}
  interface JsonOptions extends types.JsonOptions {} interface UrlencodedOptions extends types.UrlencodedOptions {}
  interface RawOptions extends types.RawOptions {} interface TextOptions extends types.TextOptions {}

  interface Application extends types.Application {} interface Express extends types.Express {}
  interface CookieOptions extends core.CookieOptions {} interface Locals extends core.Locals {}
  interface Errback extends core.Errback {} interface MediaType extends core.MediaType {}
  interface Handler extends core.Handler {} interface NextFunction extends core.NextFunction {}
  interface IRoute extends core.IRoute {} interface IRouter extends core.IRouter {}
  interface Router extends core.Router {}
  interface IRouterHandler<T> extends core.IRouterHandler<T> {}
  interface IRouterMatcher<T> extends core.IRouterMatcher<T> {}
  interface RequestParamHandler extends core.RequestParamHandler {} interface Send extends core.Send {}
  interface Request<
    P = core.ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > extends core.Request<P, ResBody, ReqBody, ReqQuery, Locals> {}
  interface RequestHandler<
    P = core.ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > extends core.RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  interface ErrorRequestHandler<
    P = core.ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > extends core.ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  interface Response<ResBody = any, Locals extends AnyLocals = AnyLocals> extends core.Response<ResBody, Locals> {}
}

export = framework;
