/**
 * The shapes of Express 4 that the modules of this folder share. Types only; the public ones are in interface.ts.
 */
import type { CookieOptions } from 'express-serve-static-core';
import type * as core from '../types';
import type { RouterInstance } from './router';

export interface Request extends Omit<core.Request, 'app' | 'res' | 'query'> {
  app: Application;
  res: Response;
  query: Record<string, unknown>;
}

export interface Response extends Omit<core.Response, keyof core.ResponseMembers | 'app' | 'req'> {
  app: Application;
  req: Request;
  status(code: unknown): this;
  send(...args: unknown[]): this;
  json(...args: unknown[]): this;
  jsonp(...args: unknown[]): this;
  redirect(...args: unknown[]): void;
  vary(field?: string | string[]): this;
  get(name: string): string | undefined;
  set(name: string | Record<string, unknown>, value?: unknown): this;
  type(type: string): this;
  format(handlers: Record<string, Handler>): this;
  location(url: string): this;
  sendFile(path: string, options?: unknown, callback?: unknown): void;
  cookie(name: string, value: unknown, options?: CookieOptions): this;
}

export interface Application extends Omit<core.Application, 'request' | 'response' | 'parent' | '_router'> {
  (req: Request, res: Response, next?: core.Next): void;
  request: Request;
  response: Response;
  parent?: Application;
  /** Missing until the first route or middleware. */
  _router?: RouterInstance;
  lazyrouter(): void;
}

export type Handler = (req: Request, res: Response, next: core.Next) => unknown;
