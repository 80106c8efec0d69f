/** The types that the modules of this folder share: the public types of interface.ts with internal members. §9.3 */
import type * as core from '../types';
import type * as api from './interface';

export type { Next } from '../types';
export type { Accepted, Locals, Path, Preference } from './interface';

export type Request = api.Request & RequestState;

interface RequestState {
  app: Application;
  res: Response;
  next: core.Next;
  readonly fresh: boolean;
  /** The secret that signs cookies; of a list, the first. The middleware `cookieParser` sets it. */
  secret?: string | string[];
}

export type Response = api.Response & ResponseState;

interface ResponseState {
  app: Application;
  req: Request;
  set(name: string | Record<string, unknown>, value?: unknown): this;
  end(chunk?: unknown, encoding?: BufferEncoding): this;
}

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

export type Application = api.Application & ApplicationState;

interface ApplicationState {
  (req: core.AnyRequest, res: core.AnyResponse, next?: core.Next): void;
  init(): void;
  defaultConfiguration(): void;
  handle(req: core.AnyRequest, res: core.AnyResponse, callback?: core.Next): void;
  set(name: string, value?: unknown): this;
  on(event: 'mount', listener: (parent: Application) => void): this;
  param(name: string | readonly string[] | ParamFactory, ...fns: unknown[]): this;
  use(...args: unknown[]): this;
  settings: core.Settings;
  engines: Record<string, core.Engine>;
  cache: Record<string, core.View>;
  stack: Layer[];
  request: Request;
  response: Response;
  parent?: Application;
  /** The mount path, if the parent is an Express 4 or 5 application. */
  mountpath?: unknown;
  _router: Routes;
  /** Whether `app.router` has been read. If not, the first route adds the router's middleware to the stack. */
  _usedRouter: boolean;
}
