/**
 * The public types: what an application may write. The implementation is checked against them.
 *
 * They extend the interfaces of @types/express-serve-static-core, so that augmentations and handlers written for
 * Express fit, and add to these interfaces what this package has beyond them. §4.1
 */
import type bodyParser from 'body-parser';
import type * as core from 'express-serve-static-core';
import type serveStatic from 'serve-static';

/** The value types of the settings that configure behaviour. Any other name may be stored too. §2.2 */
export interface SettingsMap {
  /** Send `X-Powered-By`. Default true. */
  'x-powered-by': boolean;
  /** How `res.send` makes the `ETag`; `false` for none, `true` for `'weak'`. Default `'weak'`. */
  etag: boolean | 'weak' | 'strong' | ETagFunction;
  /** The environment. Default `NODE_ENV`, or `'development'`. */
  env: string | undefined;
  /** How to parse `req.query`; `false` for no parsing, `true` for `'simple'`. Default `'simple'`. */
  'query parser': boolean | 'simple' | 'extended' | QueryParser;
  /** How many labels of the host name `req.subdomains` leaves out. Default 2. */
  'subdomain offset': number;
  /**
   * Whose `X-Forwarded-*` headers count: every proxy, a number of hops, addresses and subnets (a comma-separated string
   * works too), or a function of address and hop. Default false.
   */
  'trust proxy': boolean | number | string | readonly string[] | TrustFunction | undefined;
  /** The class that finds and renders views. */
  view: ViewClass;
  /** The directory of the views, or the directories in the order in which they are searched. Default `./views`. */
  views: string | readonly string[];
  /** The query parameter that names the JSONP callback. Default `'callback'`. */
  'jsonp callback name': string;
  /** Cache views. Default true in production. */
  'view cache': boolean | undefined;
  /** Treat `/Foo` and `/foo` as different routes. Read when the first route is defined. Default false. */
  'case sensitive routing': boolean | undefined;
  /** Escape `<`, `>` and `&` in JSON responses. Default false. */
  'json escape': boolean | undefined;
  /** The argument `replacer` of `JSON.stringify`. */
  'json replacer':
    | ((this: any, key: string, value: any) => unknown)
    | Array<string | number>
    | null
    | undefined;
  /** The argument `space` of `JSON.stringify`. */
  'json spaces': string | number | undefined;
  /**
   * Respond 400 to a request unless its `Host`, and a trusted `X-Forwarded-Host`, is one host name with at most a
   * port. Protects links made from `req.host`. Default false. Not in Express.
   */
  'strict host': boolean | undefined;
  /**
   * One spelling per path. `true`: respond 400 to a path that is not in its normal form (escapes of plain characters,
   * empty segments, `.` and `..`). `'normalize'`: bring it to that form before routing, and respond 400 where it has
   * none. Default false. Not in Express.
   */
  'strict paths': boolean | 'normalize' | undefined;
  /** Treat `/foo` and `/foo/` as different routes. Read when the first route is defined. Default false. */
  'strict routing': boolean | undefined;
  /** The extension of views that are named without one. */
  'view engine': string | undefined;
}

/** A class, or a function that serves as one. Its instances have `path`, undefined when there is no file, and `render`. */
export type ViewClass = (new (...args: never[]) => object) | ((this: any, ...args: never[]) => void);

/** Makes the `ETag` of a response; `encoding` is `'utf8'` for a body that was text. `undefined` for none. */
export type ETagFunction = (body: Buffer, encoding?: BufferEncoding) => string | undefined;

/** Makes `req.query` of the query string, without its question mark; null without a query. */
export type QueryParser = (query: string) => unknown;

/** Whether to trust a proxy; hop 0 is the peer of the socket. */
export type TrustFunction = (address: string, hop: number) => boolean;

/** A name that is not a known setting; `never` for a known one, so that its value is checked. */
export type OtherSetting<Name extends string> = Name extends keyof SettingsMap ? never : Name;

/** With `string` in it, so that TypeScript infers `'weak'` for `'weak'` and not `string`. */
type Anything = string | {} | null | undefined;

/** A name that is only known at run time, or a value of unknown type; `never` for any other. */
export type Unchecked<Value> = string extends Value ? Value : never;

/**
 * The result of `app.get` for a setting. `any` for a setting of several types, as in @types/express: applications pass
 * such values on unchecked.
 */
export type SettingValue<Value> = [NonNullable<Value>] extends [boolean] | [number] | [string]
  ? NonNullable<Value>
  : any;

/** The settings that `app.enable` and `app.disable` take. */
export type SwitchSetting = {
  [Name in keyof SettingsMap]: boolean extends SettingsMap[Name] ? Name : never;
}[keyof SettingsMap];

interface GetSetting {
  /** Read a setting. §2.2 */
  <Name extends keyof SettingsMap>(setting: Name): SettingValue<SettingsMap[Name]>;
  (setting: string): any;
}

/** An application. §4.2 */
export interface Application extends core.Application {
  /** Read a setting, or define a route for GET. */
  get: GetSetting & core.IRouterMatcher<this>;
  /** Store a value under a name that is no known setting. */
  set<Name extends string>(setting: OtherSetting<Name>, value: unknown): this;
  /** Store a setting. Throws a `TypeError` for a value that the setting does not take. §2.2 */
  set<Name extends keyof SettingsMap, Value extends Anything>(
    setting: Name,
    value: SettingsMap[Name] | Unchecked<Value>,
  ): this;
  /** Set a setting to true. */
  enable(setting: SwitchSetting): this;
  enable<Name extends string>(setting: OtherSetting<Name>): this;
  /** Set a setting to false. */
  disable(setting: SwitchSetting): this;
  disable<Name extends string>(setting: OtherSetting<Name>): this;
  /** Whether a setting is truthy. */
  enabled(setting: keyof SettingsMap): boolean;
  enabled(setting: string): boolean;
  /** Whether a setting is falsy. */
  disabled(setting: keyof SettingsMap): boolean;
  disabled(setting: string): boolean;
}

/** What `framework()` returns. */
export interface Express extends Application {
  /** The prototypes of its requests and responses. */
  request: core.Request;
  response: core.Response;
}

export interface RouterOptions {
  /** `/Foo` and `/foo` are different routes. Default false. */
  caseSensitive?: boolean | undefined;
  /** Keep the parameters of the parent router; a name in both is the child's. Default false. */
  mergeParams?: boolean | undefined;
  /** `/foo` and `/foo/` are different routes. Default false. */
  strict?: boolean | undefined;
}

/** Makes routers, with and without `new`. */
export interface RouterConstructor {
  (options?: RouterOptions): core.Router;
  new (options?: RouterOptions): core.Router;
  /** What every router inherits, also those made before a change. */
  prototype: core.Router;
}

/** A route or a mounted router, as `router.listRoutes()` returns it. */
export interface ListedRoute {
  /** As it was defined. */
  path: string | RegExp;
  /** In upper case, `'*'` for all methods; undefined for a router. */
  methods: string[] | undefined;
  /** The mounted router; undefined for a route. */
  router: core.Router | undefined;
}

/**
 * Creates a parameter callback from the option of `router.param(name, option)`; otherwise the option is the callback.
 */
export type ParamFactory = (name: string, option: any) => core.RequestParamHandler | undefined;

/** The options of `json()`. §2.10 */
export interface JsonOptions extends bodyParser.OptionsJson {}
/** The options of `raw()`. §2.10 */
export interface RawOptions extends bodyParser.Options {}
/** The options of `text()`. §2.10 */
export interface TextOptions extends bodyParser.OptionsText {}
/** The options of `urlencoded()`, also those that @types/body-parser does not know. §2.10 */
export interface UrlencodedOptions extends bodyParser.OptionsUrlencoded {
  /** Take the charset from the parameter `utf8`, where the form has it. Default false. */
  charsetSentinel?: boolean | undefined;
  /** The charset where the request names none: `'utf-8'` or `'iso-8859-1'`. Default `'utf-8'`. */
  defaultCharset?: string | undefined;
  /** How deep `extended` forms may be nested; 400 beyond. Default 32. */
  depth?: number | undefined;
  /** Decode numeric character references, such as `&#9786;`, in forms of ISO-8859-1. Default false. */
  interpretNumericEntities?: boolean | undefined;
}
/** The options of `static()`. §2.11 */
export interface StaticOptions<Response extends core.Response = core.Response>
  extends serveStatic.ServeStaticOptions<Response> {}

type BodyParser<Options> = (options?: Options) => ReturnType<typeof bodyParser.json>;

/** Properties of the framework function beside the logger. §4.1 */
export interface Members {
  /** Members that every application gets as a copy. */
  application: Application;
  /** The prototypes of requests and responses. */
  request: core.Request;
  response: core.Response;
  Route: new (path: string) => core.IRoute;
  /** Make a router. §2.5 */
  Router: RouterConstructor;
  /** Parse JSON bodies. §2.10 */
  json: BodyParser<JsonOptions>;
  /** Parse bodies as bytes. §2.10 */
  raw: BodyParser<RawOptions>;
  /** Parse bodies as text. §2.10 */
  text: BodyParser<TextOptions>;
  /** Parse form bodies. §2.10 */
  urlencoded: BodyParser<UrlencodedOptions>;
  /** Serve the files below a directory. §2.11 */
  static: serveStatic.RequestHandlerConstructor<core.Response>;
}

declare const removed: unique symbol;

/** What no argument is: a call of a member that Express 5 removed is an error whose message has the replacement. */
export type RemovedInExpress5<Replacement extends string> = string & { readonly [removed]: Replacement };

/** Members that types have, so that the compiler names their replacements, and that no object has. */
export type RemovedMember =
  | 'del'
  | 'lazyrouter'
  | 'acceptsCharset'
  | 'acceptsEncoding'
  | 'acceptsLanguage'
  | 'sendfile';

declare module 'express-serve-static-core' {
  interface Application {
    /** @deprecated Express 5 removed it: `app.delete(path, ...handlers)`. */
    del(removed: RemovedInExpress5<'app.delete(path, ...handlers)'>, ...handlers: any[]): any;
    /** @deprecated Express 5 removed it: `app.router` makes the router when it is read. */
    lazyrouter(removed: RemovedInExpress5<'app.router'>): any;
    /**
     * Creates parameter callbacks from the options of later calls of `app.param(name, option)`. @deprecated Call
     * `app.param(name, callback)`.
     */
    param(factory: ParamFactory): this;
    /**
     * Routers have it, applications do not: call `app.router.listRoutes()`. Declared so that both are assignable to a
     * `Router`.
     */
    listRoutes: never;
  }

  interface Request {
    /** @deprecated Express 5 removed it: `req.params`, `req.body` or `req.query`. */
    param(removed: RemovedInExpress5<'req.params, req.body or req.query'>, fallback?: any): any;
    /** @deprecated Express 5 removed it: `req.acceptsCharsets(...charsets)`. */
    acceptsCharset(removed: RemovedInExpress5<'req.acceptsCharsets()'>, ...more: any[]): any;
    /** @deprecated Express 5 removed it: `req.acceptsEncodings(...encodings)`. */
    acceptsEncoding(removed: RemovedInExpress5<'req.acceptsEncodings()'>, ...more: any[]): any;
    /** @deprecated Express 5 removed it: `req.acceptsLanguages(...languages)`. */
    acceptsLanguage(removed: RemovedInExpress5<'req.acceptsLanguages()'>, ...more: any[]): any;
  }

  interface Response {
    /** @deprecated Express 5 removed it: `res.sendFile(path)`, absolute or with the option `root`. */
    sendfile(removed: RemovedInExpress5<'res.sendFile(path), absolute or with root'>, ...more: any[]): any;
  }

  interface Router {
    param(name: string, handler: RequestParamHandler): this;
    /**
     * Creates parameter callbacks from the options of later calls of `router.param(name, option)`. @deprecated Call
     * `router.param(name, callback)`.
     */
    param(factory: ParamFactory): this;
    /** The routes and mounted routers of this router in the order of their definition, one entry for each path. */
    listRoutes(): ListedRoute[];
  }

  interface IRouterMatcher<
    T,
    Method extends 'all' | 'get' | 'post' | 'put' | 'delete' | 'patch' | 'options' | 'head' | 'query' = any,
  > {
    /** Without a path, it is `/`. */
    (first: RequestHandler, ...handlers: RequestHandler[]): T;
    (first: RequestHandlerParams, ...handlers: RequestHandlerParams[]): T;
  }
}
