/**
 * The shapes the rooms share. Types only. §2 · §4
 *
 * `Request`, `Response` and `Application` are the public ones (those of express-serve-static-core, so that
 * a program's augmentations reach us too) with the members the house itself relies on.
 */
import type { EventEmitter } from 'node:events';
import type * as core from 'express-serve-static-core';

export interface Request extends Omit<core.Request, 'app' | 'res' | 'next' | 'host' | 'hostname' | 'query'> {
  app: Application;
  res: Response;
  next: Next;
  host: string | undefined;
  hostname: string | undefined;
  query: Record<string, unknown>;
  /** Set by cookie-parsing middleware; signs cookies. §2.8 */
  secret?: string | string[];
}

export interface Response extends Omit<core.Response, 'app' | 'req' | 'format' | 'get' | 'set'> {
  app: Application;
  req: Request;
  get(field: string): number | string | string[] | undefined;
  set(field: string | Record<string, unknown>, value?: unknown): this;
  format(handlers: Record<string, Handler>): this;
}

export type { CookieOptions } from 'express-serve-static-core';

/** Continue; with an argument, an error or one of the signals `'route'` and `'router'`. §1 */
export type Next = (err?: unknown) => void;

export type Handler = (req: Request, res: Response, next: Next) => unknown;
export type ErrorHandler = (err: unknown, req: Request, res: Response, next: Next) => unknown;
export type ParamHandler = (req: Request, res: Response, next: Next, value: unknown, name: string) => unknown;

/** A path as programs write it: text, pattern, regular expression, or lists of these. §4.2 */
export type Path = string | RegExp | readonly Path[];

/** Handlers as programs write them: one, several, lists in lists. §4.2 */
export type Handlers = ReadonlyArray<Handler | ErrorHandler | Handlers>;

/** Renders the file at `path`; `options` are the merged locals. §4.2 */
export type Engine = (
  path: string,
  options: Record<string, unknown>,
  callback: (err: unknown, html?: string) => void,
) => void;

/** Settings by name; a sub-application's inherit from its parent's. Those named `fn` are compiled. §2.2 */
export interface Settings extends Record<string, unknown> {
  'etag fn'?: ETagGenerator | undefined;
  'query parser fn'?: QueryParser | undefined;
  'strict host fn'?: RequestCheck | undefined;
  'strict paths fn'?: RequestCheck | undefined;
  'trust proxy fn'?: Trust;
}

/** Makes the ETag of a body as it is sent; `encoding` is `'utf8'` for a body that was text. §2.4 */
export type ETagGenerator<Body = Buffer> = (body: Body, encoding?: BufferEncoding) => string | undefined;

/** Makes `req.query` of a query string. §2.2 */
export type QueryParser = (query: string) => unknown;

/** Looks at a request before its first handler; throws an error with its status for one that is refused. §2.2 */
export type RequestCheck = (req: Request) => void;

/** Whether a hop is trusted to tell a request's origin; hop 0 is the peer of the socket. §2.3 */
export type Trust = (address: string, index: number) => boolean;

export interface Application
  extends EventEmitter,
    Omit<
      core.Application,
      keyof EventEmitter | 'handle' | 'render' | 'locals' | 'param' | 'get' | 'use' | 'all'
    > {
  (req: Request, res: Response, next?: Next): void;
  handle(req: Request, res: Response, callback?: Next): void;
  get(name: string): unknown;
  use(...args: unknown[]): this;
  param(name: unknown, fn?: unknown): this;
  render(name: string, options?: unknown, callback?: unknown): void;
  locals: Record<string, unknown>;
  settings: Settings;
  engines: Record<string, Engine>;
  cache: Record<string, unknown>;
  request: Request;
  response: Response;
  parent?: Application;
}
