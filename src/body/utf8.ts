/**
 * Fast path for most bodies: uncompressed UTF-8 text of a known length within the limit. Parsers with the option
 * `verify`, several media types or another default charset do not use it. §2.10
 */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import type { Options } from 'body-parser';
import { parse as parseContentType } from 'content-type';
import createDebug from 'debug';
import createError from 'http-errors';
import onFinished from 'on-finished';
import typeIs from 'type-is';
import { limitOf } from './limit';

export interface Utf8Bodies {
  /** The longest body that the parser accepts, in bytes. */
  readonly limit: number;
  /** Returns the length of the body; -1 if body-parser must read it. */
  lengthOf(req: IncomingMessage): number;
}

/**
 * Prepares the check for the fast path, from the options of a parser.
 *
 * @param parser The name of the parser, for debug output.
 * @param defaultType The media type of bodies if `options.type` is not set.
 * @param most The longest body for the fast path in bytes, even if the option `limit` allows more.
 * @returns The check; undefined if no body takes the fast path with these options.
 */
export function compileUtf8(
  parser: string,
  defaultType: string,
  options: (Options & { defaultCharset?: string | undefined }) | undefined,
  most: number = Number.POSITIVE_INFINITY,
): Utf8Bodies | undefined {
  const type = options?.type || defaultType;
  const charset = options?.defaultCharset || 'utf-8';
  if (options?.verify || typeof type !== 'string' || charset !== 'utf-8') return undefined;

  const limit = limitOf(options);
  const longest = Math.min(limit, most);
  const debug = createDebug(`body-parser:${parser}`);
  // Caches the result for the last Content-Type, because clients repeat it.
  let lastType: string | undefined;
  let isLastTaken = false;

  return {
    limit,
    lengthOf(req) {
      const { headers } = req;
      const contentType = headers['content-type'];
      if (contentType === undefined) return -1;
      if (contentType !== lastType) {
        isLastTaken = isUtf8(contentType) && typeIs.is(contentType, [type]) !== false;
        lastType = contentType;
      }
      if (!isLastTaken || debug.enabled) return -1;
      if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return -1;
      const length = Number(headers['content-length']);
      if (!(length <= longest) || String(length) !== headers['content-length']) return -1;
      return isUntouched(req) ? length : -1;
    },
  };
}

/**
 * Reads the body of `req` and passes its text to `take`, or an error to `next`, in the async context of the caller.
 *
 * @param length The value of `Content-Length`.
 * @param limit The longest body that the parser accepts, in bytes.
 */
export function readUtf8(
  req: IncomingMessage & { body?: unknown },
  length: number,
  limit: number,
  next: (err: unknown) => void,
  take: (text: string) => void,
): void {
  const scope = new AsyncResource('bound-anonymous-fn');
  let received = 0;
  let text: string | undefined;
  let decoder: StringDecoder | undefined;

  if (!('body' in req)) req.body = undefined;
  req.on('aborted', onAborted);
  req.on('close', leave);
  req.on('data', onData);
  req.on('end', onEnd);
  req.on('error', onEnd);

  function onData(chunk: Buffer): void {
    received += chunk.length;
    if (received > limit) {
      fail(createError(413, 'request entity too large', { limit, received, type: 'entity.too.large' }));
    } else if (received === length && !decoder) {
      // The whole body arrived in one chunk.
      append(chunk.toString());
    } else {
      decoder ??= new StringDecoder();
      append(decoder.write(chunk));
    }
  }

  function append(piece: string): void {
    if (text !== undefined) text += piece;
    else if (piece !== '') text = piece.charCodeAt(0) === BYTE_ORDER_MARK ? piece.slice(1) : piece;
  }

  function onEnd(error?: Error): void {
    if (error) {
      fail(error);
      return;
    }
    if (received !== length) {
      const message = 'request size did not match content length';
      fail(createError(400, message, { expected: length, length, received, type: 'request.size.invalid' }));
      return;
    }
    leave();
    if (decoder) append(decoder.end());
    scope.runInAsyncScope(take, null, text ?? '');
  }

  function onAborted(): void {
    const counted = { expected: length, length, received };
    fail(createError(400, 'request aborted', { code: 'ECONNABORTED', ...counted, type: 'request.aborted' }));
  }

  function fail(error: Error): void {
    leave();
    req.unpipe();
    req.pause();
    scope.runInAsyncScope(readOff, null, req, () => next(createError(400, error)));
  }

  function leave(): void {
    req.removeListener('aborted', onAborted);
    req.removeListener('close', leave);
    req.removeListener('data', onData);
    req.removeListener('end', onEnd);
    req.removeListener('error', onEnd);
  }
}

const BYTE_ORDER_MARK = 0xfeff;

function isUtf8(contentType: string): boolean {
  const { charset } = parseContentType(contentType).parameters;
  return charset === undefined || charset.toLowerCase() === 'utf-8';
}

/** Whether the body of `req` can still be read, and no code has set an encoding. */
function isUntouched(req: IncomingMessage): boolean {
  return !onFinished.isFinished(req) && req.readable && req.readableEncoding === null;
}

/** Discards the rest of the body before it calls `then`, so that the client can reuse the connection after an error. */
function readOff(req: IncomingMessage, then: () => void): void {
  if (onFinished.isFinished(req)) {
    then();
    return;
  }
  onFinished(req, then);
  req.resume();
}
