/**
 * Entry point `nozomi/3`: the function `express3` as `module.exports`, with its types on the same name. §9.3
 */
import { express3 as create } from './express3';
import type * as types from './interface';
import type * as middleware from './middleware/index';

const express3: express3.Express3 = create as unknown as express3.Express3;

declare namespace express3 {
  type Middleware = typeof middleware;

  /**
   * Creates an application. The 3.x middleware are properties of the function; their optional libraries load on first
   * use.
   */
  interface Express3 extends Middleware {
    (): Application;
    /** @deprecated Call the function itself. */
    createServer(): Application;
    /** Members that every application gets as a copy. */
    application: Application;
    /** The prototypes of requests and responses. */
    request: Request;
    response: Response;
    Route: new (method: string, path: types.Path, callbacks: Function[], options?: RouteOptions) => Route;
    Router: new (options?: { caseSensitive?: boolean; strict?: boolean }) => Router;
    mime: types.Mime;
    default: Express3;
  }

  interface RouteOptions {
    sensitive?: boolean;
    strict?: boolean;
  }

  interface Application extends types.Application {}
  interface Request extends types.Request {}
  interface Response extends types.Response {}
  interface Route extends types.Route {}
  interface Router extends types.Router {}
  interface Locals extends types.Locals {}
  type Handler = types.Handler;
  type ErrorHandler = types.ErrorHandler;
  type ParamHandler = types.ParamHandler;
  type Next = types.Next;
}

export = express3;
