// Only this file imports the types of the framework, and only index.ts imports the framework itself.
import type framework from 'nozomi';
import type { RequestHandler, Router, RouterOptions } from 'nozomi';

export type {
  Application,
  ErrorRequestHandler,
  NextFunction,
  Request,
  RequestHandler,
  RequestParamHandler,
  Response,
  Router,
} from 'nozomi';

/** The part of the framework that the demo uses. Express 5 has the same members. */
export type Framework = (() => ReturnType<typeof framework>) & {
  Router(options?: RouterOptions): Router;
} & Pick<typeof framework, 'json' | 'raw' | 'static' | 'text' | 'urlencoded'>;

/** The part of the logger that the demo uses. morgan has the same interface. */
export type Logger = (format: 'combined' | 'dev', options: { stream: LogStream }) => RequestHandler;

/** Receives the lines of a log. */
export interface LogStream {
  write(line: string): unknown;
}
