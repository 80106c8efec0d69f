/**
 * The request logger: a middleware that writes one line per request. L-1 L-2.1 L-2.2 L-4
 *
 * The function is also the table of its tokens and formats: every name is a member, and formats get it as `tokens`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import createDebug from 'debug';
import depd from 'depd';
import { named } from '../wire/named';
import { measureBytes } from './bytes-sent';
import { type LoggedRequest, type LoggedResponse, recordStart, remoteAddress } from './exchange';
import { compile, countsBytes, type FormatLine, formats } from './format';
import { onHead, onOver } from './response-events';
import { openSink } from './sink';
import { type Callback, escaped, type Tokens } from './token-table';
import { tokens } from './tokens';
import type { FormatFn, Handler, Logger, Options } from './types';

const debug = createDebug('morgan');
const deprecate = depd('morgan');

const DEFAULT_BUFFER_MS = 1000;

type AnyOptions = Options<IncomingMessage, ServerResponse> & { format?: string | FormatFn };

function logger(
  format: string | FormatFn | AnyOptions,
  options?: AnyOptions,
): Handler<IncomingMessage, ServerResponse> {
  let fmt = format;
  let opts = options || {};

  if (format && typeof format === 'object') {
    opts = format;
    fmt = opts.format || 'default';
    const shown = typeof fmt === 'string' ? JSON.stringify(fmt) : 'format';
    deprecate(`morgan(options): use morgan(${shown}, options) instead`);
  }
  if (fmt === undefined) deprecate('undefined format: specify a format');

  const { immediate, buffer } = opts;
  const skip = opts.skip || undefined;
  const formatLine = findFormat(fmt as string | FormatLine);
  const stream = opts.stream || process.stdout;
  if (buffer) deprecate('buffer option');
  const write = openSink(
    stream,
    buffer ? (typeof buffer === 'number' ? buffer : DEFAULT_BUFFER_MS) : undefined,
  );
  const counting = !immediate && countsBytes(formatLine);

  return named('logger', (req: LoggedRequest, res: LoggedResponse, next) => {
    req._remoteAddress = remoteAddress(req);
    recordStart(req);
    res._startAt = undefined;
    res._startTime = undefined;

    function logRequest(): void {
      if (skip?.(req, res)) {
        debug('skip request');
        return;
      }
      const line = formatLine(table as unknown as Tokens, req, res);
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

function format(this: unknown, name: string, fmt: string | FormatLine): unknown {
  table[name] = fmt;
  return this;
}

function token(this: unknown, name: string, callback: Callback): unknown {
  table[name] = escaped(callback);
  return this;
}

/** A name is looked up among all members, as in the reference; what is none is a format string. */
function findFormat(nameOrFormat: string | FormatLine): FormatLine {
  if (typeof nameOrFormat === 'function') return nameOrFormat;
  const found = table[nameOrFormat] || nameOrFormat || table.default;
  return typeof found === 'function' ? (found as FormatLine) : compile(found as string);
}

const table = Object.assign(logger, { compile, format, token }) as unknown as Record<string, unknown>;

for (const [name, fmt] of Object.entries(formats)) table[name] = fmt;
deprecate.property(table, 'default', 'default format: use combined format');
for (const [name, callback] of Object.entries(tokens)) table[name] = escaped(callback);

const complete: Logger = table as unknown as Logger;

export { complete as logger };
