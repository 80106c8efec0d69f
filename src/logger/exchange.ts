/**
 * The values that the logger reads of a request and its response, on any kind of server. L-2.4
 *
 * Every request has `headers`, `method` and `url`. Whether other properties exist depends on the server, the
 * framework, and the state of the request.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';

/** Seconds and nanoseconds, the result of `process.hrtime()`. */
export type Moment = [seconds: number, nanoseconds: number];

/** Other packages read `_startAt`, `_startTime` and `_remoteAddress`, so these names must not change. */
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
  /** The stream of a request over HTTP/2. */
  readonly stream?: ServerHttp2Stream;
  /** The head as text; Node.js sets it when it writes the head. */
  readonly _header?: string | null;
}

export function recordStart(message: LoggedRequest | LoggedResponse): void {
  message._startAt = process.hrtime();
  message._startTime = currentDate();
}

// A cache: requests that start in the same millisecond share one Date, which no code modifies. Creating a Date takes
// a large part of the time for a line (docs/performance.md).
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
 * The client's address: `req.ip`, if a framework that handles proxies defines it, otherwise that of the socket. It
 * stays available after the socket has closed.
 */
export function remoteAddress(req: LoggedRequest): string | undefined {
  return req.ip || req._remoteAddress || req.connection?.remoteAddress || undefined;
}

/** The milliseconds from one moment to another, with `digits` decimals. @throws {RangeError} above 100 digits. */
export function formatDuration(from: Moment, to: Moment, digits: string | undefined): string {
  const ms = (to[0] - from[0]) * 1e3 + (to[1] - from[1]) * 1e-6;
  // Passed as it is: as in morgan, `toFixed` takes text that is not a number for 0, and throws for a BigInt.
  return ms.toFixed(digits === undefined ? 3 : (digits as unknown as number));
}

/** Whether the connection failed before the whole response was sent; `undefined` while the response is pending. */
export function isAborted(req: LoggedRequest, res: LoggedResponse): boolean | undefined {
  const { stream } = res;
  // Node.js's HTTP/2 compatibility response has no `destroyed`, so the state of its stream is read.
  if (stream && !(res instanceof ServerResponse))
    return stream.closed ? stream.aborted || stream.rstCode !== 0 : undefined;
  if (res.writableFinished) return Boolean(req.socket?.errored);
  return res.destroyed || req.socket?.destroyed ? true : undefined;
}
