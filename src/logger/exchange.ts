/**
 * What the logger reads of a request and its response, on any kind of server. L-2.4
 *
 * Only `headers`, `method` and `url` are certain: the rest depends on the server, on the framework, and on the state of
 * the exchange.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';

/** Seconds and nanoseconds, of `process.hrtime()`. */
export type Moment = [seconds: number, nanoseconds: number];

/** Other packages read `_startAt`, `_startTime` and `_remoteAddress`: they are public in effect. */
export interface LoggedRequest extends IncomingMessage {
  _startAt?: Moment | undefined;
  _startTime?: Date | undefined;
  _remoteAddress?: string | undefined;
  readonly ip?: string;
  readonly originalUrl?: string;
  readonly baseUrl?: string;
  readonly route?: { readonly path: unknown };
  readonly id?: unknown;
}

export interface LoggedResponse extends ServerResponse {
  _startAt?: Moment | undefined;
  _startTime?: Date | undefined;
  /** The head as text; set when it is written. */
  readonly _header?: string | null;
}

export function recordStart(message: LoggedRequest | LoggedResponse): void {
  message._startAt = process.hrtime();
  message._startTime = currentDate();
}

// Requests that start within a millisecond share one Date, which nothing modifies: creating a Date is a large part of
// the cost of a line (docs/performance.md).
let date = new Date(Number.NaN);

function currentDate(): Date {
  const now = Date.now();
  if (date.getTime() !== now) date = new Date(now);
  return date;
}

export function isHeadSent(res: LoggedResponse): boolean {
  return typeof res.headersSent === 'boolean' ? res.headersSent : Boolean(res._header);
}

/**
 * `req.ip` of a framework that handles proxies, otherwise the address of the socket, also after the socket has closed.
 */
export function remoteAddress(req: LoggedRequest): string | undefined {
  return req.ip || req._remoteAddress || req.connection?.remoteAddress || undefined;
}

/** Milliseconds from one moment to another, with `digits` decimals. Throws a `RangeError` above 100 digits. */
export function formatDuration(from: Moment, to: Moment, digits: string | undefined): string {
  const ms = (to[0] - from[0]) * 1e3 + (to[1] - from[1]) * 1e-6;
  // `toFixed` converts a string of digits itself; a value that is not a number counts as 0. As in morgan.
  return ms.toFixed(digits === undefined ? 3 : (digits as unknown as number));
}

/** Whether the connection failed before the whole response was sent; `undefined` while it is open. */
export function isAborted(req: LoggedRequest, res: LoggedResponse): boolean | undefined {
  const { stream } = res as { stream?: ServerHttp2Stream };
  // Node.js's HTTP/2 compatibility class lacks the members that show the state.
  if (stream && !(res instanceof ServerResponse))
    return stream.closed ? stream.aborted || stream.rstCode !== 0 : undefined;
  if (res.writableFinished) return Boolean(req.socket?.errored);
  return res.destroyed || req.socket?.destroyed ? true : undefined;
}
