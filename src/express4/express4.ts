/**
 * `express4()`: an application with the interface of Express 4, and what is on the function. E4-A1 to E4-A8
 */
import { assembleApplication } from '../application/application';
import { application, settingMethods } from './application';
import { json, raw, text, urlencoded } from './body';
import type { Express, Members } from './interface';
import { query } from './query';
import { request } from './request';
import { response } from './response';
import { Route } from './route';
import { Router } from './router';
import { serveStatic } from './static';
import type { Application } from './types';

/** Make an application. */
function createApplication(): Application {
  return assembleApplication<Application>(application, request, response, settingMethods);
}

const members: Members = {
  // Of the members alone; @types/express has an application.
  application: application as unknown as Members['application'],
  request,
  response,
  // Its path may be no text, which @types/express does not know.
  Route: Route as unknown as Members['Route'],
  Router,
  json,
  query,
  raw,
  static: serveStatic,
  text,
  urlencoded,
};

/** Makes an application. */
export interface Express4 extends Members {
  (): Express;
  default: Express4;
}

const callable: (() => Express) & Members = Object.assign(createApplication, members);

// `default` is defined below.
export const express4: Express4 = callable as Express4;

/** Middleware of Express 3 that has packages of its own since. */
const REMOVED = [
  ...[
    'bodyParser',
    'compress',
    'cookieSession',
    'session',
    'logger',
    'cookieParser',
    'favicon',
    'responseTime',
  ],
  ...['errorHandler', 'timeout', 'methodOverride', 'vhost', 'csrf', 'directory', 'limit', 'multipart'],
  'staticCache',
];

for (const name of REMOVED) {
  Object.defineProperty(express4, name, {
    get: () => {
      throw new Error(
        `Most middleware (like ${name}) is no longer bundled with Express and must be installed separately. Please see https://github.com/senchalabs/connect#middleware.`,
      );
    },
    configurable: true,
  });
}

// Not enumerable, since it holds itself.
Object.defineProperty(express4, 'default', { value: express4, writable: true, configurable: true });
