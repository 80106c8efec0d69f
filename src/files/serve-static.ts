/** `static`: middleware that serves the files of a directory, by the package send. §2.11 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import url from 'node:url';
import encodeUrl from 'encodeurl';
import escapeHtml from 'escape-html';
import type { HttpError } from 'http-errors';
import type { SendOptions, SendStream } from 'send';
import sending from 'send';
import type { RequestHandler, ServeStaticOptions } from 'serve-static';
import { htmlPage } from '../http/html-page';
import { parseTarget } from '../http/target';
import type { StaticOptions } from '../interface';
import { named } from '../internal/named';
import { ownOptions } from '../internal/own-options';
import { fileMembers } from './known-files';
import { precompressedMembers } from './precompressed';

type FileOptions<Response extends ServerResponse> = ServeStaticOptions<Response> &
  Pick<StaticOptions, 'preCompressed'>;

/**
 * Creates middleware that serves the files below `root`.
 *
 * @throws {TypeError} if the root is missing or not a string, or `setHeaders` is not a function.
 */
export function serveStatic<Response extends ServerResponse>(
  root: string,
  options?: FileOptions<Response>,
): RequestHandler<Response> {
  return serveFiles(root, options, sending);
}

/**
 * Creates middleware like `serveStatic`, but the caller chooses the function that replaces `send`.
 *
 * @param open Creates the stream that sends a file, as `send` does.
 */
export function serveFiles<Response extends ServerResponse>(
  root: string,
  options: FileOptions<Response> | undefined,
  open: (req: IncomingMessage, path: string, options: SendOptions) => SendStream,
): RequestHandler<Response> {
  if (!root) throw new TypeError('root path required');
  if (typeof root !== 'string') throw new TypeError('root path must be a string');
  const given: SendOptions & FileOptions<Response> & { maxage?: unknown } = Object.create(options || null);
  const { setHeaders } = given;
  const { preCompressed } = ownOptions(options ?? {});
  if (setHeaders && typeof setHeaders !== 'function')
    throw new TypeError('option setHeaders must be function');

  const isFallthrough = given.fallthrough !== false;
  const onDirectory = given.redirect === false ? notFound : redirectToSlash;
  given.maxage = given.maxage || given.maxAge || 0;
  given.root = resolve(root);
  const members = preCompressed ? precompressedMembers(preCompressed) : fileMembers();

  return named('serveStatic', (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      if (isFallthrough) return next();
      res.statusCode = 405;
      res.setHeader('Allow', 'GET, HEAD');
      res.setHeader('Content-Length', '0');
      res.end();
      return undefined;
    }

    let isErrorForwarded = !isFallthrough;
    const stream = open(req, getPathBelowRoot(req), given);
    Object.assign(stream, members);
    stream.on('directory', onDirectory);
    if (setHeaders) stream.on('headers', setHeaders);
    // The file exists. From now on every failure is an error for `next`.
    if (isFallthrough) {
      stream.on('file', () => {
        isErrorForwarded = true;
      });
    }
    stream.on('error', (err: HttpError) => {
      if (isErrorForwarded || !(err.statusCode < 500)) next(err);
      else next();
    });
    stream.pipe(res);
    return undefined;
  });
}

/** Returns the path below the root; empty for a mount path without slash, which send redirects. */
function getPathBelowRoot(req: IncomingMessage): string {
  const original = parseTarget.original(req);
  const { pathname } = parseTarget(req);
  return pathname === '/' && original.pathname.slice(-1) !== '/' ? '' : pathname;
}

/** A SendStream with the members that @types/send lacks. */
type DirectoryStream = SendStream & { req: IncomingMessage; hasTrailingSlash(): boolean };

function notFound(this: SendStream): void {
  this.error(404);
}

function redirectToSlash(this: DirectoryStream, res: ServerResponse): void {
  if (this.hasTrailingSlash()) {
    this.error(404);
    return;
  }
  const target = parseTarget.original(this.req);
  // Like serve-static, this changes the parsed URL that parseurl shares with other middleware.
  target.path = null;
  // If the path began with two slashes, the client would read the first segment as a host.
  target.pathname = `${target.pathname}/`.replace(/^\/+/, '/');
  const location = encodeUrl(url.format(target));
  const body = htmlPage('Redirecting', `Redirecting to ${escapeHtml(location)}`);

  res.statusCode = 301;
  res.setHeader('Content-Type', 'text/html; charset=UTF-8');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.setHeader('Content-Security-Policy', "default-src 'none'");
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Location', location);
  res.end(body);
}
