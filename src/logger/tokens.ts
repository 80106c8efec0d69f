/**
 * The built-in tokens of the logger. L-2.4
 *
 * Each returns its raw value, or `undefined`. The logger escapes it, and a compiled format writes `-` for an empty or
 * missing value.
 */
import basicAuth from 'basic-auth';
import { bytesSent } from './bytes-sent';
import {
  formatDuration,
  isAborted,
  isHeadSent,
  type LoggedRequest,
  type LoggedResponse,
  remoteAddress,
} from './logged-messages';

export type Token = (
  req: LoggedRequest,
  res: LoggedResponse,
  arg: string,
) => string | string[] | number | undefined;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

export const tokens: Readonly<Record<string, Token>> = {
  url: function getUrlToken(req) {
    return req.originalUrl || req.url;
  },

  method: function getMethodToken(req) {
    return req.method;
  },

  'response-time': function getResponseTimeToken(req, res, digits) {
    if (!req._startAt || !res._startAt) return undefined;
    return formatDuration(req._startAt, res._startAt, digits);
  },

  'total-time': function getTotalTimeToken(req, res, digits) {
    if (!req._startAt || !res._startAt) return undefined;
    return formatDuration(req._startAt, process.hrtime(), digits);
  },

  date: function getDateToken(_req, _res, format) {
    switch (format || 'web') {
      case 'clf':
        return clfDate();
      case 'iso':
        return new Date().toISOString();
      case 'web':
        return new Date().toUTCString();
      default:
        return undefined;
    }
  },

  status: function getStatusToken(_req, res) {
    return isHeadSent(res) ? String(res.statusCode) : undefined;
  },

  referrer: function getReferrerToken(req) {
    // @types/node does not declare the header `referrer`. Node.js joins its values to one string.
    return req.headers.referer || req.headers.referrer;
  },

  'remote-addr': remoteAddress,

  'remote-user': function getRemoteUserToken(req) {
    return basicAuth(req)?.name;
  },

  pid: function getPidToken() {
    return String(process.pid);
  },

  'http-version': function getHttpVersionToken(req) {
    return `${req.httpVersionMajor}.${req.httpVersionMinor}`;
  },

  'user-agent': function getUserAgentToken(req) {
    return req.headers['user-agent'];
  },

  req: function getRequestToken(req, _res, name) {
    return joinField(req.headers[name.toLowerCase()]);
  },

  res: function getResponseHeader(_req, res, name) {
    return isHeadSent(res) ? joinField(res.getHeader(name)) : undefined;
  },

  // The tokens below are not in morgan.

  /**
   * `req.baseUrl` and the pattern of the matched route: `/shop/items/:id`. A mount path is missing if the request has
   * left its router through `next` or an error. `undefined` if no route matched.
   */
  route: function getRouteToken(req) {
    return req.route && `${req.baseUrl ?? ''}${String(req.route.path)}`;
  },

  /** Whether the connection closed before the whole response was sent; `undefined` while it is pending. */
  aborted: function getAbortedToken(req, res) {
    const aborted = isAborted(req, res);
    return aborted === undefined ? undefined : String(aborted);
  },

  /** The request id: `req.id`, as `context` of nozomi/extras and other middleware set it. */
  id: function getIdToken({ id }) {
    return id === undefined ? undefined : String(id);
  },

  'trace-id': function getTraceIdToken({ traceparent }) {
    return typeof traceparent === 'string' ? traceparent.split('-')[1] : undefined;
  },

  'span-id': function getSpanIdToken({ traceparent }) {
    return typeof traceparent === 'string' ? traceparent.split('-')[2] : undefined;
  },

  'bytes-sent': function getBytesSentToken(_req, res) {
    const bytes = bytesSent(res);
    return bytes === undefined ? undefined : String(bytes);
  },
};

function joinField(field: number | string | string[] | undefined): number | string | undefined {
  return Array.isArray(field) ? field.join(', ') : field;
}

// Cache: requests of the same second share the text.
let clfSecond: number | undefined;
let clfText = '';

/** The current time in UTC in the Common Log Format: `10/Oct/2000:13:55:36 +0000`. */
function clfDate(): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== clfSecond) {
    const date = new Date(now);
    const [day, month] = [pad(date.getUTCDate()), MONTHS[date.getUTCMonth()]];
    const [hour, minute] = [pad(date.getUTCHours()), pad(date.getUTCMinutes())];
    clfText = `${day}/${month}/${date.getUTCFullYear()}:${hour}:${minute}:${pad(date.getUTCSeconds())} +0000`;
    clfSecond = second;
  }
  return clfText;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
