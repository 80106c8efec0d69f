/** The types that the modules of this folder share: the public ones of interface.ts with internal members. §9.3 */
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
  /** The secrets that sign cookies; cookie-parsing middleware sets the property. */
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

/** One middleware in the stack of an application, with its mount path. */
export interface Layer {
  route: string;
  handle: Handler | ErrorHandler;
}

/** Creates a parameter callback from the option of `param(name, option)`. */
export type ParamFactory = (name: string, option: unknown) => unknown;

/** The part of a router that the application uses. */
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
  /** The path on which a 5.x application has mounted it. */
  mountpath?: unknown;
  _router: Routes;
  /** Whether the stack contains the middleware that runs the routes. */
  _usedRouter: boolean;
}
