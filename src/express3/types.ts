/** The internal types of the 3.x interface. Types only; the public ones are in index.ts. §9.3 */
import type * as core from '../types';
import type { Accepted, Preference } from './interface';

export type { Next } from '../types';
export type { Accepted, Preference };

/** An object that is a function too: a call copies the properties of its argument. */
export interface Locals extends Record<string, unknown> {
  <Values extends object>(values: Values): Values;
}

export interface Request
  extends Omit<core.Request, 'app' | 'res' | 'accepts' | 'accepted' | 'is' | 'host' | 'params' | 'query'> {
  app: Application;
  res: Response;
  params: unknown[] & Record<string, unknown>;
  query: Record<string, unknown>;
  host: string | undefined;
  param(name: string, fallback?: unknown): unknown;
  accepts(...types: Array<string | readonly string[]>): string | undefined;
  accepted: Accepted[];
  acceptedEncodings: string[];
  acceptedCharsets: string[];
  acceptedLanguages: string[];
  is(type: string): boolean;
}

export interface Response
  extends Omit<core.Response, 'app' | 'req' | 'locals' | 'charset' | 'send' | 'json' | 'jsonp' | 'type'> {
  app: Application;
  req: Request;
  locals: Locals;
  /** The charset of the response, once it is set. */
  charset?: string | undefined;
  send(...args: unknown[]): this;
  json(...args: unknown[]): this;
  jsonp(...args: unknown[]): this;
  type(type: string): this;
  sendfile(path: string, options?: unknown, callback?: unknown): void;
}

export type Handler = (req: Request, res: Response, next: core.Next) => unknown;
export type ErrorHandler = (err: unknown, req: Request, res: Response, next: core.Next) => unknown;
export type ParamHandler = (
  req: Request,
  res: Response,
  next: core.Next,
  value: unknown,
  name: string,
) => unknown;

/** One middleware in the stack of an application, with its mount path. */
export interface Layer {
  route: string;
  handle: Handler | ErrorHandler;
}

/** A path as 3.x applications write it. */
export type Path = string | RegExp | readonly string[];

/** Creates a parameter callback from the option of `param(name, option)`. */
export type ParamFactory = (name: string, option: unknown) => unknown;

/** The part of a router that the application uses. */
export interface Routes {
  map: Record<string, unknown[]>;
  caseSensitive: boolean | undefined;
  strict: boolean | undefined;
  readonly middleware: Handler;
  param(name: string | ParamFactory, fn?: unknown): unknown;
  route(method: string, path: Path, ...callbacks: unknown[]): unknown;
}

export interface Application
  extends Omit<
    core.Application,
    | 'handle'
    | 'locals'
    | 'route'
    | 'router'
    | 'routes'
    | 'param'
    | 'parent'
    | 'stack'
    | 'use'
    | 'request'
    | 'response'
  > {
  (req: Request, res: Response, next?: core.Next): void;
  handle(req: Request, res: Response, callback?: core.Next): void;
  stack: Layer[];
  use(...args: unknown[]): this;
  /** The mount path of the application. */
  route: string;
  routes: Record<string, unknown[]>;
  /** The middleware that serves the routes; its position in the stack is that of the routes. */
  readonly router: Handler;
  locals: Locals;
  request: Request;
  response: Response;
  param(name: unknown, ...fns: unknown[]): this;
  parent?: Application;
  _router: Routes;
  /** Whether the middleware of the routes is in the stack. */
  _usedRouter: boolean;
}
