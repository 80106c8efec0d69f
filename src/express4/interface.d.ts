/**
 * The public types of Express 4: those of @types/express 4, and members that it lacks. The comment of a deprecated
 * member names its replacement.
 *
 * The types extend the interfaces of @types/express-serve-static-core, so that augmentations and handlers for any
 * version of Express compile. Do not import ../interface.ts here: it adds members of its own to the same interfaces.
 */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type * as bodyParser from 'body-parser';
import type * as core from 'express-serve-static-core';
import type { SendOptions } from 'send';
import type * as serveStatic from 'serve-static';

import Itself = express4;

declare const RouterBase: Pick<express4.IRouter, keyof express4.IRouter> & (new () => object);

/** Creates an Express 4 application. */
declare function express4(): express4.Express;

declare namespace express4 {
  export { Itself as default };
  /** The framework function with its properties. */
  export type Express4 = typeof Itself;

  /** Creates a parser of JSON bodies. @see https://expressjs.com/en/4x/api.html#express.json */
  export function json(options?: bodyParser.OptionsJson): BodyParser;
  /** Creates a parser that reads bodies as bytes. @see https://expressjs.com/en/4x/api.html#express.raw */
  export function raw(options?: bodyParser.Options): BodyParser;
  /** Creates a parser that reads bodies as text. @see https://expressjs.com/en/4x/api.html#express.text */
  export function text(options?: bodyParser.OptionsText): BodyParser;
  /** Creates a parser of form bodies. @see https://expressjs.com/en/4x/api.html#express.urlencoded */
  export function urlencoded(options?: bodyParser.OptionsUrlencoded & { depth?: number }): BodyParser;
  /**
   * Creates the middleware that sets `req.query`.
   *
   * @deprecated Every application already has this middleware. Set a parser with `app.set('query parser', parser)`.
   */
  export function query(options?: object | ((query: string) => unknown)): RequestHandler;
  /** Creates middleware that serves the files of a directory. @see https://expressjs.com/en/4x/api.html#express.static */
  export var static: ((root: string, options?: StaticOptions) => serveStatic.RequestHandler<BaseResponse>) & {
    /** The media types of responses by extension. @deprecated Pass the type to `res.type()`. */
    mime: Mime;
  };

  /** The members that every new application gets as a copy. */
  export var application: Application;
  /** The prototype of the requests of all applications. */
  export var request: Request;
  /** The prototype of the responses of all applications. */
  export var response: Response;

  /** Creates a router. @see https://expressjs.com/en/4x/api.html#express.router */
  export function Router(options?: RouterOptions): Router;
  /** A router. Every router inherits the properties of the function. */
  export class Router extends RouterBase {
    constructor(options?: RouterOptions);
  }
  export interface Router extends IRouter, Omit<core.Router, keyof IRouter | 'listRoutes'> {}
  /** A route: a path with handlers for its methods. */
  export class Route {
    constructor(path: string);
  }
  export interface Route extends IRoute {}

  export interface StaticOptions extends serveStatic.ServeStaticOptions<BaseResponse> {
    /** Whether to send precompressed files, as in `nozomi`. Default false. Express 4 does not have this option. */
    preCompressed?: boolean | ReadonlyArray<'br' | 'zstd' | 'gzip'>;
  }

  /** A parser of bodies, as Express also exports it: middleware for any server of Node.js. */
  export type BodyParser = (req: IncomingMessage, res: ServerResponse, next: (err?: any) => void) => void;

  /** Options of `express.Router()`. */
  export interface RouterOptions {
    /** Whether `/Foo` and `/foo` are different routes. Default false. */
    caseSensitive?: boolean | undefined;
    /** Whether to keep the parameters of the parent router. If both have a parameter, the child's wins. Default false. */
    mergeParams?: boolean | undefined;
    /** Whether `/foo` and `/foo/` are different routes. Default false. */
    strict?: boolean | undefined;
  }

  export type AnyLocals = Record<string, any>;

  /** The values of the parameters by name; groups and stars have a number. A missing optional parameter is undefined. */
  export interface ParamsDictionary {
    [name: string | number]: string;
  }

  export interface NextFunction extends core.NextFunction {}

  export interface BaseRequest<
    P = ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > extends core.Request<P, ResBody, ReqBody, ReqQuery, Locals> {
    /** `core.Request`, which this interface extends, requires that `app` also has the core type. */
    app: Application & core.Application;
    /** The response to this request. */
    res?: BaseResponse<ResBody, Locals>;
    /** The parsed query, a plain property. In Express 5 `req.query` is read-only and parses the query at each read. */
    query: ReqQuery;
    /** The host without its port. @deprecated Use `req.hostname`. In Express 5 `req.host` includes the port. */
    readonly host: string;
    /** @deprecated Read `req.params[name]`, `req.body[name]` or `req.query[name]`. */
    param(name: string, fallback?: any): any;
    /** @deprecated Use `req.acceptsCharsets(charset)`. */
    acceptsCharset(...charsets: string[]): string | false;
    /** @deprecated Use `req.acceptsEncodings(encoding)`. */
    acceptsEncoding(...encodings: string[]): string | false;
    /** @deprecated Use `req.acceptsLanguages(language)`. */
    acceptsLanguage(...languages: string[]): string | false;
  }

  export interface BaseResponse<
    ResBody = any,
    Locals extends AnyLocals = AnyLocals,
    StatusCode extends number = number,
  > extends core.Response<ResBody, Locals, StatusCode> {
    /** The application that handles the request. */
    app: Application & core.Application;
    /** The request of this response. */
    req: BaseRequest;
    /** Sends a string, bytes, or any other value as JSON. @see https://expressjs.com/en/4x/api.html#res.send */
    send: SendStatus<this> & Send<ResBody, this>;
    /** Sends a value as JSON. @see https://expressjs.com/en/4x/api.html#res.json */
    json: Send<ResBody, this>;
    /** Sends a value as JSON, or as a call of the function in the query parameter `callback`. */
    jsonp: Send<ResBody, this>;
    /** @deprecated Use `res.sendFile(path, callback)`, with an absolute path or `root`. */
    sendfile(path: string, callback?: core.Errback): void;
    /** @deprecated Use `res.sendFile(path, options, callback)`, with an absolute path or `root`. */
    sendfile(path: string, options: SendfileOptions, callback?: core.Errback): void;
    /** Redirects to a URL with the status 302. @see https://expressjs.com/en/4x/api.html#res.redirect */
    redirect(url: string): void;
    /** Redirects to a URL. */
    redirect(status: number, url: string): void;
    /** @deprecated Use `res.redirect(status, url)`. */
    redirect(url: string, status: number): void;
    /** Adds names of headers to `Vary`. */
    vary(field: string | string[]): this;
    /** Does nothing. @deprecated Pass the name of a header. */
    vary(): this;
  }

  export interface SendfileOptions extends SendOptions {
    /** Headers to send with the file. */
    headers?: Record<string, unknown>;
    /** @deprecated Use `dotfiles: 'allow'`. */
    hidden?: boolean;
    /** @deprecated Use `root`. */
    from?: string;
  }

  // The types below have the names and type parameters of @types/express 4, because applications refer to them.
  export interface RequestHandler<
    P = ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > {
    (
      req: BaseRequest<P, ResBody, ReqBody, ReqQuery, Locals>,
      res: BaseResponse<ResBody, Locals>,
      next: NextFunction,
    ): void;
  }

  export interface ErrorRequestHandler<
    P = ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > {
    (
      err: any,
      req: BaseRequest<P, ResBody, ReqBody, ReqQuery, Locals>,
      res: BaseResponse<ResBody, Locals>,
      next: NextFunction,
    ): void;
  }

  export interface RequestParamHandler {
    (req: BaseRequest, res: BaseResponse, next: NextFunction, value: any, name: string): any;
  }

  export type RequestHandlerParams<
    P = ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > =
    | RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals>
    | ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, Locals>
    | Array<RequestHandler<P> | ErrorRequestHandler<P>>;

  /** A path: a string with `*`, `:name`, `:name?` or `:name(pattern)`, a regular expression, or a list of these. */
  export type PathParams = core.PathParams;

  export type Before<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${string}`
    ? Head
    : Text;
  export type NameIn<Text extends string> = Before<Before<Before<Text, '/'>, '-'>, '.'>;

  /** The parameters of a path, from its literal type: any name, if it has a pattern or a star. */
  export type RouteParameters<Route extends string> = string extends Route
    ? ParamsDictionary
    : Route extends `${string}(${string}` | `${string}*${string}`
      ? ParamsDictionary
      : Route extends `${string}:${infer Rest}`
        ? (NameIn<Rest> extends `${infer Name}?`
            ? { [Key in Name]?: string }
            : { [Key in NameIn<Rest>]: string }) &
            (Rest extends `${NameIn<Rest>}${infer Next}` ? RouteParameters<Next> : unknown)
        : {};

  /** The type of `app.use` and `app.get`: adds handlers for a path. */
  // biome-ignore format: a table
  export interface IRouterMatcher<T, _Method extends string = any> {
    /** Adds handlers for a path. @see https://expressjs.com/en/4x/api.html#app.METHOD */
    <
      Route extends string, P = RouteParameters<Route>, ResBody = any, ReqBody = any, ReqQuery = core.Query,
      Locals extends AnyLocals = AnyLocals,
    >(
      path: Route,
      ...handlers: Array<RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals>>
    ): T;
    /** Adds handlers, error handlers and lists of them for a path. */
    <
      Route extends string, P = RouteParameters<Route>, ResBody = any, ReqBody = any, ReqQuery = core.Query,
      Locals extends AnyLocals = AnyLocals,
    >(
      path: Route,
      ...handlers: Array<RequestHandlerParams<P, ResBody, ReqBody, ReqQuery, Locals>>
    ): T;
    /** Adds handlers for a path, a regular expression, or a list of both. */
    <
      P = ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query,
      Locals extends AnyLocals = AnyLocals,
    >(
      path: PathParams,
      ...handlers: Array<RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals>>
    ): T;
    /** Adds handlers, error handlers and lists of them for a path, a regular expression, or a list of both. */
    <
      P = ParamsDictionary, ResBody = any, ReqBody = any, ReqQuery = core.Query,
      Locals extends AnyLocals = AnyLocals,
    >(
      path: PathParams,
      ...handlers: Array<RequestHandlerParams<P, ResBody, ReqBody, ReqQuery, Locals>>
    ): T;
    /** Mounts an application on a path. */
    (path: PathParams, subApplication: Application | core.Application): T;
  }

  /** The type of `route.get`, and of `app.use` without a path: adds handlers. */
  // biome-ignore format: a table
  export interface IRouterHandler<T, Route extends string = string> {
    /** Adds handlers. In `use`, a path may come first: `use(path, ...handlers)`. */
    <
      P = RouteParameters<Route>, ResBody = any, ReqBody = any, ReqQuery = core.Query,
      Locals extends AnyLocals = AnyLocals,
    >(
      ...handlers: Array<RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals>>
    ): T;
    <
      P = RouteParameters<Route>, ResBody = any, ReqBody = any, ReqQuery = core.Query,
      Locals extends AnyLocals = AnyLocals,
    >(
      ...handlers: Array<RequestHandlerParams<P, ResBody, ReqBody, ReqQuery, Locals>>
    ): T;
  }

  export interface ILayer {
    handle: (req: any, res: any, next: any) => any;
    name: string;
    /** The parameters of the last match of any request. */
    params?: Record<string, any>;
    path?: string;
    /** Objects with `name`, `optional` and `offset`; `any`, because @types/express declares strings. */
    keys: any[];
    regexp: RegExp & { fast_star: boolean; fast_slash: boolean };
    route?: IRoute;
    /** The method in lower case. At run time, it is undefined for a layer of a router or of `route.all`. */
    method: string;
  }

  /** One member per method, because a mapped type cannot return `this`. */
  // biome-ignore format: a table
  export interface Verbs {
    all: IRouterMatcher<this>; get: IRouterMatcher<this>; post: IRouterMatcher<this>; put: IRouterMatcher<this>;
    delete: IRouterMatcher<this>; patch: IRouterMatcher<this>; options: IRouterMatcher<this>;
    head: IRouterMatcher<this>; checkout: IRouterMatcher<this>; connect: IRouterMatcher<this>;
    copy: IRouterMatcher<this>; link: IRouterMatcher<this>; lock: IRouterMatcher<this>;
    'm-search': IRouterMatcher<this>; merge: IRouterMatcher<this>; mkactivity: IRouterMatcher<this>;
    mkcol: IRouterMatcher<this>; move: IRouterMatcher<this>; notify: IRouterMatcher<this>;
    propfind: IRouterMatcher<this>; proppatch: IRouterMatcher<this>; purge: IRouterMatcher<this>;
    report: IRouterMatcher<this>; search: IRouterMatcher<this>; subscribe: IRouterMatcher<this>;
    trace: IRouterMatcher<this>; unlink: IRouterMatcher<this>; unlock: IRouterMatcher<this>;
    unsubscribe: IRouterMatcher<this>;
    /** The HTTP method QUERY; undefined if the version of Node.js does not support it. */
    query?: IRouterMatcher<this>;
  }

  export interface IRoute<Route extends string = string>
    extends Record<keyof Verbs, IRouterHandler<IRoute<Route>, Route>>,
      Omit<core.IRoute, keyof Verbs | 'path' | 'stack'> {
    /** The path of the route. */
    path: string;
    /** The handlers, in order. */
    stack: ILayer[];
    /** Which methods have a handler, by their name in lower case. `_all` stands for all methods. */
    methods: Record<string, boolean>;
  }

  /**
   * Creates the parameter callback for `param(name, option)`. If it returns undefined, the option itself is the callback.
   */
  export type ParamFactory = (name: string, option: any) => RequestParamHandler | undefined;

  /** Adds routes and middleware. Only `param` of an application also accepts a list of names. */
  export interface Routing<Names extends string | string[]> extends Verbs {
    /**
     * Registers a factory, which creates the callbacks of later `param(name, option)` calls.
     *
     * @deprecated Register a callback for each parameter: `app.param(name, callback)`.
     */
    param(factory: ParamFactory): this;
    /** Registers a callback for a parameter of paths. */
    param(name: Names, callback: RequestParamHandler): this;
    /** Passes `option` to the registered factory. @deprecated Register a callback: `app.param(name, callback)`. */
    param(name: Names, option: RegExp | string | number): this;
    use: IRouterHandler<this> & IRouterMatcher<this>;
    /** Returns a route for the path, to which `get`, `post` and the like add handlers. */
    route<Route extends string>(path: Route): IRoute<Route>;
    /** Returns a route for a path, a regular expression, or a list of both. */
    route(path: PathParams): IRoute;
  }

  export interface IRouter extends Routing<string> {
    // Typed with the core types, so that an application of any Express version can mount the router.
    (req: core.Request<any, any, any, any>, res: core.Response, next: NextFunction): void;
    /** The layers of the router, in order. */
    stack: ILayer[];
  }

  /** The members of a core application, without those that `Application` inherits elsewhere, declares itself or lacks. */
  export type CoreApplication = Omit<
    core.Application,
    keyof EventEmitter | keyof Routing<string> | Redeclared
  >;

  // biome-ignore format: a table
  export type Redeclared =
    | 'router' | '_router' | 'listen' | 'listRoutes' | 'set' | 'engine' | 'enable' | 'disable';

  export interface GetSetting {
    /** Reads a setting. @see https://expressjs.com/en/4x/api.html#app.get */
    (setting: string): any;
  }

  export interface Application extends EventEmitter, Routing<string | string[]>, CoreApplication {
    (req: BaseRequest | IncomingMessage, res: BaseResponse | ServerResponse): any;
    /** Adds a route for GET. With a name alone, reads a setting. */
    get: GetSetting & IRouterMatcher<this>;
    /** Stores a setting. @see https://expressjs.com/en/4x/api.html#app.set */
    set(setting: string, value: any): this;
    /** Sets a setting to true. */
    enable(setting: string): this;
    /** Sets a setting to false. */
    disable(setting: string): this;
    /** Sets the view engine for a file extension. */
    engine(
      extension: string,
      render: (path: string, options: object, callback: (err: any, rendered?: string) => void) => void,
    ): this;
    on(event: 'mount', listener: (parent: Application) => void): this;
    on(event: string | symbol, listener: (...args: any[]) => void): this;
    use: IRouterHandler<this> & IRouterMatcher<this> & ((app: Application | core.Application) => this);
    /** @deprecated Use `app.delete(path, handler)`. */
    del<
      Route extends string,
      P = RouteParameters<Route>,
      ResBody = any,
      ReqBody = any,
      ReqQuery = core.Query,
      Locals extends AnyLocals = AnyLocals,
    >(path: Route, ...handlers: Array<RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals>>): this;
    /** @deprecated Use `app.delete(path, handler)`. */
    del(path: PathParams, ...handlers: RequestHandlerParams[]): this;
    /** Creates the router, if the application has none. */
    lazyrouter(): void;
    /** The router; undefined until the first route or middleware. In Express 5, use `app.router`. */
    _router: any;
    /** Throws an error when it is read. In Express 5, it is the router. */
    readonly router: never;
    /** Creates a server for the application, and listens. Returns the server. */
    listen: Server['listen'];
    /** The prototype of the application's requests. `response` is the prototype of its responses. */
    request: BaseRequest;
    /** The prototype of the responses of the application. */
    response: BaseResponse;
  }

  export interface Express
    extends Application,
      Omit<core.Express, keyof core.Application | keyof Application> {}

  /** What `declare module` adds to this type is not in the types of handlers, as in @types/express. */
  export interface Request<
    P = ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > extends BaseRequest<P, ResBody, ReqBody, ReqQuery, Locals> {}
  export interface Response<ResBody = any, Locals extends AnyLocals = AnyLocals>
    extends BaseResponse<ResBody, Locals> {}
  export interface CookieOptions extends core.CookieOptions {}
  export interface Locals extends core.Locals {}
  export interface Errback extends core.Errback {}
  export interface MediaType extends core.MediaType {}
  export interface Handler extends RequestHandler {}

  /** The type of `res.send`, `res.json` and `res.jsonp`. */
  export interface Send<ResBody = any, Result = Response<ResBody>> {
    /** @deprecated Use `res.status(status).send(body)`. */
    <Status extends number>(status: Status, body: ResBody): Result;
    /** @deprecated Use `res.status(status).send(body)`. */
    <Status extends number>(body: ResBody, status: Status): Result;
    // Last, because TypeScript infers from the last signature. With the type parameter of the others, so that a function
    // that replaces this one gets the type of its argument.
    <_Status extends number>(body?: ResBody): Result;
  }

  /** The deprecated `res.send(status)`. It refuses `any`, because a value of type `any` could be a body. */
  export interface SendStatus<Result> {
    /** @deprecated Use `res.sendStatus(status)`. */
    <Status extends number>(status: 0 extends 1 & Status ? never : Status): Result;
  }

  export interface Mime {
    /** The media type of each extension. */
    types: Record<string, string>;
    /** The default extension of each media type. */
    extensions: Record<string, string | undefined>;
    default_type: string;
    /** Returns the media type of an extension or path; for an unknown one `fallback`, or else `default_type`. */
    lookup(path: string, fallback?: string): string;
    /** Returns the default extension of a media type; undefined if the type is unknown. */
    extension(type: string): string | undefined;
    /** Adds media types and their extensions for all applications of the process that use the same Express version. */
    define(types: Record<string, readonly string[]>): void;
    /** Adds the types of a file in the format of Apache: each line has a type and its extensions. */
    load(file: string): void;
    charsets: { lookup(type: string, fallback?: string): string | undefined };
  }
}

export = express4;
