/**
 * The types that the modules of this folder share: the public types of interface.ts with internal members.
 *
 * They are intersections, not interfaces, because `app` has a wider type in @types/express, which describes Express 5.
 */
import type * as core from '../types';
import type * as api from './interface';
import type { RouterInstance } from './router';

export type Request = api.Request & RequestState;

interface RequestState {
  app: Application;
  res: Response;
  next: core.Next;
  /** The secret that signs cookies; of a list, the first. The middleware cookie-parser sets it. */
  secret?: string | string[];
}

export type Response = api.Response & ResponseState;

interface ResponseState {
  app: Application;
  req: Request;
  /** Unlike the public type, accepts a value of any type. */
  set(name: string | Record<string, unknown>, value?: unknown): this;
}

export type Application = api.Express & ApplicationState;

interface ApplicationState {
  (req: core.AnyRequest, res: core.AnyResponse, next?: core.Next): void;
  handle(req: core.AnyRequest, res: core.AnyResponse, callback?: core.Next): void;
  on(event: 'mount', listener: (parent: Application) => void): this;
  param(name: unknown, fn?: unknown): this;
  settings: core.Settings;
  engines: Record<string, core.Engine>;
  cache: Record<string, core.View>;
  request: Request;
  response: Response;
  parent?: Application;
  /** The router; undefined until the first route or middleware. */
  _router?: RouterInstance;
}

export type Handler = core.Handler<Request, Response>;
