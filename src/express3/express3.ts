/** `express3()`: an application with the 3.x interface, and the properties of the function. §9.3 */
import deprecateFor from 'depd';
import { assembleApplication } from '../application/application';
import { defineDefault } from '../wire/default-export';
import { application, settingMethods } from './application';
import type { Members, Application as PublicApplication } from './interface';
import * as middleware from './middleware/index';
import { mime } from './mime';
import { request } from './request';
import { response } from './response';
import { Route } from './route';
import { Router } from './router';
import type { Application } from './types';

const deprecate = deprecateFor('express');

/** Creates an application. */
function createApplication(): Application {
  return assembleApplication<Application>(application, request, response, settingMethods);
}

/** The same as `express3()`. */
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
  // The prototype has these members only; the type expects a whole application.
  application: application as unknown as Members['application'],
  request,
  response,
  Route,
  Router,
  mime,
};

type Middleware = typeof middleware;

/** The framework function: it creates an application. Its middleware loads optional packages on first use. */
export interface Express3 extends Middleware, Members {
  (): PublicApplication;
  default: Express3;
}

const callable: (() => PublicApplication) & Middleware & Members = Object.assign(
  createApplication,
  middleware,
  members,
);

defineDefault<Express3>(callable);

export const express3: Express3 = callable;
