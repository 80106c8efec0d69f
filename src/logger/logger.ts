/**
 * The request logger: middleware that writes one line per request. L-1 L-2.1 L-2.2 L-4
 *
 * As in morgan, the tokens and formats are properties of the logger function, and a format receives this function as
 * `tokens`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import createDebug from 'debug';
import deprecateFor from 'depd';
import { named } from '../internal/named';
import { measureBytes } from './bytes-sent';
import { type ExtraOptions, extrasOf } from './extras';
import { compile, countsBytes, formats, hasKeys } from './format';
import type api from './interface';
import type { Handler, Options } from './interface';
import { type LoggedRequest, type LoggedResponse, recordStart, remoteAddress } from './logged-messages';
import { onHead, onOver } from './response-events';
import { openSink } from './sink';
import { type Callback, escaped } from './token-table';
import { tokens } from './tokens';

type Logger = typeof api;

const debug = createDebug('morgan');
const deprecate = deprecateFor('morgan');

const DEFAULT_BUFFER_MS = 1000;

/** The options with callbacks for any type of request and response. */
interface AnyOptions extends Omit<Options<IncomingMessage, ServerResponse>, 'skip' | 'fields'>, ExtraOptions {
  skip?: Callback | undefined;
  format?: string | Callback;
}

function logger(
  format: string | Callback | AnyOptions,
  options?: AnyOptions,
): Handler<LoggedRequest, LoggedResponse> {
  let fmt: string | Callback | undefined;
  let opts = options || {};

  if (format && typeof format === 'object') {
    opts = format;
    fmt = opts.format || 'default';
    const shown = typeof fmt === 'string' ? JSON.stringify(fmt) : 'format';
    deprecate(`morgan(options): use morgan(${shown}, options) instead`);
  } else {
    fmt = format;
  }
  if (fmt === undefined) deprecate('undefined format: specify a format');

  const { immediate, buffer } = opts;
  const skip = opts.skip || undefined;
  const formatLine = findFormat(fmt);
  const stream = opts.stream || process.stdout;
  if (buffer && buffer !== 'turn') deprecate('buffer option');
  const isInterval = typeof buffer === 'number' || buffer === 'turn';
  const write = openSink(stream, buffer ? (isInterval ? buffer : DEFAULT_BUFFER_MS) : undefined);
  const counting = !immediate && countsBytes(formatLine);
  const extras = extrasOf(opts);
  if (extras && !hasKeys(formatLine))
    throw new TypeError('options fields and redact require the format json, ecs or otel');

  return named('logger', (req: LoggedRequest, res: LoggedResponse, next) => {
    recordStart(req);
    req._remoteAddress = remoteAddress(req);
    res._startAt = undefined;
    res._startTime = undefined;

    function logRequest(): void {
      if (skip?.(req, res)) {
        debug('skip request');
        return;
      }
      const line = extras ? formatLine(table, req, res, extras) : formatLine(table, req, res);
      if (line === undefined || line === null) {
        debug('skip line');
        return;
      }
      debug('log request');
      write(line);
    }

    if (immediate) {
      logRequest();
    } else {
      if (counting) measureBytes(res);
      onHead(res, recordStart);
      onOver(res, logRequest);
    }
    next();
  });
}

function format(this: Logger, name: string, fmt: string | Callback): Logger {
  table[name] = fmt;
  return this;
}

function token(this: Logger, name: string, callback: Callback): Logger {
  table[name] = escaped(callback);
  return this;
}

/** Finds the format function. As in morgan, a string is a name if the logger has such a property. */
function findFormat(nameOrFormat: string | Callback | undefined): Callback {
  if (typeof nameOrFormat === 'function') return nameOrFormat;
  const found = table[`${nameOrFormat}`] || nameOrFormat || table.default;
  // Cast, because the parameters of an application's function cannot be checked at run time.
  return typeof found === 'function' ? (found as Callback) : compile(found);
}

const members: Pick<Logger, 'compile' | 'format' | 'token'> = { compile, format, token };
// As in morgan, every format and every token is a property of the logger.
const properties: Record<string, unknown> = { ...formats };
const table = Object.assign(logger, members, properties);
deprecate.property(table, 'default', 'default format: use combined format');
for (const [name, callback] of Object.entries(tokens)) table[name] = escaped(callback);

const complete: Logger = table;

export { complete as logger };
