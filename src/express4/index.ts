/**
 * Entry point `nozomi/4`. `module.exports` is the function `express4`; its types have the names of `@types/express` 4.
 */
import type * as core from 'express-serve-static-core';
import { optional } from '../agents/optional';
import { express4 as create, type Express4 as Made } from './express4';
import type * as types from './interface';

// APM agents wrap the module at this path.
const express4: Made = optional<Made>(() => require('./node_modules/express/lib/express.js')) ?? create;

type AnyLocals = Record<string, any>;

// biome-ignore format: a table
declare namespace express4 {
  type Express4 = Made;

  interface Application extends types.Application {} interface Express extends types.Express {}
  interface CookieOptions extends core.CookieOptions {} interface Locals extends core.Locals {}
  interface Errback extends core.Errback {} interface MediaType extends core.MediaType {}
  interface Handler extends types.RequestHandler {} interface NextFunction extends core.NextFunction {}
  interface IRoute extends types.IRoute {} interface IRouter extends types.IRouter {}
  interface Router extends types.Router {} interface RouterOptions extends types.RouterOptions {}
  interface IRouterHandler<T> extends types.IRouterHandler<T> {}
  interface IRouterMatcher<T> extends types.IRouterMatcher<T> {}
  interface RequestParamHandler extends types.RequestParamHandler {}
  interface Send extends types.Send<any, types.Response> {}
  interface Request<
    P = types.ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > extends types.Request<P, ResBody, ReqBody, ReqQuery, Locals> {}
  interface RequestHandler<
    P = types.ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > extends types.RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  interface ErrorRequestHandler<
    P = types.ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > extends types.ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  interface Response<ResBody = any, Locals extends AnyLocals = AnyLocals> extends types.Response<ResBody, Locals> {}
}

export = express4;
