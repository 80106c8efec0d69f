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
  /** The application that handles the request. */
  app: Application;
  /** The response to this request. */
  res: Response;
  /** The function that calls the next handler. */
  next: Next;
  /** The parameters of the path, decoded. */
  params: Params;
  /** The query string, parsed with nested objects. */
  query: Record<string, any>;
  /** The route that handles the request. */
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
  /** The application that handles the request. */
  app: Application;
  /** The request of this response. */
  req: Request;
  /** Values of this request for later handlers and views. */
  locals: Locals;
  /** The charset that `Content-Type` gets. @deprecated Pass it to `res.type()`. */
  charset?: string | undefined;
  /** @deprecated Use `res.headersSent`. */
  readonly headerSent: boolean;
  /** Sets the status. */
  status(code: number): this;
  /** Sets the status, and sends its text. */
  sendStatus(code: number): this;
  /** Sets `Content-Type` to a media type, or to that of an extension. */
  type(type: string): this;
  /** Sets `Content-Type`, as `res.type()`. */
  contentType(type: string): this;
  /** Adds a value to a header. */
  append(field: string, value?: string | string[]): this;
  /** Sets `Content-Disposition: attachment`, and the type by the extension of the file name. */
  attachment(filename?: string): this;
  /** Sets the header `Location`. */
  location(url: string): this;
  /** Adds a cookie. A value that is no string is sent as JSON. */
  cookie(name: string, value: unknown, options?: core.CookieOptions): this;
  /** Adds a cookie that has expired, so that the client removes it. */
  clearCookie(name: string, options?: core.CookieOptions): this;
  /** Sets a header. */
  set(field: string, value: unknown): this;
  /** Sets several headers. */
  set(fields: Record<string, unknown>): this;
  /** Sets a header, as `res.set()`. */
  header(field: string, value: unknown): this;
  /** Sets several headers, as `res.set()`. */
  header(fields: Record<string, unknown>): this;
  /** Returns the value of a header that was set. */
  get(field: string): any;
  /** Adds the name of a header to `Vary`. */
  vary(field?: string | readonly string[]): this;
  /** Adds URLs to the header `Link`, by their relation. */
  links(links: Record<string, string>): this;
  /** Calls the handler of the type that the client prefers; sends 406 if it accepts none. */
  format(handlers: Record<string, Handler>): this;
  /** Sends a string, bytes, or any other value as JSON. */
  send: SendStatus<this> & Send<unknown, this>;
  /** Sends a value as JSON. */
  json: Send<unknown, this>;
  /** Sends a value as JSON, or as a call of the function in the query parameter `callback`. */
  jsonp: Send<unknown, this>;
  /** Redirects to a URL with the status 302. */
  redirect(url: string): void;
  /** Redirects to a URL. */
  redirect(status: number, url: string): void;
  /** @deprecated Use `res.redirect(status, url)`. */
  redirect(url: string, status: number): void;
  /** @deprecated Use `res.sendFile()`, which requires an absolute path or `root`. */
  sendfile(path: string, callback?: (err?: any) => void): void;
  /** @deprecated Use `res.sendFile()`, which requires an absolute path or `root`. */
  sendfile(path: string, options: SendfileOptions, callback?: (err?: any) => void): void;
  /** Sends a file as an attachment. */
  download(path: string, callback?: (err?: any) => void): void;
  /** Sends a file as an attachment with another name. */
  download(path: string, filename?: string | null, callback?: (err?: any) => void): void;
  /** Renders a view, and sends it, or passes it to the callback. */
  render(view: string, callback?: (err: any, html: string) => void): void;
  /** Renders a view with values, and sends it, or passes it to the callback. */
  render(view: string, locals?: object, callback?: (err: any, html: string) => void): void;
}

export interface SendfileOptions extends SendOptions {
  /** Whether to serve a file whose name begins with a dot. Default false. @deprecated Use `dotfiles`. */
  hidden?: boolean;
}

/** A route: one method and one path, with callbacks. */
export interface Route {
  /** The path as the application wrote it. */
  path: Path;
  /** The method in lower case. */
  method: string;
  /** The handlers. */
  callbacks: Function[];
  /** The parameters of the path, in order. */
  keys: Array<{ name: string; optional: boolean }>;
  /** What the path is compiled to. */
  regexp: RegExp;
  /** The parameters of the last request that matched. */
  params: Params;
  /** Whether a path matches; sets `params`. */
  match(path: string): boolean;
}

type Verb<This> = {
  /** Adds a route: its callbacks receive the requests for the path. */
  (path: Path, ...callbacks: Handler[]): This;
  /** Adds a route whose last callback handles errors. */
  (path: Path, ...callbacks: [...Handler[], ErrorHandler]): This;
  /** Adds a route. Lists of callbacks may be nested. */
  (path: Path, ...callbacks: Callbacks[]): This;
};

/** A callback for a route parameter. `param(name, callback)` registers it. */
export type ParamHandler = (req: Request, res: Response, next: Next, value: any, name: string) => unknown;

/**
 * Creates the parameter callback for `param(name, option)`. If it returns undefined, the option itself is the callback.
 */
export type ParamFactory = (name: string, option: any) => ParamHandler | undefined;

interface Verbs {
  /** Adds a route for every method. */
  all: Verb<this>;
  /** Adds a route for POST. */
  post: Verb<this>;
  /** Adds a route for PUT. */
  put: Verb<this>;
  /** Adds a route for DELETE. */
  delete: Verb<this>;
  /** Adds a route for PATCH. */
  patch: Verb<this>;
  /** Adds a route for HEAD. */
  head: Verb<this>;
  /** Adds a route for OPTIONS. */
  options: Verb<this>;
}

export interface Router extends Verbs {
  /** The routes by method in lower case. */
  map: Record<string, Route[]>;
  /** The middleware that runs the routes. */
  middleware: Handler;
  /** Whether `/Foo` and `/foo` are different paths. */
  caseSensitive: boolean | undefined;
  /** Whether `/foo` and `/foo/` are different paths. */
  strict: boolean | undefined;
  /** Adds a route for GET. */
  get: Verb<this>;
  /** Registers a factory, which creates the callbacks of later `param(name, option)` calls. */
  param(factory: ParamFactory): void;
  /** Registers a callback for a parameter of paths. */
  param(name: string, callback: unknown): this;
  /** Adds a route for a method in lower case. */
  route(method: string, path: Path, ...callbacks: Callbacks[]): this;
}

/** A value that `app.use` accepts besides middleware: a 3.x or 5.x application, a router, or a server. */
type Mountable = Application | core.Application | core.Router | Server;

export interface Application extends EventEmitter, Verbs {
  (req: IncomingMessage, res: ServerResponse, next?: Next): void;
  /** Handles a request. Without `next`, the application itself responds 404 and to errors. */
  handle(req: IncomingMessage, res: ServerResponse, next?: Next): void;
  /** The settings by name. */
  settings: Record<string, any>;
  /** The view engines by extension. */
  engines: Record<string, Function>;
  /** The views that were looked up, if the setting `view cache` is on. */
  cache: Record<string, unknown>;
  /** Values that all views see. */
  locals: Locals;
  /** The prototype of the application's requests. `response` is the prototype of its responses. */
  request: Request;
  /** The prototype of the responses of the application. */
  response: Response;
  /** The path that the application is mounted on. In Express 5, use `mountpath`. */
  route: string;
  /** The application that this one is mounted in. */
  parent?: Application;
  /** The middleware, in order. */
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
  /** Adds middleware. */
  use(handler: Handler): this;
  /** Adds middleware that handles errors. */
  use(handler: ErrorHandler): this;
  /** Adds middleware, or mounts an application, a router or a server. */
  use(handler: ForeignHandler | Mountable): this;
  /** Adds middleware for a path and what is below it. */
  use(path: string, handler: Handler): this;
  /** Adds middleware that handles errors of a path and of what is below it. */
  use(path: string, handler: ErrorHandler): this;
  /** Adds middleware for a path, or mounts an application, a router or a server on it. */
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
  /** Registers callbacks for a parameter of paths, or for several. */
  param(name: string | readonly string[], ...callbacks: ParamHandler[]): this;
  /** Passes `option` to the registered factory. @deprecated Call `app.param(name, callback)`. */
  param(name: string | readonly string[], option: unknown): this;
  /** @deprecated Check `app.get('env')` in an `if` statement. */
  configure(...environmentsAndFunction: [...string[], () => void]): this;
  /** Stores a setting. */
  set(setting: string, value: unknown): this;
  /** Sets a setting to true. */
  enable(setting: string): this;
  /** Sets a setting to false. */
  disable(setting: string): this;
  /** Whether a setting is truthy. */
  enabled(setting: string): boolean;
  /** Whether a setting is falsy. */
  disabled(setting: string): boolean;
  /** Sets the view engine for a file extension. */
  engine(
    extension: string,
    engine: (path: string, options: any, callback: (err: any, html?: string) => void) => void,
  ): this;
  /** Renders a view, and passes it to the callback. */
  render(view: string, callback: (err: any, html: string) => void): void;
  /** Renders a view with values, and passes it to the callback. */
  render(view: string, locals: object, callback: (err: any, html: string) => void): void;
  /** The path on which the application is mounted, with the paths of its parents. */
  path(): string;
  /** Creates a server for the application, and listens. Returns the server. */
  listen: Server['listen'];
}

export interface RouteOptions {
  /** Whether `/Foo` and `/foo` are different paths. Default false. */
  sensitive?: boolean;
  /** Whether `/foo` and `/foo/` are different paths. Default false. */
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
  /** The prototype of the responses of all Express 3 applications. */
  response: Response;
  /** The class of routes. */
  Route: new (
    method: string,
    path: Path,
    callbacks: Function[],
    options?: RouteOptions,
  ) => Route;
  /** The class of routers. */
  Router: new (options?: {
    caseSensitive?: boolean;
    strict?: boolean;
  }) => Router;
  /** The media types by extension. */
  mime: Mime;
}
