/** The function `express4()`, which creates an Express 4 application, and its properties. E4-A1 to E4-A8 */
import { compileFactory } from '../application/application';
import { defineDefault } from '../internal/default-export';
import { application } from './application';
import { json, raw, text, urlencoded } from './body';
import type api from './interface';
import { query } from './query';
import { request } from './request';
import { response } from './response';
import { PublicRoute } from './route';
import { Router } from './router';
import { serveStatic } from './static';
import type { Application } from './types';

const createApplication = compileFactory<Application>({
  members: application,
  request,
  response,
  adoptsServers: true,
});

const members: Members = {
  // The object has only the members that every application gets, but @types/express expects a complete application.
  application: application as unknown as Members['application'],
  request,
  response,
  // @types/express has no type for a route whose path is not a string.
  Route: PublicRoute as unknown as Members['Route'],
  Router,
  json,
  query,
  raw,
  static: serveStatic,
  text,
  urlencoded,
};

/** The framework function: creates an Express 4 application. Its properties include the router and the body parsers. */
export type Express4 = typeof api;

type Members = Omit<Pick<Express4, keyof Express4>, 'default'>;

const callable: (() => api.Express) & Members = Object.assign(createApplication, members);

defineDefault<Express4>(callable);

export const express4: Express4 = callable;

/** Middleware of Express 3 that Express 4 moved to other packages: reading such a name throws, as there. */
// biome-ignore format: a table
const REMOVED = [
  'bodyParser', 'compress', 'cookieSession', 'session', 'logger', 'cookieParser',
  'favicon', 'responseTime', 'errorHandler', 'timeout', 'methodOverride', 'vhost',
  'csrf', 'directory', 'limit', 'multipart', 'staticCache',
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
