/**
 * The shapes that the modules share. Types only. §2 · §4
 *
 * `Request`, `Response` and `Application` are the public ones (`interface.ts`) with the members that only this package
 * relies on. `Members` of each are what the prototypes have: the compiler checks that they are complete.
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
  /** Takes values that are no text, too. */
  set(field: string | Record<string, unknown>, value?: unknown): this;
}

/** Set per request, or by middleware. */
type RequestState =
  | ('app' | 'res' | 'next' | 'params' | 'route' | 'baseUrl' | 'originalUrl')
  | ('body' | 'cookies' | 'signedCookies');

/** What every request inherits of this package. `accepted` is of Express 3. */
export type RequestMembers = Omit<
  Pick<Request, keyof core.Request>,
  keyof IncomingMessage | keyof Express.Request | RequestState | 'accepted'
>;

/** What every response inherits of this package. `charset` is of Express 3. */
export type ResponseMembers = Omit<
  Pick<Response, keyof core.Response>,
  keyof ServerResponse | keyof Express.Response | 'app' | 'req' | 'locals' | 'charset'
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

/** A path as applications write it: text, pattern, regular expression, or lists of these, also in lists. §4.2 */
export type Path = core.PathParams;

/** Handlers as applications write them: one, several, lists in lists. §4.2 */
export type Handlers = readonly core.RequestHandlerParams[];

/** Takes what an engine rendered. */
export type ViewCallback = (err: unknown, html?: string) => void;

/** Renders the file at `path`; `options` are the merged locals. §4.2 */
export type Engine = (path: string, options: Record<string, unknown>, callback: ViewCallback) => void;

/** A view that was found, or not, and its engine. §2.2 `view` */
export interface View {
  defaultEngine: string | undefined;
  ext: string;
  name: string;
  root: string | readonly string[] | undefined;
  engine: Engine;
  /** The file; undefined when there is none. */
  path: string | undefined;
  lookup(name: string): string | undefined;
  render(options: Record<string, unknown>, callback: ViewCallback): void;
  resolve(dir: string, file: string): string | undefined;
}

/** The locals of one view. §4.5 */
export interface ViewLocals {
  /** Those of the response. */
  _locals?: object;
  /** Look the view up once. */
  cache?: unknown;
}

/** The callback of `render`, as @types/express has it: with an error there is no text, without one `err` is null. */
export type RenderCallback = (err: Error, html: string) => void;

/** Settings by name; a sub-application's inherit from its parent's. Those named `fn` are compiled. §2.2 */
export interface Settings extends Partial<api.SettingsMap> {
  'etag fn'?: ETagGenerator | undefined;
  'query parser fn'?: api.QueryParser | undefined;
  'strict host fn'?: RequestCheck | undefined;
  'strict paths fn'?: RequestCheck | undefined;
  'trust proxy fn': api.TrustFunction;
  [name: string]: unknown;
}

/** Makes the ETag of a body as it is sent; `encoding` is `'utf8'` for a body that was text. §2.4 */
export type ETagGenerator<Body = Buffer> = (body: Body, encoding?: BufferEncoding) => string | undefined;

/** Looks at a request before its first handler; throws an error with its status for one that is refused. §2.2 */
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

/** Those of @types/express that are of Express 3 and 4. */
type FormerMember = 'resource' | 'map' | 'routes' | '_router';

/** Made by `init` or when it is mounted, or one per method of HTTP. */
type ApplicationState = 'listRoutes' | 'locals' | 'mountpath' | 'settings' | 'router' | 'stack';

/** `all`, and the functions of a router or application for each method of HTTP. */
export type Verb = Exclude<keyof core.IRouter, 'param' | 'route' | 'stack' | 'use'>;

/** What every application gets a copy of, without the functions of HTTP methods. */
export type ApplicationMembers = Omit<
  Pick<Application, keyof core.Application | 'handle'>,
  keyof EventEmitter | keyof Express.Application | Verb | FormerMember | ApplicationState
>;

/** Some members of an interface, implemented in one place: `this` is the whole. */
export type Part<Whole, Name extends keyof Whole> = Pick<Whole, Name> & ThisType<Whole>;

/** A descriptor for every member. */
export type Descriptors<Members> = { [Name in keyof Members]: TypedPropertyDescriptor<Members[Name]> };

/**
 * Some members of another series' interface: `this` is the whole. Names alone are checked, for the implementation types its
 * requests and applications more widely than the public interface.
 */
export type Named<Public, Name extends keyof Public, Whole> = Record<Name, unknown> & ThisType<Whole>;
