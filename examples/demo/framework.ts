// The only file of the demo that imports the types of the framework; the values are passed to createApp.
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

/** The members of the framework that the demo uses; Express 5 also has them. */
export type Framework = (() => ReturnType<typeof framework>) & {
  Router(options?: RouterOptions): Router;
} & Pick<typeof framework, 'json' | 'raw' | 'static' | 'text' | 'urlencoded'>;

/** The members of the logger that the demo uses; morgan also has them. */
export type Logger = (format: 'combined' | 'dev', options: { stream: LogStream }) => RequestHandler;

/** The destination of the lines of a log. */
export interface LogStream {
  write(line: string): unknown;
}
