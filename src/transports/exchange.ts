/**
 * Creates `http.IncomingMessage` and `http.ServerResponse` objects over a stream that is not an HTTP/1.1 connection:
 * an HTTP/2 stream, or a stream in memory. Applications and middleware receive the usual classes.
 *
 * The methods of Node.js do most of the work. The response overrides only those that write bytes to the connection:
 * they pass head and body to the stream.
 */
import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Http2ServerResponse, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RequestClass, ResponseClass } from '../application/prototypes';
import { callOnce } from '../internal/call-once';
import { ignore } from '../internal/ignore';
import { earlyHints } from '../response/early-hints';
import { detachSignal } from './abort-signal';
import { adaptRequest, adaptResponse, areForeign } from './foreign-messages';
import { collectHeaders, parseFields } from './response-headers';
import { type Connection, StreamSocket } from './stream-socket';

/** The head of a response. */
export interface Head {
  readonly status: number;
  /** The reason phrase; HTTP/2 does not send it. */
  readonly statusText: string;
  /** By name in lower case. A header with several values has a list of them. */
  readonly headers: OutgoingHttpHeaders;
  /** Whether the head is the whole response, without a body and trailers. */
  readonly isWhole: boolean;
  /** Whether the application may send trailers after the body. */
  readonly mayHaveTrailers: boolean;
  /** Whether to add `Date` if the application has not set it. */
  readonly sendDate: boolean;
}

/** The operations that differ between kinds of streams. */
export interface Transport<Stream extends Duplex = Duplex> {
  /** `HTTP/2` or `fetch`, for error messages. */
  readonly name: string;
  respond(stream: Stream, head: Head): void;
  /** Sends the head although there is no body yet. Undefined if `respond` does. */
  flushHead?(stream: Stream): void;
  /** Sends an informational response (1xx). RFC 9110 §15.2 */
  inform(stream: Stream, status: number, headers: OutgoingHttpHeaders): void;
  /** Sends trailers after the body, if the head had `mayHaveTrailers`. The list may be empty. */
  sendTrailers(stream: Stream, trailers: OutgoingHttpHeaders): void;
  /**
   * Aborts the stream, as `destroy` does for a connection. Without an error, a response that has ended is still sent.
   */
  cancel(stream: Stream, err?: Error): void;
  /** Whether the stream was aborted, so that data may be incomplete. */
  isCut(stream: Stream): boolean;
  /** Refuses or discards the rest of a request body that no handler reads. */
  refuseRest(stream: Stream): void;
}

export interface RequestHead {
  readonly method: string;
  readonly url: string;
  /** Alternately a name and its value, as in Node.js. */
  readonly rawHeaders: string[];
  readonly httpVersion: '1.1' | '2.0';
  readonly hasBody: boolean;
}

export interface MessageClasses {
  readonly requestClass: RequestClass;
  readonly responseClass: ResponseClass;
}

const kExchange: unique symbol = Symbol('nozomi.exchange');

/** A request with the additional members of HTTP/2. */
export interface ExchangeRequest extends IncomingMessage {
  stream?: ServerHttp2Stream;
  authority?: string | undefined;
  scheme?: string | undefined;
  /** For CONNECT: the protocol of the tunnel. RFC 8441 §4 */
  connectProtocol?: unknown;
}

/** A response with the additional members of HTTP/2. */
export interface ExchangeResponse extends ServerResponse {
  socket: Socket | null;
  _header?: string | null;
  stream?: ServerHttp2Stream;
  createPushResponse?(
    headers: OutgoingHttpHeaders,
    callback: (err: Error | null, res?: Http2ServerResponse) => void,
  ): void;
  [kExchange]?: Exchange;
}

interface CarryingStream extends Duplex {
  [kExchange]?: Exchange;
}

type Callback = (err?: Error | null) => void;

const { _finish: finishMessage } = ServerResponse.prototype;

/** One request and its response over a stream. */
export class Exchange<Stream extends CarryingStream = CarryingStream> {
  readonly req: ExchangeRequest;
  readonly res: ExchangeResponse;
  readonly #stream: Stream;
  readonly #transport: Transport<Stream>;
  readonly #socket: StreamSocket;
  #isReading = false;
  #isAnswered = false;
  #hasTrailers = false;
  /** The headers of the response, stored until the head is sent. */
  #head: OutgoingHttpHeaders | undefined;
  /** The callback of `res.end`. It is called when the stream has sent all data. */
  #onSent: Callback | undefined;
  /** The callback of the last write. */
  #onWritten: Callback | undefined;
  #trailers: string[] | undefined;

  constructor(
    stream: Stream,
    transport: Transport<Stream>,
    connection: Connection,
    given: RequestHead,
    classes: MessageClasses,
  ) {
    this.#stream = stream;
    this.#transport = transport;
    stream[kExchange] = this;
    this.#socket = new StreamSocket(stream, this, connection);
    // A cast: `StreamSocket` has the members of a socket that Node.js's messages use.
    const socket = this.#socket as unknown as Socket;
    this.req = createRequest(socket, given, classes);
    this.res = this.#createResponse(socket, classes);
    stream.on('aborted', onGone);
    stream.on('close', onGone);
    if (given.hasBody) {
      // A stream with an empty body may have ended already.
      if (stream.readableEnded) this.completeRequest();
      else stream.on('end', onEnd);
      stream.on('trailers', onTrailers);
    }
    stream.on('drain', onDrain);
    stream.on('timeout', onTimeout);
    // Without a listener, an `error` event would terminate the process. The event `close` then reports the failure to
    // the messages.
    stream.on('error', ignore);
  }

  #createResponse(socket: Socket, classes: MessageClasses): ExchangeResponse {
    const res: ExchangeResponse = new classes.responseClass(this.req);
    if (areForeign) adaptResponse(res);
    res[kExchange] = this;
    res._storeHeader = storeHeader;
    res._send = send;
    res._writeRaw = writeInformation;
    res._finish = finish;
    // For a listener that is no application, whose responses lack the check of `app.response`.
    if (res.writeEarlyHints === ServerResponse.prototype.writeEarlyHints)
      res.writeEarlyHints = earlyHints.writeEarlyHints;
    res.shouldKeepAlive = true;
    res.on('finish', onFinish);
    // The same as `assignSocket`, without its listener for `close`. No code can listen yet for its event `socket`.
    res.socket = socket;
    this.#socket._httpMessage = res;
    return res;
  }

  resume(): void {
    if (!this.#isReading && !this.req.complete) {
      this.#isReading = true;
      this.#stream.on('data', onData);
    }
    this.#stream.resume();
  }

  cancel(err?: Error): void {
    this.#transport.cancel(this.#stream, err);
    this.close();
  }

  receive(chunk: Buffer): void {
    if (!this.req.push(chunk)) this.#stream.pause();
  }

  /** The stream has no more data. The request is complete, unless the stream was aborted. */
  completeRequest(): void {
    const { req } = this;
    if (req.complete || this.#socket.isGone || this.#transport.isCut(this.#stream)) return;
    req.complete = true;
    if (this.#trailers) req._addHeaderLines(this.#trailers, this.#trailers.length);
    req.push(null);
  }

  setTrailers(list: string[]): void {
    this.#trailers = list;
  }

  /** Stores the head until there is data to send with it, as Node.js does. */
  storeHead(res: ExchangeResponse, given: unknown): void {
    if (res.statusCode < 200 || res.statusCode > 599) this.#replaceStatus(res);
    // A response with status 205 must not have a body. RFC 9110 §15.3.6
    if (res.statusCode === 205) res._hasBody = false;
    const { headers, isChunked } = collectHeaders(res, given);
    this.#head = headers;
    if (
      res._hasBody &&
      !res._removedContLen &&
      !isChunked &&
      typeof res._contentLength === 'number' &&
      headers['content-length'] === undefined &&
      headers.trailer === undefined
    ) {
      headers['content-length'] = res._contentLength;
    }
  }

  /** Replaces a status that neither HTTP/2 nor `Response` of fetch allows for a final response. */
  #replaceStatus(res: ExchangeResponse): void {
    const { method, url } = this.req;
    const message = `${method} ${url}: status ${res.statusCode} cannot be sent over ${this.#transport.name}, sent 500`;
    console.error(message);
    res.statusCode = 500;
    res.statusMessage = 'Internal Server Error';
    // If the status was below 200, Node.js has disabled the body.
    res._hasBody = method !== 'HEAD';
  }

  send(
    res: ExchangeResponse,
    data: string | Uint8Array,
    encoding: BufferEncoding,
    callback?: Callback,
  ): boolean {
    if (this.#socket.isGone) return false;
    if (data.length === 0 && callback && encoding === 'latin1') {
      // Node.js passes the callback of `res.end` with empty data. The callback emits `finish`, so `sent` calls it when
      // all data was sent.
      this.#onSent = callback;
      return true;
    }
    if (!res._headerSent) this.#sendHead(res, false);
    if (data.length === 0 && !callback) {
      this.#transport.flushHead?.(this.#stream);
      return !this.#stream.writableNeedDrain;
    }
    this.#onWritten = callback && callOnce(callback);
    return this.#stream.write(data, encoding, this.#onWritten);
  }

  #sendHead(res: ExchangeResponse, isEnd: boolean): void {
    const head = this.#head ?? {};
    const { statusCode: status, _hasBody: hasBody, sendDate } = res;
    res._headerSent = true;
    this.#hasTrailers = hasBody && head['content-length'] === undefined && !(isEnd && res._trailer === '');
    const isWhole = !hasBody || (isEnd && !this.#hasTrailers);
    if (this.#hasTrailers) this.#stream.once('wantTrailers', onWantTrailers);
    this.#transport.respond(this.#stream, {
      status,
      statusText: res.statusMessage,
      headers: head,
      isWhole,
      mayHaveTrailers: this.#hasTrailers,
      sendDate,
    });
  }

  /** Called by `res.end`, when the stream has received all data. */
  end(res: ExchangeResponse): void {
    if (!this.#socket.isGone) {
      const stream = this.#stream;
      // If the head was sent without a body, the stream may have ended already and emits no further `finish`.
      if (stream.writableFinished) process.nextTick(callSent, this);
      else stream.on('finish', onStreamFinish);
      if (!res._headerSent) this.#sendHead(res, true);
      if (!stream.writableEnded) stream.end();
    }
    finishMessage.call(res);
  }

  /** Called when the stream has sent all data: `res` emits `finish`. */
  sent(): void {
    const onSent = this.#onSent;
    this.#onSent = undefined;
    onSent?.();
  }

  sendTrailers(): void {
    this.#transport.sendTrailers(this.#stream, parseFields(this.res._trailer));
  }

  /** Sends an informational response, from the text that Node.js would write to a connection. */
  inform(text: string, callback?: Callback): boolean {
    const [line = '', ...fields] = text.split('\r\n');
    const status = Number(line.split(' ', 2)[1]);
    if (!this.#socket.isGone && !this.res.headersSent) {
      this.#transport.inform(this.#stream, status, parseFields(fields.join('\r\n')));
    }
    if (callback) process.nextTick(callback);
    return true;
  }

  /** Ends the exchange as Node.js's server does, except that it reads no further request from the connection. */
  finishResponse(): void {
    const { req, res } = this;
    this.#isAnswered = true;
    detachSignal(req);
    if (!req._consuming) {
      if (!req.complete) {
        req.complete = true;
        req.push(null);
        this.#transport.refuseRest(this.#stream);
      }
      req._dump();
    }
    res.socket = null;
    this.#socket._httpMessage = null;
    process.nextTick(emitClose, res);
    if (this.#stream.destroyed) this.close();
  }

  /** Called when the stream has closed. It does what Node.js's server does for a lost connection. */
  close(): void {
    const { req, res } = this;
    if (this.#socket.isGone) return;
    const isSent = res._headerSent && this.#stream.writableEnded && !this.#transport.isCut(this.#stream);
    if (isSent && !this.#isAnswered) {
      // The stream may close before the callback of the last write and before `finish`; a response without a body may
      // close before `res.end`.
      this.#onWritten?.();
      this.sent();
      if (!res.writableEnded) return;
    }
    this.#socket.isGone = true;
    if (!this.#isAnswered || !req.complete) req.destroy(connectionReset());
    if (this.#socket._httpMessage) emitClose(res);
    this.#socket.emit('close', false);
  }

  /** Stops using the stream, because the application takes it over. The response is then one without a connection. */
  release(): void {
    const { res } = this;
    this.#stream.off('aborted', onGone).off('close', onGone).off('drain', onDrain).off('timeout', onTimeout);
    this.#stream.off('end', onEnd).off('trailers', onTrailers).off('data', onData);
    res.off('finish', onFinish);
    for (const name of ['_storeHeader', '_send', '_writeRaw', '_finish']) Reflect.deleteProperty(res, name);
    res.socket = null;
    this.#socket._httpMessage = null;
  }

  drain(): void {
    const { res } = this;
    // Not `writableNeedDrain`, which is false here in Bun.
    if (res.destroyed || res.writableEnded) return;
    // `_flush` clears the flag that a write has set, and emits `drain` only if it had data to write.
    res.outputData.push({ data: '', encoding: 'utf8', callback: null });
    res._flush();
  }

  /** Ends the stream on a timeout without a listener, as Node.js ends a connection. */
  timeOut(): void {
    const { req, res } = this;
    const isHeard = [
      !req.complete && req.emit('timeout', this.#socket),
      !this.#isAnswered && res.emit('timeout', this.#socket),
      this.#socket.emit('timeout'),
    ].some(Boolean);
    if (!isHeard) this.#socket.destroy();
  }
}

function createRequest(socket: Socket, given: RequestHead, classes: MessageClasses): ExchangeRequest {
  const { rawHeaders, hasBody, httpVersion } = given;
  const req: ExchangeRequest = new classes.requestClass(socket);
  if (areForeign) adaptRequest(req, socket);
  req.httpVersion = httpVersion;
  req.httpVersionMajor = httpVersion === '2.0' ? 2 : 1;
  req.httpVersionMinor = httpVersion === '2.0' ? 0 : 1;
  req.method = given.method;
  req.url = given.url;
  req._addHeaderLines(rawHeaders, rawHeaders.length);
  if (!hasBody) {
    req.complete = true;
    req.push(null);
  } else if (req.headers['content-length'] === undefined) {
    // Body parsers (type-is) and proxies recognise a body of unknown length by this header.
    req.headers['transfer-encoding'] = 'chunked';
  }
  return req;
}

/** The exchange over a stream; undefined if there is none. */
export function exchangeOf(stream: CarryingStream): Exchange | undefined {
  return stream[kExchange];
}

function storeHeader(this: ExchangeResponse, statusLine: string, headers: unknown): void {
  this[kExchange]?.storeHead(this, headers);
  // `headersSent` reads this property.
  this._header = statusLine;
}

function send(
  this: ExchangeResponse,
  data: string | Uint8Array,
  encoding: BufferEncoding,
  callback?: Callback,
): boolean {
  return this[kExchange]?.send(this, data, encoding, callback) ?? false;
}

function writeInformation(
  this: ExchangeResponse,
  text: string | Uint8Array,
  _encoding: BufferEncoding,
  callback?: Callback,
): boolean {
  return this[kExchange]?.inform(String(text), callback) ?? false;
}

function finish(this: ExchangeResponse): void {
  this[kExchange]?.end(this);
}

/** Creates a listener that calls the exchange of its stream or response: one function for all exchanges. */
function listener<Args extends unknown[]>(act: (exchange: Exchange, ...args: Args) => void) {
  return function (this: CarryingStream | ExchangeResponse, ...args: Args): void {
    const exchange = this[kExchange];
    if (exchange) act(exchange, ...args);
  };
}

const onFinish = listener((exchange) => exchange.finishResponse());
const onData = listener((exchange, chunk: Buffer) => exchange.receive(chunk));
const onEnd = listener((exchange) => exchange.completeRequest());
const onTrailers = listener((exchange, _trailers: unknown, _flags: number, list: string[]) =>
  exchange.setTrailers(list),
);
const onWantTrailers = listener((exchange) => exchange.sendTrailers());
const onDrain = listener((exchange) => exchange.drain());
const onTimeout = listener((exchange) => exchange.timeOut());
const onStreamFinish = listener((exchange) => exchange.sent());
const onGone = listener((exchange) => exchange.close());

function callSent(exchange: { sent(): void }): void {
  exchange.sent();
}

function emitClose(res: ExchangeResponse): void {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  res.emit('close');
}

/** The error that Node.js's server creates for a lost connection. */
function connectionReset(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}
