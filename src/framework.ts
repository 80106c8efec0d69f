/**
 * `framework()`: an application, and everything that hangs on the function. §4.1
 */
import { EventEmitter } from 'node:events';
import { application } from './application/application';
import { createRequestPrototype, createResponsePrototype } from './application/server';
import { json, raw, text, urlencoded } from './body/parsers';
import { serveStatic } from './files/serve-static';
import { logger } from './logger/logger';
import { request } from './request/request';
import { response } from './response/response';
import { Route } from './routing/route';
import { Router } from './routing/router';
import type { Application, Next, Request, Response } from './types';

/**
 * Make an application: a function `(req, res)` that serves as the callback of any HTTP server, with copies
 * of the members of an event emitter and of `framework.application`.
 */
function createApplication(): Application {
  const app = ((req: Request, res: Response, next?: Next) => {
    app.handle(req, res, next);
  }) as Application;
  mixin(app, EventEmitter.prototype);
  mixin(app, application);
  app.request = createRequestPrototype(request, app);
  app.response = createResponsePrototype(response, app);
  app.init();
  return app;
}

/** The function and what hangs on it. */
export interface Framework {
  (): Application;
  application: typeof application;
  request: Request;
  response: Response;
  Route: typeof Route;
  Router: typeof Router;
  json: typeof json;
  raw: typeof raw;
  static: typeof serveStatic;
  text: typeof text;
  urlencoded: typeof urlencoded;
  logger: typeof logger;
}

export const framework: Framework = Object.assign(createApplication, {
  application,
  request,
  response,
  Route,
  Router,
  json,
  raw,
  static: serveStatic,
  text,
  urlencoded,
  logger,
});

// Also under names of its own, for every way of importing; not enumerable, since it holds itself.
Object.defineProperties(framework, {
  framework: { value: framework, writable: true, configurable: true },
  default: { value: framework, writable: true, configurable: true },
});

/** Copy the members of `source` that `target` has none of. */
function mixin(target: object, source: object): void {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(source))) {
    if (!Object.hasOwn(target, name)) Object.defineProperty(target, name, descriptor);
  }
}
