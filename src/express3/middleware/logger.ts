/** `logger`: the request logger with the arguments of Express 3. §9.3 F-9.3-123 · F-9.3-124 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FormatFn, FormatName, Options } from '../../logger/interface';
import { logger as create } from '../../logger/logger';
import type { Middleware } from './types';

export type LoggerFormat = FormatName | (string & {}) | FormatFn;

export interface LoggerOptions extends Options<IncomingMessage, ServerResponse> {
  /** The name of a format, a format string or a function. Default `default`, an alias of `combined`. */
  format?: LoggerFormat | undefined;
}

type Logger = typeof import('../../logger/interface');

/** The function `logger`. It shares its tokens and formats with `nozomi/logger`. */
export interface Express3Logger extends Pick<Logger, 'compile' | 'format' | 'token'> {
  (format?: LoggerFormat | LoggerOptions): Middleware;
}

/** Logs requests, with the formats of `nozomi/logger`. */
export const logger: Express3Logger = Object.assign(function logger(
  options?: LoggerFormat | LoggerOptions,
): Middleware {
  const isObject = typeof options === 'object' && options !== null;
  const format = (isObject ? options.format : options) || 'default';
  return create(format === 'default' ? 'combined' : format, isObject ? options : undefined);
}, membersOf(create));

/** Returns the members of the logger without `default`, because reading `default` prints a deprecation warning. */
function membersOf(table: Logger): Pick<Logger, 'compile' | 'format' | 'token'> {
  const { compile, format, token } = table;
  const names = Object.keys(table).filter((name) => name !== 'default');
  return {
    ...Object.fromEntries(names.map((name) => [name, Reflect.get(table, name)])),
    compile,
    format,
    token,
  };
}
