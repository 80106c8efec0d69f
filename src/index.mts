/**
 * Entry point `nozomi` for ES modules: the same function as in CommonJS, with its properties as named exports. §4.1
 */
import framework from './index.js';

export default framework;
export { framework };
export const application: framework.Application = framework.application;
export const request: framework.Request = framework.request;
export const response: framework.Response = framework.response;
export const Route: framework.Framework['Route'] = framework.Route;
export const Router: framework.Framework['Router'] = framework.Router;
export const json: framework.Framework['json'] = framework.json;
export const raw: framework.Framework['raw'] = framework.raw;
export const text: framework.Framework['text'] = framework.text;
export const urlencoded: framework.Framework['urlencoded'] = framework.urlencoded;
export const logger: framework.Framework['logger'] = framework.logger;
const serveStatic: framework.Framework['static'] = framework.static;

export { serveStatic as static };

export type Router = framework.Router;
// biome-ignore format: a table
export type {
  Application, CookieOptions, Errback, ErrorRequestHandler, Express, Handler, IRoute, IRouter,
  IRouterHandler, IRouterMatcher, JsonOptions, ListedRoute, Locals, MediaType, NextFunction,
  RawOptions, Request, RequestHandler, RequestParamHandler, Response, RouterOptions, Send,
  SettingsMap, StaticOptions, TextOptions, UrlencodedOptions,
} from './index.js';
