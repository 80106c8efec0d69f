/**
 * Reads the values of a request and its response for the logger, on any kind of server. L-2.4
 *
 * Every request has `headers`, `method` and `url`. Other properties depend on the server, the framework and the state
 * of the request.
 */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';

/** Seconds and nanoseconds, the result of `process.hrtime()`. */
export type Moment = [seconds: number, nanoseconds: number];

/** A request as the logger reads it. Other packages read the names `_startAt`, `_startTime` and `_remoteAddress`. */
export interface LoggedRequest extends IncomingMessage {
  _startAt?: Moment | undefined;
  _startTime?: Date | undefined;
  _remoteAddress?: string | undefined;
  readonly ip?: string;
  readonly originalUrl?: string;
  readonly baseUrl?: string;
  readonly route?: { readonly path: unknown };
  readonly id?: unknown;
  /** The W3C trace context, as `context` of nozomi/extras sets it. */
  readonly traceparent?: unknown;
}

export interface LoggedResponse extends ServerResponse {
  _startAt?: Moment | undefined;
  _startTime?: Date | undefined;
  /** The HTTP/2 stream; undefined over HTTP/1.1. */
  readonly stream?: ServerHttp2Stream;
  /** The head as text; Node.js sets it when it writes the head. */
  readonly _header?: string | null;
}

export function recordStart(message: LoggedRequest | LoggedResponse): void {
  message._startAt = process.hrtime();
  message._startTime = currentDate();
}

// Cache: requests that start in the same millisecond share one Date, because creating a Date is slow
// (docs/performance.md). The logger never modifies the Date.
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
 * Returns the client's address: `req.ip` if a framework defines it, otherwise the address of the socket; undefined if
 * neither is known.
 *
 * The logger stores the address in `_remoteAddress`, because a closed socket no longer has it.
 */
export function remoteAddress(req: LoggedRequest): string | undefined {
  return req.ip || req._remoteAddress || req.connection?.remoteAddress || undefined;
}

/**
 * Formats the milliseconds between two moments.
 *
 * @param digits The number of decimals. Default 3.
 * @throws {RangeError} for fewer than 0 or more than 100 digits.
 */
export function formatDuration(from: Moment, to: Moment, digits: string | undefined): string {
  const ms = (to[0] - from[0]) * 1e3 + (to[1] - from[1]) * 1e-6;
  // Not converted, as in morgan: `toFixed` treats text that is not a number as 0, and throws for a BigInt.
  return ms.toFixed(digits === undefined ? 3 : (digits as unknown as number));
}

/** Whether the connection failed before the whole response was sent; `undefined` while the response is pending. */
export function isAborted(req: LoggedRequest, res: LoggedResponse): boolean | undefined {
  const { stream } = res;
  // The HTTP/2 response of Node.js has no `destroyed`, so read the state of its stream.
  if (stream && !(res instanceof ServerResponse))
    return stream.closed ? stream.aborted || stream.rstCode !== 0 : undefined;
  if (res.writableFinished) return Boolean(req.socket?.errored);
  return res.destroyed || req.socket?.destroyed ? true : undefined;
}
