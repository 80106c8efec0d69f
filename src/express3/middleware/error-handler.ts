/** `errorHandler`: sends errors with their stacks, for development only. It uses the package errorhandler. §9.3 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadPackage } from './load-package';
import type { Next } from './types';

export type ErrorMiddleware = (err: unknown, req: IncomingMessage, res: ServerResponse, next: Next) => void;

export interface ErrorHandlerOptions {
  /** Whether to write errors to standard error, or a function. Default: true, unless NODE_ENV is `test`. */
  log?:
    | boolean
    | ((err: unknown, text: string, req: IncomingMessage, res: ServerResponse) => void)
    | undefined;
}

export interface CreateErrorHandler {
  (options?: ErrorHandlerOptions): ErrorMiddleware;
  /** The title of the error page, read when the application creates the middleware. Default `Nozomi`. */
  title: string;
}

const library = (): CreateErrorHandler =>
  loadPackage<CreateErrorHandler>('errorHandler', 'errorhandler', () => require('errorhandler'));

const create = (options?: ErrorHandlerOptions): ErrorMiddleware => {
  const handler = library();
  // errorhandler has one title for the whole process: pages show the title of the middleware that was created last.
  handler.title = errorHandler.title;
  return handler(options);
};

/** Creates an error handler that responds with a page, JSON or text. */
export const errorHandler: CreateErrorHandler = Object.assign(create, { title: 'Nozomi' });
