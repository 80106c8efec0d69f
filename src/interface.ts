/**
 * The public types. The compiler checks the implementation against them.
 *
 * They extend the interfaces of @types/express-serve-static-core, so that augmentations and handlers written for
 * Express compile. They add the members that Express does not have. §4.1
 */
import type bodyParser from 'body-parser';
import type * as core from 'express-serve-static-core';
import type serveStatic from 'serve-static';

/**
 * The settings that change behaviour, with the types of their values. An application may store settings with other
 * names, too. §2.2
 */
export interface SettingsMap {
  /** Whether to send `X-Powered-By`. Default true. */
  'x-powered-by': boolean;
  /** How `res.send` generates the `ETag`: `false` for none, `true` for `'weak'`. Default `'weak'`. */
  etag: boolean | 'weak' | 'strong' | ETagFunction;
  /** The environment. Default `NODE_ENV`, or `'development'`. */
  env: string | undefined;
  /** How to parse `req.query`: `false` for no parsing, `true` for `'simple'`. Default `'simple'`. */
  'query parser': boolean | 'simple' | 'extended' | QueryParser;
  /** How many labels at the end of the host name are not part of `req.subdomains`. Default 2. */
  'subdomain offset': number;
  /**
   * The proxies whose `X-Forwarded-*` headers are trusted: all (`true`), a number of hops, addresses and subnets (a
   * list, or a string with commas), or a function of address and hop. Default false.
   */
  'trust proxy': boolean | number | string | readonly string[] | TrustFunction | undefined;
  /** The class that finds and renders views. */
  view: ViewClass;
  /** The directory of the views, or several in search order. Default `./views`. */
  views: string | readonly string[];
  /** The name of the query parameter with the JSONP callback. Default `'callback'`. */
  'jsonp callback name': string;
  /** Whether to cache views. Default true in production. */
  'view cache': boolean | undefined;
  /** Whether `/Foo` and `/foo` are different routes. Read when the first route is defined. Default false. */
  'case sensitive routing': boolean | undefined;
  /** Whether to escape `<`, `>` and `&` in JSON responses. Default false. */
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
   * Whether each request must name exactly one host: other values of `Host`, or of a trusted `X-Forwarded-Host`, get
   * a 400 response. This protects links that contain `req.host`. Default false. Not in Express.
   */
  'strict host': boolean | undefined;
  /**
   * Whether each path has only one spelling. `true`: a path with escapes of plain characters, empty segments, `.` or
   * `..` gets a 400 response. `'normalize'`: the path is converted to its normal form before routing; a path without
   * one gets a 400 response. Default false. Not in Express.
   */
  'strict paths': boolean | 'normalize' | undefined;
  /** Whether `/foo` and `/foo/` are different routes. Read when the first route is defined. Default false. */
  'strict routing': boolean | undefined;
  /** The extension for view names without one. */
  'view engine': string | undefined;
}

/**
 * A class, or a constructor function. Its instances have the method `render` and the property `path`, which is
 * undefined if there is no file.
 */
export type ViewClass = (new (...args: never[]) => object) | ((this: any, ...args: never[]) => void);

/** Generates the `ETag` of a response; `undefined` for none. `encoding` is `'utf8'` if the body was a string. */
export type ETagFunction = (body: Buffer, encoding?: BufferEncoding) => string | undefined;

/** Parses the query string, without its question mark, for `req.query`. The string is null if the request has none. */
export type QueryParser = (query: string) => unknown;

/** Whether to trust a proxy. Hop 0 is the peer of the socket. */
export type TrustFunction = (address: string, hop: number) => boolean;

/**
 * A name that is not a known setting. For a known one the type is `never`, so that the overload that checks the value
 * applies.
 */
export type OtherSetting<Name extends string> = Name extends keyof SettingsMap ? never : Name;

/** A union with `string`, so that TypeScript infers the type `'weak'` for `'weak'`, and not `string`. */
type Anything = string | {} | null | undefined;

/** A value whose type is only known as `string` or wider; `never` for other types. */
export type Unchecked<Value> = string extends Value ? Value : never;

/**
 * The result of `app.get` for a setting. A setting with values of several types gives `any`, as in @types/express,
 * because applications pass such values on unchecked.
 */
export type SettingValue<Value> = [NonNullable<Value>] extends [boolean] | [number] | [string]
  ? NonNullable<Value>
  : any;

/** The settings that `app.enable` and `app.disable` accept. */
export type SwitchSetting = {
  [Name in keyof SettingsMap]: boolean extends SettingsMap[Name] ? Name : never;
}[keyof SettingsMap];

interface GetSetting {
  /** Reads a setting. §2.2 */
  <Name extends keyof SettingsMap>(setting: Name): SettingValue<SettingsMap[Name]>;
  (setting: string): any;
}

/** An application. §4.2 */
export interface Application extends core.Application {
  /** Reads a setting, or adds a route for GET. */
  get: GetSetting & core.IRouterMatcher<this>;
  /** Stores a setting with a name that is not known. */
  set<Name extends string>(setting: OtherSetting<Name>, value: unknown): this;
  /** Stores a setting. Throws a `TypeError` for an invalid value. §2.2 */
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

/** The result of `framework()`. */
export interface Express extends Application {
  /** The prototype of the application's requests. `response` is that of its responses. */
  request: core.Request;
  response: core.Response;
}

export interface RouterOptions {
  /** Whether `/Foo` and `/foo` are different routes. Default false. */
  caseSensitive?: boolean | undefined;
  /** Whether to keep the parameters of the parent router. If both have a parameter, the child's wins. Default false. */
  mergeParams?: boolean | undefined;
  /** Whether `/foo` and `/foo/` are different routes. Default false. */
  strict?: boolean | undefined;
}

/** Creates routers, with or without `new`. */
export interface RouterConstructor {
  (options?: RouterOptions): core.Router;
  new (options?: RouterOptions): core.Router;
  /** The prototype of every router. Changes also affect routers created before. */
  prototype: core.Router;
}

/** A route or a mounted router, as returned by `router.listRoutes()`. */
export interface ListedRoute {
  /** The path as the application wrote it. */
  path: string | RegExp;
  /** The methods in upper case, `'*'` for all; undefined for a router. */
  methods: string[] | undefined;
  /** The mounted router; undefined for a route. */
  router: core.Router | undefined;
}

/**
 * Creates a parameter callback from the option of `router.param(name, option)`. If it returns nothing, the option is
 * the callback.
 */
export type ParamFactory = (name: string, option: any) => core.RequestParamHandler | undefined;

/** The options of `json()`. §2.10 */
export interface JsonOptions extends bodyParser.OptionsJson {}
/** The options of `raw()`. §2.10 */
export interface RawOptions extends bodyParser.Options {}
/** The options of `text()`. §2.10 */
export interface TextOptions extends bodyParser.OptionsText {}
/** The options of `urlencoded()`, including those that @types/body-parser lacks. §2.10 */
export interface UrlencodedOptions extends bodyParser.OptionsUrlencoded {
  /** Whether the form parameter `utf8` determines the charset. Default false. */
  charsetSentinel?: boolean | undefined;
  /** The charset of a request that states none: `'utf-8'` or `'iso-8859-1'`. Default `'utf-8'`. */
  defaultCharset?: string | undefined;
  /** The maximum depth of nested values in `extended` forms; deeper forms get a 400 response. Default 32. */
  depth?: number | undefined;
  /** Whether to decode numeric character references, such as `&#9786;`, in ISO-8859-1 forms. Default false. */
  interpretNumericEntities?: boolean | undefined;
}
/** The options of `static()`. §2.11 */
export interface StaticOptions<Response extends core.Response = core.Response>
  extends serveStatic.ServeStaticOptions<Response> {}

type BodyParser<Options> = (options?: Options) => ReturnType<typeof bodyParser.json>;

/** The properties of the framework function, without the logger. §4.1 */
export interface Members {
  /** Members that every application gets as a copy. */
  application: Application;
  /** The prototype of requests. `response` is that of responses. */
  request: core.Request;
  response: core.Response;
  Route: new (path: string) => core.IRoute;
  /** Creates a router. §2.5 */
  Router: RouterConstructor;
  /** Creates a parser of JSON bodies. §2.10 */
  json: BodyParser<JsonOptions>;
  /** Creates a parser that reads bodies as bytes. §2.10 */
  raw: BodyParser<RawOptions>;
  /** Creates a parser that reads bodies as text. §2.10 */
  text: BodyParser<TextOptions>;
  /** Creates a parser of form bodies. §2.10 */
  urlencoded: BodyParser<UrlencodedOptions>;
  /** Creates middleware that serves the files of a directory. §2.11 */
  static: serveStatic.RequestHandlerConstructor<core.Response>;
}

declare const removed: unique symbol;

/**
 * A type that no argument has. A call of a member that Express 5 removed is a compiler error, whose message contains
 * the replacement.
 */
export type RemovedInExpress5<Replacement extends string> = string & { readonly [removed]: Replacement };

/** Members that exist in the types only, so that the compiler's message contains their replacements. */
export type RemovedMember =
  | 'del'
  | 'lazyrouter'
  | 'acceptsCharset'
  | 'acceptsEncoding'
  | 'acceptsLanguage'
  | 'sendfile';

declare module 'express-serve-static-core' {
  interface Application {
    /** @deprecated Removed in Express 5: use `app.delete(path, ...handlers)`. */
    del(removed: RemovedInExpress5<'app.delete(path, ...handlers)'>, ...handlers: any[]): any;
    /** @deprecated Removed in Express 5: `app.router` creates the router when it is read. */
    lazyrouter(removed: RemovedInExpress5<'app.router'>): any;
    /**
     * Adds a factory: it creates parameter callbacks from the options of later calls of `app.param(name, option)`.
     * @deprecated Call `app.param(name, callback)`.
     */
    param(factory: ParamFactory): this;
    /**
     * Only routers have this method: call `app.router.listRoutes()`. It is declared so that an application is
     * assignable to a `Router`.
     */
    listRoutes: never;
  }

  interface Request {
    /** @deprecated Removed in Express 5: use `req.params`, `req.body` or `req.query`. */
    param(removed: RemovedInExpress5<'req.params, req.body or req.query'>, fallback?: any): any;
    /** @deprecated Removed in Express 5: use `req.acceptsCharsets(...charsets)`. */
    acceptsCharset(removed: RemovedInExpress5<'req.acceptsCharsets()'>, ...more: any[]): any;
    /** @deprecated Removed in Express 5: use `req.acceptsEncodings(...encodings)`. */
    acceptsEncoding(removed: RemovedInExpress5<'req.acceptsEncodings()'>, ...more: any[]): any;
    /** @deprecated Removed in Express 5: use `req.acceptsLanguages(...languages)`. */
    acceptsLanguage(removed: RemovedInExpress5<'req.acceptsLanguages()'>, ...more: any[]): any;
  }

  interface Response {
    /** @deprecated Removed in Express 5: use `res.sendFile(path)` with an absolute path or the option `root`. */
    sendfile(removed: RemovedInExpress5<'res.sendFile(path), absolute or with root'>, ...more: any[]): any;
  }

  interface Router {
    param(name: string, handler: RequestParamHandler): this;
    /**
     * Adds a factory: it creates parameter callbacks from the options of later calls of `router.param(name, option)`.
     * @deprecated Call `router.param(name, callback)`.
     */
    param(factory: ParamFactory): this;
    /** The routes and mounted routers of this router in registration order, one entry for each path. */
    listRoutes(): ListedRoute[];
  }

  interface IRouterMatcher<
    T,
    Method extends 'all' | 'get' | 'post' | 'put' | 'delete' | 'patch' | 'options' | 'head' | 'query' = any,
  > {
    /** Without a path, the handlers are added to `/`. */
    (first: RequestHandler, ...handlers: RequestHandler[]): T;
    (first: RequestHandlerParams, ...handlers: RequestHandlerParams[]): T;
  }
}
