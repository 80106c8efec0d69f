/** `errorHandler`: errors with their stacks, for development, by errorhandler. §9.3 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { optional } from './optional';
import type { Next } from './types';

export type ErrorMiddleware = (err: unknown, req: IncomingMessage, res: ServerResponse, next: Next) => void;

export interface ErrorHandlerOptions {
  /** Write the error to standard error, or pass it to a function. Default: unless NODE_ENV is `test`. */
  log?:
    | boolean
    | ((err: unknown, text: string, req: IncomingMessage, res: ServerResponse) => void)
    | undefined;
}

export interface ErrorHandler {
  (options?: ErrorHandlerOptions): ErrorMiddleware;
  /** Title of the page. */
  title: string;
}

const library = (): ErrorHandler =>
  optional<ErrorHandler>('errorHandler', 'errorhandler', () => require('errorhandler'));

const create = (options?: ErrorHandlerOptions): ErrorMiddleware => {
  const handler = library();
  // errorhandler keeps one title for the whole process.
  handler.title = errorHandler.title;
  return handler(options);
};

export const errorHandler: ErrorHandler = Object.assign(create, { title: 'Nozomi' });
