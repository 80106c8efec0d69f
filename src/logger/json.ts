/**
 * The format `json`, which morgan does not have: one object per line, with stable keys.
 *
 * A stream in object mode receives the object. Any other stream receives JSON: the logger appends a line end with `+`,
 * which calls `toString`.
 */
import { escapeJson } from './escape';
import type { Extras } from './extras';
import { isAborted, type LoggedRequest, type LoggedResponse } from './logged-messages';
import { type Tokens, unescaped } from './token-table';

/** The line of the format `json`. A value is `null` if it is unknown, or not yet known (option `immediate`). */
export interface JsonLine {
  /** The time at which the line was created: ISO 8601 in UTC. */
  time: string;
  method: string | null;
  url: string | null;
  /** The pattern of the matched route, as in `:route`. */
  route: string | null;
  status: number | null;
  /** Milliseconds until the response head was written, as in `:response-time`. */
  responseTime: number | null;
  /** Milliseconds until the response was finished, as in `:total-time`. */
  totalTime: number | null;
  /** The number of bytes sent, as in `:bytes-sent`. */
  bytesSent: number | null;
  remoteAddress: string | null;
  userAgent: string | null;
  referrer: string | null;
  /** `req.id`, or else the header `X-Request-Id`. The key is missing if the request has neither. */
  requestId?: string;
  /** The trace and the span of the request, as in `:trace-id` and `:span-id`. The keys are missing without a trace. */
  traceId?: string;
  spanId?: string;
  /** Whether the connection closed before the whole response was sent. */
  aborted: boolean | null;
}

/** Creates the line of one request, from the tokens, which the application can redefine. */
export function formatJson(
  tokens: Tokens,
  req: LoggedRequest,
  res: LoggedResponse,
  extras?: Extras,
): JsonLine {
  const line = readLine(tokens, req, res, extras);
  if (!extras) return line;
  Object.assign(line, extras.fields(req, res));
  extras.hide(line);
  return line;
}

/** Reads the values that all formats with keys have. Hides parameters in URLs, and nothing else. */
export function readLine(
  tokens: Tokens,
  req: LoggedRequest,
  res: LoggedResponse,
  extras: Extras | undefined,
): JsonLine {
  const text = (name: string) => {
    const value = unescaped(tokens[name])?.call(tokens, req, res);
    return value ? String(value) : null;
  };
  const number = (name: string) => {
    const value = text(name);
    return value === null ? null : Number(value);
  };

  const line: JsonLine = lineOf({});
  line.time = new Date().toISOString();
  line.method = text('method');
  line.url = text('url');
  line.route = text('route');
  line.status = number('status');
  line.responseTime = number('response-time');
  line.totalTime = number('total-time');
  line.bytesSent = number('bytes-sent');
  line.remoteAddress = text('remote-addr');
  line.userAgent = text('user-agent');
  line.referrer = text('referrer');
  const requestId = req.id ?? req.headers['x-request-id'];
  if (requestId !== undefined) line.requestId = String(requestId);
  const traceId = text('trace-id');
  if (traceId !== null) {
    line.traceId = traceId;
    line.spanId = text('span-id') ?? '';
  }
  line.aborted = isAborted(req, res) ?? null;
  if (extras) {
    line.url = extras.hideInUrl(line.url);
    line.referrer = extras.hideInUrl(line.referrer);
  }
  return line;
}

/** Returns an object with these properties that converts to a line of JSON. */
export function lineOf<Line extends object>(properties: object): Line {
  return Object.assign(Object.create(jsonLine), properties);
}

const jsonLine = {
  toString(this: object): string {
    return escapeJson(JSON.stringify(this));
  },
};
