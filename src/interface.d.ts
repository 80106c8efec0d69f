/**
 * The public types of the entry point `nozomi`. The compiler checks the implementation against them.
 *
 * Most of them extend interfaces of @types/express, so that augmentations and handlers written for Express compile.
 * They also declare the members of this package that Express does not have. §4.1
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type * as bodyParser from 'body-parser';
import type * as core from 'express-serve-static-core';
import type * as serveStatic from 'serve-static';

import Itself = framework;

/** Creates an application. */
declare function framework(): framework.Express;

declare namespace framework {
  export { Itself as default, Itself as framework };
  /** The framework function with its properties. */
  export type Framework = typeof Itself;

  /** Creates a parser of JSON bodies. @see https://expressjs.com/en/5x/api.html#express.json */
  export function json(options?: JsonOptions): BodyParser;
  /** Creates a parser that reads bodies as bytes. @see https://expressjs.com/en/5x/api.html#express.raw */
  export function raw(options?: RawOptions): BodyParser;
  /** Creates a parser that reads bodies as text. @see https://expressjs.com/en/5x/api.html#express.text */
  export function text(options?: TextOptions): BodyParser;
  /** Creates a parser of form bodies. @see https://expressjs.com/en/5x/api.html#express.urlencoded */
  export function urlencoded(options?: UrlencodedOptions): BodyParser;
  /** Creates middleware that serves the files of a directory. @see https://expressjs.com/en/5x/api.html#express.static */
  export var static: (root: string, options?: StaticOptions) => serveStatic.RequestHandler<core.Response>;
  /** The request logger, as `nozomi/logger` exports it. */
  export var logger: typeof import('./logger/interface');

  /** Members that every application gets as a copy. */
  export var application: Application;
  /** The object from which `app.request` of every application inherits. */
  export var request: Request;
  /** The object from which `app.response` of every application inherits. */
  export var response: Response;

  /** Creates a router. @see https://expressjs.com/en/5x/api.html#express.router */
  export function Router(options?: RouterOptions): Router;
  /** A router. Its prototype is that of every router: changes also affect existing routers. */
  export class Router {
    constructor(options?: RouterOptions);
  }
  export interface Router extends core.Router {}

  /** A route: a path with handlers for its methods. */
  export class Route {
    constructor(path: string);
  }
  export interface Route extends core.IRoute {}

  /** The settings that change behaviour, with the types of their values. Other names are allowed, too. */
  export interface SettingsMap {
    /**
     * Whether to send `X-Powered-By`, or the text to send: `'Express'` gives the header of Express. Default true. Mounted
     * applications send the text of their parent, unless they have their own. Express does not have texts.
     */
    'x-powered-by': boolean | string;
    /** How `res.send` generates the `ETag`. `true` means `'weak'`, `false` means no `ETag`. Default `'weak'`. */
    etag: boolean | 'weak' | 'strong' | ETagFunction;
    /**
     * The environment. In `production`, error pages do not show the error. In `test`, errors are not logged. Default
     * `NODE_ENV`, or `'development'`.
     */
    env: string | undefined;
    /**
     * How to parse `req.query`. `'simple'`: node:querystring; `'extended'`: the package qs, for nested objects and arrays;
     * `true` means `'simple'`, `false`: an empty object. Default `'simple'`.
     */
    'query parser': boolean | 'simple' | 'extended' | QueryParser;
    /** The number of labels at the end of the host name that `req.subdomains` omits. Default 2. */
    'subdomain offset': number;
    /**
     * The proxies whose `X-Forwarded-*` headers are trusted. Default false.
     *
     * - `true`: all proxies; `false`: none.
     * - A number: that many proxies, counted from this server.
     * - A string with commas, or a list: addresses, subnets, and the names `loopback`, `linklocal` and `uniquelocal`.
     * - A function of address and hop.
     */
    'trust proxy': boolean | number | string | readonly string[] | TrustFunction | undefined;
    /** The class that finds and renders views. */
    view: ViewClass;
    /** The directory of the views, or several directories in search order. Default: `views` in the working directory. */
    views: string | readonly string[];
    /** The query parameter that names the JSONP callback. Default `'callback'`. */
    'jsonp callback name': string;
    /** Whether to cache views. Default true in production. */
    'view cache': boolean | undefined;
    /** Whether `/Foo` and `/foo` are different routes. Set it before the first route or middleware. Default false. */
    'case sensitive routing': boolean | undefined;
    /** Whether to escape `<`, `>` and `&` in JSON responses. Default false. */
    'json escape': boolean | undefined;
    /** The argument `replacer` of `JSON.stringify` for JSON responses. */
    'json replacer':
      | ((this: any, key: string, value: any) => unknown)
      | Array<string | number>
      | null
      | undefined;
    /** The argument `space` of `JSON.stringify` for JSON responses. */
    'json spaces': string | number | undefined;
    /**
     * Whether Nozomi reads the most frequent kinds of requests itself, without the parser of Node.js. Default: whether the
     * environment variable `NOZOMI_CONNECTION` is `own`. Express does not have this setting.
     */
    'own connection': boolean;
    /**
     * Whether a body above the `limit` of its parser gets a 413 response at once; the connection is then closed. Otherwise
     * the body is read to its end before the response, as in Express. A compressed body may be a quarter and 1 kB longer
     * as it arrives, because compression lengthens some data; its parser compares the decompressed length with the limit.
     * A body with a transfer coding other than `chunked`, which Node.js does not decode, gets a 501 response. Default
     * false. Express does not have this setting.
     */
    'strict body limit': boolean;
    /**
     * Whether a request with a malformed or ambiguous host gets a 400 response. The check covers `Host`, a trusted
     * `X-Forwarded-Host`, and the host of an absolute request target. This protects links that contain `req.host`.
     * Default false. Express does not have this setting.
     */
    'strict host': boolean;
    /**
     * Whether each path has only one spelling. `true`: a path that is not in its normal form gets a 400 response, for
     * example one with escaped letters, empty segments, `.` or `..`. `'normalize'`: the path is converted to its normal
     * form before routing; if it has none, it gets a 400 response. Default false. Express does not have this setting.
     */
    'strict paths': boolean | 'normalize';
    /** Whether `/foo` and `/foo/` are different routes. Set it before the first route or middleware. Default false. */
    'strict routing': boolean | undefined;
    /** The extension of views whose name has none. */
    'view engine': string | undefined;
    /** Whether `res.send` streams a Blob, ReadableStream or Response; otherwise `{}`. Default false. Not in Express. */
    'web bodies': boolean;
  }

  /** A class or constructor function, whose instances have `render`, and `path`: undefined if there is no file. */
  export type ViewClass = (new (...args: never[]) => object) | ((this: any, ...args: never[]) => void);

  /** Generates an `ETag`, or undefined for none. `encoding`: `'utf8'` for a string; always undefined in Express. */
  export type ETagFunction = (body: Buffer, encoding?: BufferEncoding) => string | undefined;

  /** Parses the query string, without question mark, for `req.query`. At run time, null stands for no query. */
  export type QueryParser = (query: string) => unknown;

  /** Returns whether to trust a proxy. Hop 0 is the peer of the socket. */
  export type TrustFunction = (address: string, hop: number) => boolean;

  /** A name that is not in `SettingsMap`; `never` for a known one, whose overload checks the value. */
  export type OtherSetting<Name extends string> = Name extends keyof SettingsMap ? never : Name;

  /** Any value. With `string` in the union, TypeScript infers `'weak'` for `'weak'`, and not `string`. */
  export type Anything = string | {} | null | undefined;

  /** A type that is `string` or wider, whose values the compiler cannot check; `never` for other types. */
  export type Unchecked<Value> = string extends Value ? Value : never;

  /**
   * The type of `app.get(name)`. A setting whose values are all booleans, all numbers or all strings has that type. Any
   * other setting gives `any`, as in @types/express, because applications pass such values on without a check.
   */
  export type SettingValue<Value> = [NonNullable<Value>] extends [boolean] | [number] | [string]
    ? NonNullable<Value>
    : any;

  /** The settings that may be boolean, which `app.enable` and `app.disable` accept. */
  export type SwitchSetting = {
    [Name in keyof SettingsMap]: boolean extends SettingsMap[Name] ? Name : never;
  }[keyof SettingsMap];

  export interface GetSetting {
    /** Reads a setting. @see https://expressjs.com/en/5x/api.html#app.get */
    <Name extends keyof SettingsMap>(setting: Name): SettingValue<SettingsMap[Name]>;
    /** Reads a setting of the application, or one whose name is not known. */
    (setting: string): any;
  }

  /** Editors also show this comment for the signatures of @types/express, which have none, so it must be the first. */
  export interface AddGetRoute<Result> {
    /**
     * Adds a route: its handlers receive GET requests for the path, and HEAD requests that no earlier route handles.
     *
     * @see https://expressjs.com/en/5x/api.html#app.get.method
     */
    <
      Path extends string | RegExp,
      P = core.RouteParameters<Path>,
      ResBody = any,
      ReqBody = any,
      ReqQuery = core.Query,
      Locals extends Record<string, any> = Record<string, any>,
    >(
      path: Path,
      first: core.RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals>,
      ...handlers: Array<core.RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals>>
    ): Result;
  }

  /** As `AddGetRoute`, the first signature of `use`. */
  export interface AddMiddleware<Result> {
    /**
     * Adds middleware: `(...handlers)`, or `(path, ...handlers)` for a path and what is below it. A handler is a function, a
     * router or an application.
     *
     * @see https://expressjs.com/en/5x/api.html#app.use
     */
    (...handlers: Array<core.RequestHandler<core.RouteParameters<string>>>): Result;
    /** Adds middleware for a path and what is below it. @see https://expressjs.com/en/5x/api.html#app.use */
    <
      Path extends string | RegExp,
      P = core.RouteParameters<Path>,
      ResBody = any,
      ReqBody = any,
      ReqQuery = core.Query,
      Locals extends Record<string, any> = Record<string, any>,
    >(
      path: Path,
      first: core.RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals>,
      ...handlers: Array<core.RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals>>
    ): Result;
  }

  /** An application, with a type for each setting. */
  export interface Application extends core.Application {
    /** Adds middleware. */
    use: AddMiddleware<this> & core.ApplicationRequestHandler<this>;
    /** Adds a route for GET. With a name alone, reads a setting. */
    get: AddGetRoute<this> & GetSetting & core.IRouterMatcher<this>;
    /** Stores a setting that is not in `SettingsMap`. */
    set<Name extends string>(setting: OtherSetting<Name>, value: unknown): this;
    /**
     * Stores a setting.
     *
     * @see https://expressjs.com/en/5x/api.html#app.set
     * @throws {TypeError} for an invalid value of `etag`, `query parser`, `trust proxy` or a setting with `strict` that
     *   Express does not have, and for a text of `x-powered-by` that a header cannot contain.
     */
    set<Name extends keyof SettingsMap, Value extends Anything>(
      setting: Name,
      value: SettingsMap[Name] | Unchecked<Value>,
    ): this;
    /** Sets a setting to true. */
    enable(setting: SwitchSetting): this;
    enable<Name extends string>(setting: OtherSetting<Name>): this;
    /** Sets a setting to false. */
    disable(setting: SwitchSetting): this;
    disable<Name extends string>(setting: OtherSetting<Name>): this;
    /** Whether a setting is truthy. */
    enabled(setting: keyof SettingsMap): boolean;
    enabled(setting: string): boolean;
    /** Whether a setting is falsy. */
    disabled(setting: keyof SettingsMap): boolean;
    disabled(setting: string): boolean;
  }

  /** An application, as `framework()` returns it. */
  export interface Express extends Application, Omit<core.Express, keyof core.Application> {
    /** The prototype of the application's requests. */
    request: Request;
    /** The prototype of the application's responses. */
    response: Response;
  }

  export interface RouterOptions {
    /** Whether `/Foo` and `/foo` are different routes. Default false. */
    caseSensitive?: boolean | undefined;
    /** Whether to keep the parameters of the parent router. Of two with one name, the child's counts. Default false. */
    mergeParams?: boolean | undefined;
    /** Whether `/foo` and `/foo/` are different routes. Default false. */
    strict?: boolean | undefined;
  }

  /** A route or a mounted router in the result of `router.listRoutes()`. */
  export interface ListedRoute {
    /** The path as the application wrote it. */
    path: string | RegExp;
    /** The methods in upper case; `'*'` stands for all. Undefined for a router. */
    methods: string[] | undefined;
    /** The mounted router; undefined for a route. */
    router: core.Router | undefined;
  }

  /** Creates a callback from `option` in `router.param(name, option)`. If it returns nothing, `option` is one. */
  export type ParamFactory = (name: string, option: any) => core.RequestParamHandler | undefined;

  /** The options of `json()`. @see https://expressjs.com/en/5x/api.html#express.json */
  export interface JsonOptions extends bodyParser.OptionsJson {}
  /** The options of `raw()`. @see https://expressjs.com/en/5x/api.html#express.raw */
  export interface RawOptions extends bodyParser.Options {}
  /** The options of `text()`. @see https://expressjs.com/en/5x/api.html#express.text */
  export interface TextOptions extends bodyParser.OptionsText {}
  /** The options of `urlencoded()`, including those that @types/body-parser lacks. @see https://expressjs.com/en/5x/api.html#express.urlencoded */
  export interface UrlencodedOptions extends bodyParser.OptionsUrlencoded {
    /** Whether the form parameter `utf8` determines the charset. Default false. */
    charsetSentinel?: boolean | undefined;
    /** The charset of a form if the request does not declare one: `'utf-8'` or `'iso-8859-1'`. Default `'utf-8'`. */
    defaultCharset?: string | undefined;
    /** The maximum depth of nested values in `extended` forms; deeper forms get a 400 response. Default 32. */
    depth?: number | undefined;
    /** Whether to decode numeric character references, such as `&#9786;`, in ISO-8859-1 forms. Default false. */
    interpretNumericEntities?: boolean | undefined;
  }
  /** The options of `static()`. @see https://expressjs.com/en/5x/api.html#express.static */
  export interface StaticOptions<Response extends core.Response = core.Response>
    extends serveStatic.ServeStaticOptions<Response> {
    /**
     * Whether to send `app.js.br`, `app.js.zst` or `app.js.gz` in place of `app.js`, if it exists and the client accepts its
     * coding. An array has the codings to look for; of those that the client prefers equally, the first is sent. The
     * function `setHeaders` gets the path of `app.js`. Default false. Express does not have this option.
     */
    preCompressed?: boolean | readonly ContentCoding[] | undefined;
  }

  /** The name of a coding in `Content-Encoding`. The extension of `zstd` is `.zst`, that of `gzip` is `.gz`. */
  export type ContentCoding = 'br' | 'zstd' | 'gzip';

  // The types below have the names and type parameters of @types/express, because applications refer to them.
  export interface Locals extends core.Locals {}
  export interface CookieOptions extends core.CookieOptions {}
  export interface Errback extends core.Errback {}
  export interface MediaType extends core.MediaType {}
  export interface Handler extends core.Handler {}
  export interface NextFunction extends core.NextFunction {}
  export interface IRoute extends core.IRoute {}
  export interface IRouter extends core.IRouter {}
  export interface IRouterHandler<T> extends core.IRouterHandler<T> {}
  export interface IRouterMatcher<T> extends core.IRouterMatcher<T> {}
  export interface RequestParamHandler extends core.RequestParamHandler {}
  export interface Send extends core.Send {}
  export interface Request<
    P = core.ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > extends core.Request<P, ResBody, ReqBody, ReqQuery, Locals> {}
  export interface RequestHandler<
    P = core.ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > extends core.RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  export interface ErrorRequestHandler<
    P = core.ParamsDictionary,
    ResBody = any,
    ReqBody = any,
    ReqQuery = core.Query,
    Locals extends AnyLocals = AnyLocals,
  > extends core.ErrorRequestHandler<P, ResBody, ReqBody, ReqQuery, Locals> {}
  export interface Response<ResBody = any, Locals extends AnyLocals = AnyLocals>
    extends core.Response<ResBody, Locals> {}

  export type AnyLocals = Record<string, any>;

  /** A parser of bodies, as Express also exports it: middleware for any server of Node.js. */
  export type BodyParser = (req: IncomingMessage, res: ServerResponse, next: (err?: any) => void) => void;

  /** A type that no argument has: a call of a removed member is a compiler error that names the replacement. */
  export type RemovedInExpress5<Replacement extends string> = string & { readonly removed: Replacement };

  /** Members that Express 5 removed, except `req.param`: they exist only in the types, with their replacements. */
  // biome-ignore format: a table
  export type RemovedMember =
    | 'del' | 'lazyrouter' | 'acceptsCharset' | 'acceptsEncoding' | 'acceptsLanguage' | 'sendfile';
}

declare module 'express-serve-static-core' {
  interface Application<LocalsObj> {
    /** Values that all views see. @see https://expressjs.com/en/5x/api.html#app.locals */
    locals: LocalsObj & Locals;
  }

  interface Application {
    /** The settings by name. Read them with `app.get(name)`. */
    settings: any;
    /** @deprecated Removed in Express 5: use `app.delete(path, ...handlers)`. */
    del(removed: framework.RemovedInExpress5<'app.delete(path, ...handlers)'>, ...handlers: any[]): any;
    /** @deprecated Removed in Express 5: `app.router` creates the router when it is read. */
    lazyrouter(removed: framework.RemovedInExpress5<'app.router'>): any;
    /**
     * Adds a factory, which creates parameter callbacks from the options of later calls of `app.param(name, option)`.
     *
     * @deprecated Call `app.param(name, callback)`.
     */
    param(factory: framework.ParamFactory): this;
    /** Only for routers: call `app.router.listRoutes()`. Declared so that an application is a `Router`. */
    listRoutes: never;
    /** The router of the application, created when it is first read. @see https://expressjs.com/en/5x/api.html#app.router */
    router: Router;
  }

  // The members and signatures below are those of @types/express, which have no documentation there.
  interface IRoute {
    /** The path of the route. */
    path: string;
    /** The handlers of the route, in order. */
    stack: ILayer[];
  }

  interface IRouter {
    /** Returns a route for the path, to which `get`, `post` and the like add handlers. @see https://expressjs.com/en/5x/api.html#app.route */
    route<T extends string | RegExp>(prefix: T): IRoute<T>;
  }

  interface Request<P, ResBody, ReqBody, ReqQuery> {
    /** The parameters of the path, decoded: strings, and lists of strings for `*name`. @see https://expressjs.com/en/5x/api.html#req.params */
    params: P;
    /** The query string, as the setting `query parser` parses it, at each use. @see https://expressjs.com/en/5x/api.html#req.query */
    query: ReqQuery;
    /** The body; undefined until a parser such as `framework.json()` has read it. @see https://expressjs.com/en/5x/api.html#req.body */
    body: ReqBody;
    /** The cookies, if cookie-parser has run. @see https://expressjs.com/en/5x/api.html#req.cookies */
    cookies: any;
    /** The signed cookies, if cookie-parser has run with a secret; false for a forged one. @see https://expressjs.com/en/5x/api.html#req.signedCookies */
    signedCookies: any;
    /** The route that handles the request; undefined outside of routes. @see https://expressjs.com/en/5x/api.html#req.route */
    route: any;
    /** The URL of the request; `req.url` is without the mount path. @see https://expressjs.com/en/5x/api.html#req.originalUrl */
    originalUrl: string;
    /** The mount path of the router or application that handles the request. @see https://expressjs.com/en/5x/api.html#req.baseUrl */
    baseUrl: string;
    /** The application that handles the request. @see https://expressjs.com/en/5x/api.html#req.app */
    app: Application;
  }

  interface Request {
    /** Returns a header, as `req.get()`. @see https://expressjs.com/en/5x/api.html#req.get */
    header(name: 'set-cookie'): string[] | undefined;
    header(name: string): string | undefined;
    /** The function that calls the next handler. */
    next?: NextFunction | undefined;
    /** @deprecated Removed in Express 5: use `req.params`, `req.body` or `req.query`. */
    param(removed: framework.RemovedInExpress5<'req.params, req.body or req.query'>, fallback?: any): any;
    /** @deprecated Removed in Express 5: use `req.acceptsCharsets(...charsets)`. */
    acceptsCharset(removed: framework.RemovedInExpress5<'req.acceptsCharsets()'>, ...more: any[]): any;
    /** @deprecated Removed in Express 5: use `req.acceptsEncodings(...encodings)`. */
    acceptsEncoding(removed: framework.RemovedInExpress5<'req.acceptsEncodings()'>, ...more: any[]): any;
    /** @deprecated Removed in Express 5: use `req.acceptsLanguages(...languages)`. */
    acceptsLanguage(removed: framework.RemovedInExpress5<'req.acceptsLanguages()'>, ...more: any[]): any;
  }

  interface Response<ResBody, LocalsObj> {
    /** Values of this request for later handlers and views. @see https://expressjs.com/en/5x/api.html#res.locals */
    locals: LocalsObj & Locals;
    /** The application that handles the request. @see https://expressjs.com/en/5x/api.html#res.app */
    app: Application;
  }

  interface Response {
    /** Sets headers, as `res.set()`. @see https://expressjs.com/en/5x/api.html#res.set */
    header(field: any): this;
    header(field: string, value?: string | string[]): this;
    /** Has no effect in Express 5: pass the charset to `res.type()`. */
    charset: string;
    /** @deprecated Removed in Express 5: use `res.sendFile(path)` with an absolute path or the option `root`. */
    sendfile(
      removed: framework.RemovedInExpress5<'res.sendFile(path), absolute or with root'>,
      ...more: any[]
    ): any;
  }

  interface Router {
    param(name: string, handler: RequestParamHandler): this;
    /**
     * Adds a factory, which creates parameter callbacks from the options of later calls of `router.param(name,
     * option)`.
     *
     * @deprecated Call `router.param(name, callback)`.
     */
    param(factory: framework.ParamFactory): this;
    /** Lists the routes and mounted routers of this router in registration order, with one entry for each path. */
    listRoutes(): framework.ListedRoute[];
  }

  interface IRouterHandler<T, Route extends string | RegExp = string> {
    /** Adds handlers; as `use`, middleware. A path may come first in `use`: it serves the path and what is below it. */
    (
      first: RequestHandler<RouteParameters<Route>>,
      ...handlers: Array<RequestHandler<RouteParameters<Route>>>
    ): T;
  }

  interface IRouterMatcher<
    T,
    Method extends 'all' | 'get' | 'post' | 'put' | 'delete' | 'patch' | 'options' | 'head' | 'query' = any,
  > {
    /**
     * Adds handlers for a path: a route for the method that the member is named after, or for every method in `all`. In `use`, it
     * adds middleware for the path and what is below it.
     *
     * @see https://expressjs.com/en/5x/api.html#app.METHOD
     */
    <
      Path extends string | RegExp,
      P = RouteParameters<Path>,
      ResBody = any,
      ReqBody = any,
      ReqQuery = Query,
      Locals extends Record<string, any> = Record<string, any>,
    >(
      path: Path,
      first: RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals>,
      ...handlers: Array<RequestHandler<P, ResBody, ReqBody, ReqQuery, Locals>>
    ): T;
    /** Adds handlers without a path: they serve the path `/`. */
    (first: RequestHandler, ...handlers: RequestHandler[]): T;
    (first: RequestHandlerParams, ...handlers: RequestHandlerParams[]): T;
  }
}

export = framework;
