/**
 * The types that modules share. §2 · §4
 *
 * `Request`, `Response` and `Application` are the public types (`interface.ts`) plus internal members. `Members` of
 * each lists what the prototypes implement; the compiler checks that they are complete.
 */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as core from 'express-serve-static-core';
import type * as api from './interface';

/** A request that has reached an application. */
export interface Request extends core.Request {
  app: Application;
  res: Response;
  next: Next;
  /** Set by cookie-parsing middleware; signs cookies. §2.8 */
  secret?: string | string[];
}

/** A response whose request has reached an application. */
export interface Response extends core.Response {
  app: Application;
  req: Request;
  /** Also takes values that are not strings. */
  set(field: string | Record<string, unknown>, value?: unknown): this;
}

/** Set per request, or by middleware. */
type RequestState =
  | ('app' | 'res' | 'next' | 'params' | 'route' | 'baseUrl' | 'originalUrl')
  | ('body' | 'cookies' | 'signedCookies');

/** What every request inherits from this package. `accepted` is part of Express 3. */
export type RequestMembers = Omit<
  Pick<Request, keyof core.Request>,
  keyof IncomingMessage | keyof Express.Request | RequestState | api.RemovedMember | 'param' | 'accepted'
>;

/** What every response inherits from this package. `charset` is part of Express 3. */
export type ResponseMembers = Omit<
  Pick<Response, keyof core.Response>,
  keyof ServerResponse | keyof Express.Response | api.RemovedMember | 'app' | 'req' | 'locals' | 'charset'
>;

export type { CookieOptions } from 'express-serve-static-core';

/** Continue; with an argument, an error or one of the signals `'route'` and `'router'`. §1 */
export type Next = (err?: unknown) => void;

export type Handler = (req: AnyRequest, res: AnyResponse, next: Next) => unknown;
export type ErrorHandler = (err: unknown, req: AnyRequest, res: AnyResponse, next: Next) => unknown;
export type ParamHandler = (
  req: AnyRequest,
  res: AnyResponse,
  next: Next,
  value: unknown,
  name: string,
) => unknown;

/** A path as applications write it: string, pattern, regular expression, or nested lists of these. §4.2 */
export type Path = core.PathParams;

/** Handlers as applications write them: one, several, nested lists. §4.2 */
export type Handlers = readonly core.RequestHandlerParams[];

/** Receives the text that an engine rendered. */
export type ViewCallback = (err: unknown, html?: string) => void;

/** Renders the file at `path`; `options` are the merged locals. §4.2 */
export type Engine = (path: string, options: Record<string, unknown>, callback: ViewCallback) => void;

/** A view, found or not, and its engine. §2.2 `view` */
export interface View {
  defaultEngine: string | undefined;
  ext: string;
  name: string;
  root: string | readonly string[] | undefined;
  engine: Engine;
  /** The file; undefined if there is none. */
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

/** Settings by name; a sub-application inherits its parent's. Names that end with `fn` hold the compiled value. §2.2 */
export interface Settings extends Partial<api.SettingsMap> {
  'etag fn'?: ETagGenerator | undefined;
  'query parser fn'?: api.QueryParser | undefined;
  'strict host fn'?: RequestCheck | undefined;
  'strict paths fn'?: RequestCheck | undefined;
  'trust proxy fn': api.TrustFunction;
  [name: string]: unknown;
}

/** Creates the ETag of a response body; `encoding` is `'utf8'` if the body was a string. §2.4 */
export type ETagGenerator<Body = Buffer> = (body: Body, encoding?: BufferEncoding) => string | undefined;

/** Checks a request before its first handler; throws an error with a status to refuse it. §2.2 */
export type RequestCheck = (req: AnyRequest) => void;

/** What the applications of all series of Express have in common. */
export interface AnyApplication {
  settings: Settings;
  request: { app: AnyApplication };
  response: { app: AnyApplication };
  get(name: string): unknown;
  set(name: string, value?: unknown): unknown;
  enabled(name: string): boolean;
  handle(req: AnyRequest, res: AnyResponse, callback?: Next): void;
}

/** A request of an application of any series. */
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

/** A response of an application of any series. */
export interface AnyResponse extends ServerResponse {
  app: AnyApplication;
  req: AnyRequest;
  locals: object;
  status(code: number): unknown;
  get(name: string): unknown;
  set(name: string, value?: unknown): unknown;
  send(body?: unknown): unknown;
  end(chunk?: unknown, encoding?: BufferEncoding | (() => void), callback?: () => void): this;
}

export interface Application extends api.Express {
  (req: AnyRequest, res: AnyResponse, next?: Next): void;
  handle(req: AnyRequest, res: AnyResponse, callback?: Next): void;
  param(name: unknown, fn?: unknown): this;
  locals: Record<string, unknown>;
  settings: Settings;
  engines: Record<string, Engine>;
  cache: Record<string, View>;
  request: Request;
  response: Response;
  parent?: Application;
}

/** Members in @types/express that belong to Express 3 and 4. */
type FormerMember = 'resource' | 'map' | 'routes' | '_router';

/** Set by `init`, at mounting, or once per HTTP method. */
type ApplicationState = 'listRoutes' | 'locals' | 'mountpath' | 'settings' | 'router' | 'stack';

/** `all`, and the functions of a router or application for each method of HTTP. */
export type Verb = Exclude<keyof core.IRouter, 'param' | 'route' | 'stack' | 'use'>;

/** What every application gets as a copy, without the functions of HTTP methods. */
export type ApplicationMembers = Omit<
  Pick<Application, keyof core.Application | 'handle'>,
  keyof EventEmitter | keyof Express.Application | Verb | FormerMember | api.RemovedMember | ApplicationState
>;

/** Some members of an interface, implemented in one place; `this` is the whole. */
export type Part<Whole, Name extends keyof Whole> = Pick<Whole, Name> & ThisType<Whole>;

/** A descriptor for every member. */
export type Descriptors<Members> = { [Name in keyof Members]: TypedPropertyDescriptor<Members[Name]> };
