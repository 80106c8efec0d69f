/**
 * The types that modules share. §2 · §4
 *
 * `Request`, `Response` and `Application` extend the public types with internal members. `RequestMembers`,
 * `ResponseMembers` and `ApplicationMembers` list the members that this package implements, and the compiler checks
 * that none is missing.
 *
 * For example, `res.vary`:
 * 1. `core.Response` of @types/express declares it, so it is a key of `ResponseMembers`.
 * 2. `headers` in src/response/headers.ts has the type `Part<Response, 'vary' | …>`. So the object must have a method
 *    `vary` with the declared type, and `this` in the method is a whole `Response`.
 * 3. src/response/response.ts spreads `headers` and the other parts into an object of the type `ResponseMembers`. If a
 *    part is missing, or a member of @types/express is in no part, the package does not compile.
 *
 * `Omit` in the lists removes what the package need not implement: members of Node.js, properties that each request
 * gets, and members that Express 5 does not have.
 */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as core from 'express-serve-static-core';
import type * as api from './interface';

/** A request that has the prototype of an application. */
export interface Request extends core.Request {
  app: Application;
  res: Response;
  next: Next;
  /** The secret that signs cookies. Cookie-parsing middleware sets this property. */
  secret?: string;
}

/** A response that has the prototype of an application. */
export interface Response extends core.Response {
  app: Application;
  req: Request;
  /** Accepts a value of any type, unlike @types/express. */
  set(field: string | Record<string, unknown>, value?: unknown): this;
  /** Accepts a value of any type, because Node.js checks it. */
  setHeader(name: string, value: unknown): this;
}

/** Properties that this package or middleware sets on a request while it is handled. */
// biome-ignore format: a table
type RequestProperty =
  | 'app' | 'res' | 'next' | 'params' | 'route' | 'baseUrl' | 'originalUrl'
  | 'body' | 'cookies' | 'signedCookies';

/** The members that every request inherits from this package. `accepted` belongs to Express 3. */
export type RequestMembers = Omit<
  Pick<Request, keyof core.Request>,
  keyof IncomingMessage | keyof Express.Request | RequestProperty | api.RemovedMember | 'param' | 'accepted'
>;

/** The members that every response inherits from this package. `charset` belongs to Express 3. */
export type ResponseMembers = Omit<
  Pick<Response, keyof core.Response>,
  keyof ServerResponse | keyof Express.Response | api.RemovedMember | 'app' | 'req' | 'locals' | 'charset'
>;

export type { CookieOptions } from 'express-serve-static-core';

/** Continues with the next handler. The argument is an error, or one of the signals `'route'` and `'router'`. */
export type Next = (err?: unknown) => void;

// Handlers for the requests and responses of one Express version; by default of any version.
export type Handler<Req = AnyRequest, Res = AnyResponse> = (req: Req, res: Res, next: Next) => unknown;
export type ErrorHandler<Req = AnyRequest, Res = AnyResponse> = (
  err: unknown,
  req: Req,
  res: Res,
  next: Next,
) => unknown;
export type ParamHandler = (
  req: AnyRequest,
  res: AnyResponse,
  next: Next,
  value: unknown,
  name: string | number,
) => unknown;

/** A path of a route: a string, a regular expression, or a list of these. */
export type Path = core.PathParams;

/** The handlers of a route: functions, or nested lists of functions. */
export type Handlers = readonly unknown[];

/** Receives the text that an engine rendered, or an error. */
export type ViewCallback = (err: unknown, html?: string) => void;

/** Renders the file at `path`. `options` are the merged locals. */
export type Engine = (path: string, options: Record<string, unknown>, callback: ViewCallback) => void;

export interface View {
  defaultEngine: string | undefined;
  ext: string;
  name: string;
  root: string | readonly string[] | undefined;
  engine: Engine;
  /** The path of the file; undefined if there is none. */
  path: string | undefined;
  lookup(name: string): string | undefined;
  render(options: Record<string, unknown>, callback: ViewCallback): void;
  resolve(dir: string, file: string): string | undefined;
}

/** The options of `app.render` and `res.render`: the locals of one view. */
export interface ViewLocals {
  /** `res.locals`, which `res.render` passes to `app.render`. */
  _locals?: object;
  /** Whether to cache the view. Default: the setting `view cache`. */
  cache?: unknown;
}

/**
 * The callback of `render`, with the type of @types/express. It receives an error and no text, or `null` and the text.
 */
export type RenderCallback = (err: Error, html: string) => void;

/** Settings by name, inherited from the parent application. A name that ends with `fn` is a compiled value. */
export interface Settings extends Partial<api.SettingsMap> {
  'etag fn'?: ETagGenerator | undefined;
  /** The argument is null if the request target has no query, which the public type `QueryParser` does not declare. */
  'query parser fn'?(query: string | null): unknown;
  'strict host fn'?: RequestCheck | undefined;
  'strict paths fn'?: RequestCheck | undefined;
  'trust proxy fn': api.TrustFunction;
  /** Sends a Blob, a ReadableStream or a Response. Returns false for another object. */
  'web bodies fn'?: ((res: AnyResponse, body: object) => boolean) | undefined;
  [name: string]: unknown;
}

/** Generates the ETag of a response body. `encoding` is given only if the body was a string. */
export type ETagGenerator<Body = Buffer> = (body: Body, encoding?: BufferEncoding) => string | undefined;

/** Checks a request before the first handler. Throws an error with a status, or may replace `req.url`. */
export type RequestCheck = (req: AnyRequest) => void;

/** Members that applications of Express 3, 4 and 5 have in common. */
export interface AnyApplication {
  settings: Settings;
  request: { app: AnyApplication };
  response: { app: AnyApplication };
  get<Name extends string>(name: Name): Settings[Name];
  set(name: string, value?: unknown): unknown;
  enabled(name: string): boolean;
  enable(name: string): unknown;
  handle(req: AnyRequest, res: AnyResponse, callback?: Next): void;
}

/** A request of an application of Express 3, 4 or 5. */
export interface AnyRequest extends IncomingMessage {
  app: AnyApplication;
  method: string;
  url: string;
  originalUrl: string;
  baseUrl: string;
  params: Record<string, unknown>;
  readonly host: string | undefined;
  res?: ServerResponse | undefined;
  route?: unknown;
  next?: Next | undefined;
  readonly fresh: boolean;
  get(name: string): string | undefined;
}

/** A response of an application of Express 3, 4 or 5. */
export interface AnyResponse extends ServerResponse {
  app: AnyApplication;
  req: AnyRequest;
  locals: object;
  status(code: number): unknown;
  get(name: string): unknown;
  set(name: string, value?: unknown): unknown;
  send(body?: unknown): unknown;
  setHeader(name: string, value: unknown): this;
  end(chunk?: unknown, encoding?: BufferEncoding | (() => void), callback?: () => void): this;
}

/** The internal members of the requests of Express 3 and 4. */
export interface RequestState<App, Res> {
  app: App;
  res: Res;
  next: Next;
  /** The secret that signs cookies; of a list, the first. Cookie-parsing middleware sets it. */
  secret?: string | string[];
}

/** The internal members of the responses of Express 3 and 4. */
export interface ResponseState<App, Req> {
  app: App;
  req: Req;
  /** Unlike the public type, accepts a value of any type. */
  set(name: string | Record<string, unknown>, value?: unknown): this;
}

/** The internal members of the applications of Express 3 and 4. */
export interface ApplicationState<App, Req, Res> {
  (req: AnyRequest, res: AnyResponse, next?: Next): void;
  handle(req: AnyRequest, res: AnyResponse, callback?: Next): void;
  on(event: 'mount', listener: (parent: App) => void): this;
  settings: Settings;
  engines: Record<string, Engine>;
  cache: Record<string, View>;
  request: Req;
  response: Res;
  parent?: App;
}

export interface Application extends api.Express {
  (req: AnyRequest, res: AnyResponse, next?: Next): void;
  handle(req: AnyRequest, res: AnyResponse, callback?: Next): void;
  on(event: string, callback: (parent: Application) => void): this;
  param(name: unknown, fn?: unknown): this;
  /** Declared here, because the routes of @types/express lack some HTTP methods. */
  route(path: Path): core.IRoute & Record<Verb, (...handlers: Handlers) => unknown>;
  locals: Record<string, unknown>;
  settings: Settings;
  engines: Record<string, Engine>;
  cache: Record<string, View>;
  request: Request;
  response: Response;
  parent?: Application;
}

/** Members in @types/express that Express 5 does not have. */
type FormerMember = 'resource' | 'map' | 'routes' | '_router';

/** Members that `application` lacks: each application gets them later, or they exist only in the types. */
type ApplicationProperty = 'listRoutes' | 'locals' | 'mountpath' | 'settings' | 'router' | 'stack';

/** The names of the functions that add handlers: `all`, and one for each HTTP method. */
export type Verb = Exclude<keyof core.IRouter, 'param' | 'route' | 'stack' | 'use'>;

/** The members that every application gets as a copy, without the functions for HTTP methods. */
export type ApplicationMembers = Omit<
  Pick<Application, keyof core.Application | 'handle'>,
  | keyof EventEmitter
  | keyof Express.Application
  | Verb
  | FormerMember
  | api.RemovedMember
  | ApplicationProperty
>;

/** Some members of an interface, which one object implements. In its methods, `this` has the whole interface. */
export type Part<Whole, Name extends keyof Whole> = Pick<Whole, Name> & ThisType<Whole>;

export type Descriptors<Members> = { [Name in keyof Members]: TypedPropertyDescriptor<Members[Name]> };
