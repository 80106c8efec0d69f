/** Entry point `nozomi/3`: the function `express3`, and a namespace of the same name with its types. §9.3 */
import { optional } from '../agents/optional';
import { express3 as create, type Express3 as Made } from './express3';
import type * as types from './interface';

// APM agents wrap the module at this path.
const express3: Made = optional<Made>(() => require('./node_modules/express/lib/express.js')) ?? create;

// biome-ignore format: a table
declare namespace express3 {
  type Express3 = Made;

  interface Application extends types.Application {} interface Locals extends types.Locals {}
  interface Request extends types.Request {} interface Response extends types.Response {}
  interface Route extends types.Route {} interface Router extends types.Router {}
  interface RouteOptions extends types.RouteOptions {}
  type Handler = types.Handler; type ErrorHandler = types.ErrorHandler;
  type ParamHandler = types.ParamHandler; type Next = types.Next;
}

export = express3;
