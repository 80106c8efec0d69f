/**
 * `framework()`: an application, and everything that hangs on the function. §4.1
 */
import { application, settingMethods } from './application/application';
import { assembleApplication } from './application/assemble';
import { json, raw, text, urlencoded } from './body/parsers';
import { serveStatic } from './files/serve-static';
import type { Logger } from './logger/types';
import { request } from './request/request';
import { response } from './response/response';
import { Route } from './routing/route';
import { Router } from './routing/router';
import type { Application, Request, Response } from './types';

const loadLogger = (): Logger => (require('./logger/logger') as typeof import('./logger/logger')).logger;

/** Make an application. */
function createApplication(): Application {
  return assembleApplication(application, request, response, settingMethods);
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
  logger: Logger;
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
}) as Framework;

// Loaded when it is asked for; a plain member from then on.
Object.defineProperty(framework, 'logger', {
  get: () => {
    framework.logger = loadLogger();
    return framework.logger;
  },
  set: (value) => Object.defineProperty(framework, 'logger', { value, writable: true }),
  enumerable: true,
  configurable: true,
});

// Also under names of its own, for every way of importing; not enumerable, since it holds itself.
Object.defineProperties(framework, {
  framework: { value: framework, writable: true, configurable: true },
  default: { value: framework, writable: true, configurable: true },
});
