/**
 * Entry point `nozomi/4` for ES modules. It exports the same function as the CommonJS entry point, and its properties
 * by name.
 */
import express4 from './index.js';

export default express4;
export const application: express4.Application = express4.application;
export const request: express4.Request = express4.request;
export const response: express4.Response = express4.response;
export const Route: express4.Express4['Route'] = express4.Route;
export const Router: express4.Express4['Router'] = express4.Router;
export const json: express4.Express4['json'] = express4.json;
export const query: express4.Express4['query'] = express4.query;
export const raw: express4.Express4['raw'] = express4.raw;
export const text: express4.Express4['text'] = express4.text;
export const urlencoded: express4.Express4['urlencoded'] = express4.urlencoded;
const serveStatic: express4.Express4['static'] = express4.static;

export { serveStatic as static };

export type Router = express4.Router;
// biome-ignore format: a table
export type {
  Application, CookieOptions, Errback, ErrorRequestHandler, Express, Handler, IRoute, IRouter,
  IRouterHandler, IRouterMatcher, Locals, MediaType, NextFunction, Request, RequestHandler,
  RequestParamHandler, Response, RouterOptions, Send,
} from './index.js';
