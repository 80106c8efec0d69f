/** Creates the request of Node.js from a head, and passes it to Node.js's server as its parser does. */
import type { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Fields, RequestHead } from './read-request';

/** The parser that Node.js attaches to a connection. @types/node does not declare it. */
export interface Parser {
  incoming: IncomingMessage | null;
  /** Creates the response, and emits `request`. */
  onIncoming(req: IncomingMessage, shouldKeepAlive: boolean): unknown;
  execute: unknown;
}

export type Connection = Socket & { server?: Server; parser?: Parser | null; _paused?: boolean };

type Request = IncomingMessage & { _dumped?: boolean; _eventsCount?: number };

export type RequestConstructor = new (socket: Socket) => Request;

/** What this package knows of a connection that it reads. */
export interface Reader {
  readonly socket: Connection;
  readonly parser: Parser;
  readonly Request: RequestConstructor;
  /** The async context of requests: as with Node.js's parser, that in which the connection was created. */
  readonly context: AsyncResource;
}

/**
 * Does what Node.js does with a request that its parser has read.
 *
 * @param body The whole body. Undefined if it is empty.
 * @param isRepeated Whether the last request of the connection had the same headers.
 */
export function deliver(
  reader: Reader,
  { method, target, fields }: RequestHead,
  body: Buffer | undefined,
  isRepeated: boolean,
): void {
  const { socket, parser, context, Request } = reader;
  const req = new Request(socket);
  parser.incoming = req;
  req.httpVersionMajor = 1;
  req.httpVersionMinor = 1;
  req.httpVersion = '1.1';
  req.url = target;
  req.upgrade = false;
  req._addHeaderLines(fields.list.slice(), fields.list.length);
  if (isRepeated) repeatHeaders(req, fields);
  req.method = method;
  context.runInAsyncScope(begin, undefined, parser, req, body);
  // Node.js runs the ticks that the listener has scheduled before it ends the body.
  if (body) process.nextTick(endInContext, reader, req);
  // The context is that of the listeners for `end`.
  else if (req._eventsCount === 0) end(socket, req);
  else endInContext(reader, req);
}

function begin(parser: Parser, req: Request, body: Buffer | undefined): void {
  parser.onIncoming(req, true);
  if (body && !req._dumped && !req.push(body)) req.socket.pause();
}

function endInContext({ context, socket }: Reader, req: Request): void {
  context.runInAsyncScope(end, undefined, socket, req);
}

function end(socket: Connection, req: Request): void {
  req.complete = true;
  req.push(null);
  if (!socket._paused && socket.readable) socket.resume();
}

/** Sets `req.headers` to a copy of what Node.js has made of the same headers before. */
function repeatHeaders(req: IncomingMessage, fields: Fields): void {
  if (fields.headers) {
    req.headers = { ...fields.headers };
    return;
  }
  const { headers } = req;
  // The values of `set-cookie` are a list, which each request must have for itself.
  if (!headers['set-cookie']) fields.headers = { ...headers };
}
