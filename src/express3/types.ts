/** The types that the modules of this folder share: the public types of interface.ts with internal members. §9.3 */
import type * as core from '../types';
import type * as api from './interface';

export type { Next } from '../types';
export type { Accepted, Locals, Path, Preference } from './interface';

export type Request = api.Request & core.RequestState<Application, Response> & { readonly fresh: boolean };

export type Response = api.Response &
  core.ResponseState<Application, Request> & { end(chunk?: unknown, encoding?: BufferEncoding): Response };

export type Handler = core.Handler<Request, Response>;
export type ErrorHandler = core.ErrorHandler<Request, Response>;

/** One entry of `app.stack`: a middleware and its mount path. */
export interface Layer {
  route: string;
  handle: Handler | ErrorHandler;
}

/** Creates the parameter callback for `param(name, option)`. */
export type ParamFactory = (name: string, option: unknown) => unknown;

/** The members of a router that an application uses. */
export interface Routes {
  map: Record<string, api.Route[]>;
  caseSensitive: boolean | undefined;
  strict: boolean | undefined;
  readonly middleware: api.Handler;
  param(name: string | ParamFactory, fn?: unknown): unknown;
  route(method: string, path: api.Path, ...callbacks: unknown[]): unknown;
}

export type Application = api.Application & core.ApplicationState<Application, Request, Response> & OwnState;

interface OwnState {
  init(): void;
  defaultConfiguration(): void;
  set(name: string, value?: unknown): this;
  param(name: string | readonly string[] | ParamFactory, ...fns: unknown[]): this;
  use(...args: unknown[]): this;
  stack: Layer[];
  /** The mount path, if the parent is an Express 4 or 5 application. */
  mountpath?: unknown;
  _router: Routes;
  /** Whether `app.router` has been read. If not, the first route adds the router's middleware to the stack. */
  _usedRouter: boolean;
}
