/** The setting `strict body limit`: 413 at once, and 501 for an unknown coding. §2.10 · RFC 9112 §6.1 */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Options } from 'body-parser';
import bytes from 'bytes';
import createError from 'http-errors';
import { markRefused } from '../http/refused-body';
import type api from '../interface';
import { named } from '../internal/named';
import { addedSetting } from '../internal/setting';
import type { AnyApplication } from '../types';

type Middleware = api.BodyParser;
/** `app` may be any value: the parsers also run below other frameworks, and an application may assign to it. */
type AppRequest = IncomingMessage & { app?: Partial<Pick<AnyApplication, 'settings'>> };

/** The limit of a parser in bytes, if its options have none. */
const DEFAULT_LIMIT = 100 * 1024;

/** Returns the limit of a parser in bytes. body-parser has refused options whose limit is invalid. */
export function limitOf(options: Options | undefined): number {
  const { limit } = options ?? {};
  return limit == null ? DEFAULT_LIMIT : (bytes.parse(limit) ?? 0);
}

/**
 * Wraps a parser of body-parser, which reads a body that is too long to its end before it reports the error. If the
 * application has enabled the setting, the error comes as soon as the length is known to be too long, and the connection
 * is closed after the response. Without the setting, only calls the parser.
 */
export function withLimit(parse: Middleware, options: Options | undefined): Middleware {
  const limit = limitOf(options);
  return named(parse.name, (req: AppRequest, res: ServerResponse, next: (err?: unknown) => void) => {
    // Not `app.enabled`: Express has no such setting, so an application that overrides the method expects no call.
    if (!addedSetting(req.app, 'strict body limit')) return parse(req, res, next);
    const { 'transfer-encoding': coding = 'chunked' } = req.headers;
    if (coding.toLowerCase() === 'chunked') readWithin(limit, parse, req, res, next);
    else next(refuseCoding(req, res, coding));
  });
}

function readWithin(
  limit: number,
  parse: Middleware,
  req: AppRequest,
  res: ServerResponse,
  next: (err?: unknown) => void,
): void {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = req.headers;
  // Compression lengthens some data, but no usual encoder by more than this.
  const most = encoding.toLowerCase() === 'identity' ? limit : limit * 1.25 + 1024;
  let isDone = false;
  let received = 0;
  const finish = (err?: unknown): void => {
    if (isDone) return;
    isDone = true;
    req.off('data', count);
    next(err);
  };
  const refuse = AsyncResource.bind((detail: object): void => {
    closeAfter(req, res);
    finish(createError(413, 'request entity too large', { ...detail, limit, type: 'entity.too.large' }));
  });
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > most) refuse({ received });
  };

  parse(req, res, finish);
  // The parser has called `next` already if the body is not for it.
  if (isDone) return;
  const expected = Number(length);
  if (expected > most) refuse({ expected, length: expected });
  else req.on('data', count);
}

function refuseCoding(req: AppRequest, res: ServerResponse, encoding: string): Error {
  closeAfter(req, res);
  const message = `unsupported transfer coding "${encoding}"`;
  return createError(501, message, { encoding, type: 'transfer.coding.unsupported' });
}

/** Responds before the end of the body, and closes the connection after the response. */
function closeAfter(req: AppRequest, res: ServerResponse): void {
  markRefused(req);
  res.shouldKeepAlive = false;
  // Over HTTP/2 the stream would stay open until the client has sent the whole body.
  if (req.httpVersionMajor > 1) res.once('finish', () => req.destroy());
}
