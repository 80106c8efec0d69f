/** `express3()`: an application with the 3.x interface, and the properties of the function. §9.3 */
import deprecateFor from 'depd';
import { assembleApplication } from '../application/assemble';
import { application, settingMethods } from './application';
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
  return assembleApplication(
    application,
    request as never,
    response as never,
    settingMethods,
  ) as unknown as Application;
}

/** As `express3()`. */
function createServer(): Application {
  deprecate(`createServer() is deprecated
express applications no longer inherit from http.Server
please use:

  var express = require(${JSON.stringify('express')});
  var app = express();

`);
  return createApplication();
}

export const express3: typeof createApplication = Object.assign(createApplication, middleware, {
  createServer,
  application,
  request,
  response,
  Route,
  Router,
  mime,
});

// Not enumerable, because it refers to itself.
Object.defineProperty(express3, 'default', { value: express3, writable: true, configurable: true });
