/**
 * Entry point `nozomi/logger`: the logger without the framework. L-1-01
 *
 * As in @types/morgan, `module.exports` is the function, and a namespace of the same name contains its types.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { logger as theLogger } from './logger';
import type * as types from './types';

const logger: types.Logger = theLogger;

declare namespace logger {
  type FormatFn<
    Request extends IncomingMessage = IncomingMessage,
    Response extends ServerResponse = ServerResponse,
  > = types.FormatFn<Request, Response>;
  type TokenCallbackFn<
    Request extends IncomingMessage = IncomingMessage,
    Response extends ServerResponse = ServerResponse,
  > = types.TokenCallbackFn<Request, Response>;
  interface TokenIndexer<
    Request extends IncomingMessage = IncomingMessage,
    Response extends ServerResponse = ServerResponse,
  > extends types.TokenIndexer<Request, Response> {}
  interface Morgan<Request extends IncomingMessage, Response extends ServerResponse>
    extends types.Morgan<Request, Response> {}
  interface Options<Request extends IncomingMessage, Response extends ServerResponse>
    extends types.Options<Request, Response> {}
  interface StreamOptions extends types.StreamOptions {}
  type FormatName = types.FormatName;
}

export = logger;
