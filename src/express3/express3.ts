/** The function `express3()`, which creates an application with the interface of Express 3, and its properties. §9.3 */
import deprecateFor from 'depd';
import { compileFactory } from '../application/application';
import { defineDefault } from '../internal/default-export';
import { application } from './application';
import type { Members, Application as PublicApplication } from './interface';
import * as middleware from './middleware/index';
import { mime } from './mime';
import { request } from './request';
import { response } from './response';
import { PublicRoute } from './route';
import { PublicRouter } from './router';
import type { Application } from './types';

const deprecate = deprecateFor('express');

const createApplication = compileFactory<Application>({
  members: application,
  request,
  response,
  adoptsServers: false,
});

/** Deprecated in Express 3: does the same as `express3()`. */
function createServer(): Application {
  deprecate(`createServer() is deprecated
express applications no longer inherit from http.Server
please use:

  var express = require(${JSON.stringify('express')});
  var app = express();

`);
  return createApplication();
}

const members: Members = {
  createServer,
  // The object has only the members that every application gets, but the type expects a complete application.
  application: application as unknown as Members['application'],
  request,
  response,
  Route: PublicRoute,
  Router: PublicRouter,
  mime,
};

type MiddlewareMembers = typeof middleware;

/** Creates an Express 3 application. Its properties include the middleware of Express 3. */
export interface Express3 extends MiddlewareMembers, Members {
  (): PublicApplication;
  default: Express3;
}

const callable: (() => PublicApplication) & MiddlewareMembers & Members = Object.assign(
  createApplication,
  middleware,
  members,
);

defineDefault<Express3>(callable);

export const express3: Express3 = callable;
