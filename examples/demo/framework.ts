// The one file of the demo that names the framework's types; the values are handed to createApp.
import type express from 'express';
import type morgan from 'morgan';

export type Framework = typeof express;
export type Logger = typeof morgan;
export type {
  Application,
  ErrorRequestHandler,
  NextFunction,
  Request,
  RequestHandler,
  RequestParamHandler,
  Response,
  Router,
} from 'express';
