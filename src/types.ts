/**
 * The types that modules share. §2 · §4
 *
 * `Request`, `Response` and `Application` are the public types (`interface.ts`) with internal members. For each,
 * `Members` lists the members that its prototype implements, and the compiler checks that the list is complete.
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
  /** The secrets that sign cookies; cookie-parsing middleware sets the property. §2.8 */
  secret?: string;
}

/** A response that has the prototype of an application. */
export interface Response extends core.Response {
  app: Application;
  req: Request;
  /** Accepts a value of any type. */
  set(field: string | Record<string, unknown>, value?: unknown): this;
  /** Node.js checks the type of the value. */
  setHeader(name: string, value: unknown): this;
}

/** Properties that are set per request, or by middleware. */
type RequestState =
  | ('app' | 'res' | 'next' | 'params' | 'route' | 'baseUrl' | 'originalUrl')
  | ('body' | 'cookies' | 'signedCookies');

/** The members that every request inherits from this package. `accepted` belongs to Express 3. */
export type RequestMembers = Omit<
  Pick<Request, keyof core.Request>,
  keyof IncomingMessage | keyof Express.Request | RequestState | api.RemovedMember | 'param' | 'accepted'
>;

/** The members that every response inherits from this package. `charset` belongs to Express 3. */
export type ResponseMembers = Omit<
  Pick<Response, keyof core.Response>,
  keyof ServerResponse | keyof Express.Response | api.RemovedMember | 'app' | 'req' | 'locals' | 'charset'
>;

export type { CookieOptions } from 'express-serve-static-core';

/** Continues with the next handler. The argument is an error, or one of the signals `'route'` and `'router'`. §1 */
export type Next = (err?: unknown) => void;

// For the requests and responses of one Express version, or of any.
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
  name: string,
) => unknown;

/** A path of a route: a string, a pattern, a regular expression, or nested lists of these. §4.2 */
export type Path = core.PathParams;

/** The handlers of a route: one, several, or nested lists. §4.2 */
export type Handlers = readonly unknown[];

/** Receives the text that an engine rendered, or an error. */
export type ViewCallback = (err: unknown, html?: string) => void;

/** Renders the file at `path`. `options` are the merged locals. §4.2 */
export type Engine = (path: string, options: Record<string, unknown>, callback: ViewCallback) => void;

/** A view with its engine. §2.2 `view` */
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

/** The locals of one view. §4.5 */
export interface ViewLocals {
  /** The locals of the response. */
  _locals?: object;
  /** Whether to cache the view. */
  cache?: unknown;
}

/** The callback of `render`, typed as in @types/express: either an error and no text, or `null` and the text. */
export type RenderCallback = (err: Error, html: string) => void;

/**
 * Settings by name. A mounted application inherits its parent's. A name that ends with `fn` has a compiled value.
 * §2.2
 */
export interface Settings extends Partial<api.SettingsMap> {
  'etag fn'?: ETagGenerator | undefined;
  /** The argument is null for a target without a query, which @types/express does not declare. */
  'query parser fn'?(query: string | null): unknown;
  'strict host fn'?: RequestCheck | undefined;
  'strict paths fn'?: RequestCheck | undefined;
  'trust proxy fn': api.TrustFunction;
  [name: string]: unknown;
}

/** Generates the ETag of a response body. `encoding` is `'utf8'` if the body was a string. §2.4 */
export type ETagGenerator<Body = Buffer> = (body: Body, encoding?: BufferEncoding) => string | undefined;

/** Checks a request before the first handler runs; throws an error with a status to refuse it. §2.2 */
export type RequestCheck = (req: AnyRequest) => void;

/** The members that applications of Express 3, 4 and 5 have in common. */
export interface AnyApplication {
  settings: Settings;
  request: { app: AnyApplication };
  response: { app: AnyApplication };
  get<Name extends string>(name: Name): Settings[Name];
  set(name: string, value?: unknown): unknown;
  enabled(name: string): boolean;
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

export interface Application extends api.Express {
  (req: AnyRequest, res: AnyResponse, next?: Next): void;
  handle(req: AnyRequest, res: AnyResponse, callback?: Next): void;
  on(event: string, callback: (parent: Application) => void): this;
  param(name: unknown, fn?: unknown): this;
  /** @types/express describes the routes of Express 4. */
  route(path: Path): core.IRoute & Record<Verb, (...handlers: Handlers) => unknown>;
  locals: Record<string, unknown>;
  settings: Settings;
  engines: Record<string, Engine>;
  cache: Record<string, View>;
  request: Request;
  response: Response;
  parent?: Application;
}

/** Members in @types/express that exist in Express 3 and 4 only. */
type FormerMember = 'resource' | 'map' | 'routes' | '_router';

/** Properties that are set by `init`, at mounting, or once per HTTP method. */
type ApplicationState = 'listRoutes' | 'locals' | 'mountpath' | 'settings' | 'router' | 'stack';

/** `all`, and the functions of a router or application for the HTTP methods. */
export type Verb = Exclude<keyof core.IRouter, 'param' | 'route' | 'stack' | 'use'>;

/** The members that every application gets as a copy, without the functions for HTTP methods. */
export type ApplicationMembers = Omit<
  Pick<Application, keyof core.Application | 'handle'>,
  keyof EventEmitter | keyof Express.Application | Verb | FormerMember | api.RemovedMember | ApplicationState
>;

/** Some members of an interface, implemented by one object. `this` is the whole interface. */
export type Part<Whole, Name extends keyof Whole> = Pick<Whole, Name> & ThisType<Whole>;

/** A property descriptor for each member. */
export type Descriptors<Members> = { [Name in keyof Members]: TypedPropertyDescriptor<Members[Name]> };
