// The one file of the demo that names the framework's types; the values are passed to createApp.
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

/** What the demo uses of the framework: Express 5 fits as well. */
export type Framework = (() => ReturnType<typeof framework>) & {
  Router(options?: RouterOptions): Router;
} & Pick<typeof framework, 'json' | 'raw' | 'static' | 'text' | 'urlencoded'>;

/** What the demo uses of the logger: morgan fits as well. */
export type Logger = (format: 'combined' | 'dev', options: { stream: LogStream }) => RequestHandler;

/** Where finished lines of a log go. */
export interface LogStream {
  write(line: string): unknown;
}
