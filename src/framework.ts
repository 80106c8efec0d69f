/** The function `framework` creates an application. Its properties are the other exports of the package. §4.1 */
import { compileFactory, members as coreMembers, emitMount, initialize } from './application/application';
import { type CoreApplication, type CoreParts, routerOf } from './application/handle';
import { json, raw, text, urlencoded } from './body/parsers';
import { serveStatic } from './files/serve-static';
import type api from './interface';
import { logger } from './logger/logger';
import { request } from './request/request';
import { response } from './response/response';
import { PublicRoute } from './routing/route';
import { Router } from './routing/router';
import { express5 } from './series';
import { serveHttp2 } from './transports/http2';
import type { Application, ApplicationMembers } from './types';

/** The adapter for APM agents replaces the router. */
export const parts: CoreParts = {
  series: express5,
  Router,
  serveHttp2,
  enterRouter: undefined,
  routerOf,
  emitMount,
};

/** `express.application`: the members that every application gets as a copy. @public */
export const application: Pick<Application, keyof ApplicationMembers> = {
  init(this: CoreApplication) {
    initialize(this, parts);
  },
  ...coreMembers,
};

/** The framework function and its properties. */
export type Framework = typeof api;

/** The properties that the framework function has in common with Express. */
type Members = Omit<Pick<Framework, keyof Framework>, 'logger' | 'framework' | 'default'>;

const createApplication: () => api.Express = compileFactory<Application>({
  members: application,
  request,
  response,
  adoptsServers: true,
});

const members: Members = {
  // A cast: the object only has the members that applications get as copies, but @types/express expects all members.
  application: application as unknown as Members['application'],
  request,
  response,
  Route: PublicRoute,
  Router,
  json,
  raw,
  static: serveStatic,
  text,
  urlencoded,
};

const callable: (() => api.Express) & Members & Pick<Framework, 'logger'> = Object.assign(
  createApplication,
  members,
  { logger },
);

// A cast: the properties `framework` and `default` are defined below.
export const framework: Framework = callable as Framework;

// `framework` and `default` allow named and default imports. They are not enumerable, so that code that walks the
// exports does not find the function inside itself.
Object.defineProperties(framework, {
  framework: { value: framework, writable: true, configurable: true },
  default: { value: framework, writable: true, configurable: true },
});
