/**
 * Entry point `nozomi/4`. `module.exports` is the function `express4`; its types have the names of `@types/express` 4.
 */
import type * as core from 'express-serve-static-core';
import { optional } from '../agents/optional';
import { express4 as create, type Express4 as Made } from './express4';
import type * as types from './interface';

// APM agents wrap the module at this path.
const express4: Made = optional<Made>(() => require('./node_modules/express/lib/express.js')) ?? create;

declare namespace express4 {
  type Express4 = Made;

  interface Application extends types.Application {}
  interface CookieOptions extends core.CookieOptions {}
  interface Errback extends core.Errback {}
  interface ErrorRequestHandler<
    P = types.ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends Record<string, any> = Record<string, any>,
  > extends types.ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  interface Express extends types.Express {}
  interface Handler extends types.RequestHandler {}
  interface IRoute extends types.IRoute {}
  interface IRouter extends types.IRouter {}
  interface IRouterHandler<T> extends types.IRouterHandler<T> {}
  interface IRouterMatcher<T> extends types.IRouterMatcher<T> {}
  interface Locals extends core.Locals {}
  interface MediaType extends core.MediaType {}
  interface NextFunction extends core.NextFunction {}
  interface Request<
    P = types.ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends Record<string, any> = Record<string, any>,
  > extends types.Request<P, ResBody, ReqBody, ReqQuery, Locals> {}
  interface RequestHandler<
    P = types.ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends Record<string, any> = Record<string, any>,
  > extends types.RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  interface RequestParamHandler extends types.RequestParamHandler {}
  interface Response<ResBody = any, Locals extends Record<string, any> = Record<string, any>>
    extends types.Response<ResBody, Locals> {}
  interface Router extends types.Router {}
  interface RouterOptions extends types.RouterOptions {}
  interface Send extends types.Send<any, types.Response> {}
}

export = express4;
