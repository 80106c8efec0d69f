/**
 * The public types of the Express 3 interface. The comment of a deprecated member names its replacement. §9.3
 *
 * Requests and responses also have the members of Express 5, unless Express 3 gives a name another meaning.
 */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type * as core from 'express-serve-static-core';
import type { SendOptions } from 'send';
import type { Mime, Send, SendStatus } from '../express4/interface';

export type { Mime, Send, SendStatus };

export type Next = (err?: unknown) => void;
export type Handler = (req: Request, res: Response, next: Next) => unknown;
export type ErrorHandler = (err: any, req: Request, res: Response, next: Next) => unknown;

/** Middleware with the types of @types/express, or a request listener of Node.js. */
export type ForeignHandler = core.RequestHandler | core.ErrorRequestHandler | RequestListener;

export type Callbacks = Handler | ErrorHandler | ForeignHandler | readonly Callbacks[];

/**
 * A path: a string with `*`, `:name`, `:name?` or `:name(pattern)`, a list of such strings, or a regular expression.
 */
export type Path = string | RegExp | readonly string[];

/** The values of the parameters. Named parameters have their name as key; groups and stars have a number. */
export type Params = string[] & Readonly<Record<string, string>>;

export interface Locals {
  /** Copies the properties of an object to the locals. @deprecated Use `Object.assign(locals, values)`. */
  <Values extends object>(values: Values): Values;
  [name: string]: any;
}

/** One value of a header such as `Accept`, with its parameters. */
export interface Preference {
  value: string;
  /** The parameter `q`; 1 by default. */
  quality: number;
  params: Record<string, string | undefined>;
  /** The position in the header, from 0. */
  originalIndex: number;
}

/** One media type of the header `Accept`, split at the slash. */
export interface Accepted extends Preference {
  type: string;
  subtype: string | undefined;
}

// biome-ignore format: a table
type Redefined =
  | 'accepts' | 'accepted' | 'acceptsCharset' | 'acceptsEncoding' | 'acceptsLanguage'
  | 'acceptedCharsets' | 'acceptedEncodings' | 'acceptedLanguages'
  | 'app' | 'auth' | 'host' | 'is' | 'next' | 'param' | 'params' | 'query' | 'res' | 'route';

export interface Request extends IncomingMessage, Omit<core.Request, Redefined | keyof IncomingMessage> {
  method: string;
  url: string;
  app: Application;
  res: Response;
  next: Next;
  params: Params;
  query: Record<string, any>;
  route: Route;
  /** The files that the middleware `multipart` saved, by form field. @deprecated Use a package such as multer. */
  files?: any;
  /** @deprecated Read `req.params`, `req.body` or `req.query`. */
  param(name: string, fallback?: unknown): any;
  /** Returns the offered type that the client prefers; undefined if there is none. Express 5 returns `false`. */
  accepts(types: string | readonly string[]): string | undefined;
  accepts(...types: string[]): string | undefined;
  /** @deprecated In Express 5, use `req.accepts()` without arguments. */
  readonly accepted: Accepted[];
  /** @deprecated Use `req.acceptsCharsets()` without arguments. */
  readonly acceptedCharsets: string[];
  /** @deprecated Use `req.acceptsEncodings()` without arguments. */
  readonly acceptedEncodings: string[];
  /** @deprecated Use `req.acceptsLanguages()` without arguments. */
  readonly acceptedLanguages: string[];
  /** @deprecated Use `req.acceptsCharsets(charset)`. */
  acceptsCharset(charset: string): boolean;
  /** @deprecated Use `req.acceptsEncodings(encoding)`. */
  acceptsEncoding(encoding: string): boolean;
  /** @deprecated Use `req.acceptsLanguages(language)`. */
  acceptsLanguage(language: string): boolean;
  /** @deprecated Use the package basic-auth. */
  readonly auth: { username: string; password: string } | undefined;
  /** The host without its port. In Express 5, use `req.hostname`. */
  readonly host: string;
  /** Whether `Content-Type` has the type. Express 5 returns the type, `false` or `null` instead. */
  is(type: string): boolean;
}

// biome-ignore format: a table
type Replaced =
  | 'app' | 'charset' | 'format' | 'get' | 'header' | 'headerSent' | 'json' | 'jsonp' | 'links' | 'locals'
  | 'redirect' | 'render' | 'req' | 'send' | 'sendfile' | 'set' | 'status' | 'download' | 'vary'
  | 'append' | 'attachment' | 'clearCookie' | 'contentType' | 'cookie' | 'location' | 'sendStatus' | 'type';

export interface Response extends ServerResponse, Omit<core.Response, Replaced | keyof ServerResponse> {
  app: Application;
  req: Request;
  locals: Locals;
  /** The charset that `Content-Type` gets. @deprecated Pass it to `res.type()`. */
  charset?: string | undefined;
  /** @deprecated Use `res.headersSent`. */
  readonly headerSent: boolean;
  status(code: number): this;
  sendStatus(code: number): this;
  type(type: string): this;
  contentType(type: string): this;
  append(field: string, value?: string | string[]): this;
  attachment(filename?: string): this;
  location(url: string): this;
  cookie(name: string, value: unknown, options?: core.CookieOptions): this;
  clearCookie(name: string, options?: core.CookieOptions): this;
  set(field: string, value: unknown): this;
  set(fields: Record<string, unknown>): this;
  header(field: string, value: unknown): this;
  header(fields: Record<string, unknown>): this;
  get(field: string): any;
  vary(field?: string | readonly string[]): this;
  links(links: Record<string, string>): this;
  format(handlers: Record<string, Handler>): this;
  send: SendStatus<this> & Send<unknown, this>;
  json: Send<unknown, this>;
  jsonp: Send<unknown, this>;
  redirect(url: string): void;
  redirect(status: number, url: string): void;
  /** @deprecated Use `res.redirect(status, url)`. */
  redirect(url: string, status: number): void;
  /** @deprecated Use `res.sendFile()`, which requires an absolute path or `root`. */
  sendfile(path: string, callback?: (err?: any) => void): void;
  /** @deprecated Use `res.sendFile()`, which requires an absolute path or `root`. */
  sendfile(path: string, options: SendfileOptions, callback?: (err?: any) => void): void;
  download(path: string, callback?: (err?: any) => void): void;
  download(path: string, filename?: string | null, callback?: (err?: any) => void): void;
  render(view: string, callback?: (err: any, html: string) => void): void;
  render(view: string, locals?: object, callback?: (err: any, html: string) => void): void;
}

export interface SendfileOptions extends SendOptions {
  /** Whether to serve a file whose name begins with a dot. Default false. @deprecated Use `dotfiles`. */
  hidden?: boolean;
}

/** A route: one method and one path, with callbacks. */
export interface Route {
  path: Path;
  /** The method in lower case. */
  method: string;
  callbacks: Function[];
  keys: Array<{ name: string; optional: boolean }>;
  regexp: RegExp;
  params: Params;
  match(path: string): boolean;
}

type Verb<This> = {
  (path: Path, ...callbacks: Handler[]): This;
  (path: Path, ...callbacks: [...Handler[], ErrorHandler]): This;
  (path: Path, ...callbacks: Callbacks[]): This;
};

/** A callback for a route parameter. `param(name, callback)` registers it. */
export type ParamHandler = (req: Request, res: Response, next: Next, value: any, name: string) => unknown;

/**
 * Creates the parameter callback for `param(name, option)`. If it returns undefined, the option itself is the callback.
 */
export type ParamFactory = (name: string, option: any) => ParamHandler | undefined;

interface Verbs {
  all: Verb<this>;
  post: Verb<this>;
  put: Verb<this>;
  delete: Verb<this>;
  patch: Verb<this>;
  head: Verb<this>;
  options: Verb<this>;
}

export interface Router extends Verbs {
  /** The routes by method in lower case. */
  map: Record<string, Route[]>;
  middleware: Handler;
  caseSensitive: boolean | undefined;
  strict: boolean | undefined;
  get: Verb<this>;
  param(factory: ParamFactory): void;
  param(name: string, callback: unknown): this;
  route(method: string, path: Path, ...callbacks: Callbacks[]): this;
}

/** A value that `app.use` accepts besides middleware: a 3.x or 5.x application, a router, or a server. */
type Mountable = Application | core.Application | core.Router | Server;

export interface Application extends EventEmitter, Verbs {
  (req: IncomingMessage, res: ServerResponse, next?: Next): void;
  handle(req: IncomingMessage, res: ServerResponse, next?: Next): void;
  settings: Record<string, any>;
  engines: Record<string, Function>;
  cache: Record<string, unknown>;
  locals: Locals;
  /** The prototype of the application's requests. `response` is the prototype of its responses. */
  request: Request;
  response: Response;
  /** The path that the application is mounted on. In Express 5, use `mountpath`. */
  route: string;
  parent?: Application;
  stack: Array<{ route: string; handle: Function }>;
  /** The routes by method in lower case. @deprecated In Express 5, use `app.router.listRoutes()` of Nozomi. */
  routes: Record<string, Route[]>;
  /**
   * The middleware that runs the routes.
   *
   * @deprecated Remove `app.use(app.router)`. In Express 5, routes and middleware run in the order in which the
   *   application adds them.
   */
  readonly router: Handler;
  use(handler: Handler): this;
  use(handler: ErrorHandler): this;
  use(handler: ForeignHandler | Mountable): this;
  use(path: string, handler: Handler): this;
  use(path: string, handler: ErrorHandler): this;
  use(path: string, handler: ForeignHandler | Mountable): this;
  /** Reads a setting. */
  get(setting: string): any;
  /** Adds a route: its callbacks receive GET requests for the path, and HEAD requests that no earlier route handles. */
  get(path: Path, ...callbacks: Handler[]): this;
  /** Adds a route for GET whose last callback handles errors. */
  get(path: Path, ...callbacks: [...Handler[], ErrorHandler]): this;
  /** Adds a route for GET. Lists of callbacks may be nested. */
  get(path: Path, ...callbacks: Callbacks[]): this;
  /** @deprecated Use `app.delete()`. */
  del: Verb<this>;
  /**
   * Registers a factory, which creates the callbacks of later `param(name, option)` calls.
   *
   * @deprecated Call `app.param(name, callback)`.
   */
  param(factory: ParamFactory): this;
  param(name: string | readonly string[], ...callbacks: ParamHandler[]): this;
  /** Passes `option` to the registered factory. @deprecated Call `app.param(name, callback)`. */
  param(name: string | readonly string[], option: unknown): this;
  /** @deprecated Check `app.get('env')` in an `if` statement. */
  configure(...environmentsAndFunction: [...string[], () => void]): this;
  set(setting: string, value: unknown): this;
  enable(setting: string): this;
  disable(setting: string): this;
  enabled(setting: string): boolean;
  disabled(setting: string): boolean;
  engine(
    extension: string,
    engine: (path: string, options: any, callback: (err: any, html?: string) => void) => void,
  ): this;
  render(view: string, callback: (err: any, html: string) => void): void;
  render(view: string, locals: object, callback: (err: any, html: string) => void): void;
  path(): string;
  listen: Server['listen'];
}

export interface RouteOptions {
  sensitive?: boolean;
  strict?: boolean;
}

/** The properties of the framework function, without the middleware. */
export interface Members {
  /** @deprecated Call the framework function itself. */
  createServer(): Application;
  /** The members that every new application gets as a copy. */
  application: Application;
  /** The prototype of the requests of all Express 3 applications. `response` is that of their responses. */
  request: Request;
  response: Response;
  Route: new (method: string, path: Path, callbacks: Function[], options?: RouteOptions) => Route;
  Router: new (options?: { caseSensitive?: boolean; strict?: boolean }) => Router;
  mime: Mime;
}
