/** `context`: a request id and a W3C trace context for each request, in AsyncLocalStorage. https://www.w3.org/TR/trace-context/ */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { named } from '../internal/named';
import { ownOptions } from '../internal/own-options';

/** The ids of a request. */
export interface RequestContext {
  /** The request id: also `req.id`, and the response header `X-Request-Id`. */
  readonly id: string;
  /** 32 hexadecimal digits: the trace of the client, or a new one. */
  readonly traceId: string;
  /** 16 hexadecimal digits for this request. */
  readonly spanId: string;
  /** The span of the client; undefined for a new trace. */
  readonly parentId: string | undefined;
  /** The header for requests that the application sends to others; also `req.traceparent`. */
  readonly traceparent: string;
  /** The header `tracestate` to send with `traceparent`; undefined if the client sent none. */
  readonly tracestate: string | undefined;
}

export interface ContextOptions {
  /**
   * The request header whose value becomes the request id, such as `'X-Request-Id'`, if it has at most 128 characters of
   * `A-Z a-z 0-9 . _ : / + = @ -`. Any client can send it: choose one only if a proxy sets it. Default false: none.
   */
  requestIdHeader?: string | false;
  /** Creates the request id. Default: `crypto.randomUUID()`. */
  genReqId?(req: IncomingMessage): string;
  /** Whether a valid header `traceparent` continues the trace of the client. Default true. */
  traceparent?: boolean;
}

const ID = /^[\w.:/+=@-]{1,128}$/;
// version "-" trace-id "-" parent-id "-" flags, and in versions after 00 more. Fixed lengths, so it is linear.
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const SAMPLED = 1;

const storage = new AsyncLocalStorage<RequestContext>();

/**
 * Creates middleware that gives each request its ids. Use it first: handlers, error handlers and what they call get the
 * ids by `getContext`, the logger by its tokens `:id`, `:trace-id` and `:span-id`.
 *
 * @throws {TypeError} for a `requestIdHeader` that is neither a string nor false.
 */
export function context(
  options: ContextOptions = {},
): (req: IncomingMessage, res: ServerResponse, next: (err?: unknown) => void) => void {
  const { requestIdHeader = false, genReqId = () => randomUUID(), traceparent = true } = ownOptions(options);
  if (requestIdHeader !== false && typeof requestIdHeader !== 'string')
    throw new TypeError('option requestIdHeader must be a string or false');
  const header = requestIdHeader ? requestIdHeader.toLowerCase() : undefined;

  return named('context', (req, res, next) => {
    const given = header ? req.headers[header] : undefined;
    const id = typeof given === 'string' && ID.test(given) ? given : genReqId(req);
    const parent = traceparent ? parentOf(req) : undefined;
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    const spanId = randomBytes(8).toString('hex');
    const flags = ((parent?.flags ?? 0) & SAMPLED).toString(16).padStart(2, '0');
    const current: RequestContext = {
      id,
      traceId,
      spanId,
      parentId: parent?.parentId,
      traceparent: `00-${traceId}-${spanId}-${flags}`,
      tracestate: parent && tracestateOf(req),
    };
    Object.assign(req, { id, traceparent: current.traceparent });
    res.setHeader('X-Request-Id', id);
    storage.run(current, next);
  });
}

/**
 * Returns the ids of the request that the current code belongs to; undefined outside of a request. They follow promises,
 * timers and callbacks of Node.js. Listeners of `req` and `res` need `AsyncResource.bind`.
 */
export function getContext(): RequestContext | undefined {
  return storage.getStore();
}

interface Parent {
  traceId: string;
  parentId: string;
  flags: number;
}

/** Parses `traceparent`. Returns undefined if it is missing or invalid, or sent twice: then a new trace begins. */
function parentOf({ headers: { traceparent } }: IncomingMessage): Parent | undefined {
  // Node.js joins several headers with a comma.
  const [, version, traceId = '', parentId = '', flags = '', rest] =
    TRACEPARENT.exec(String(traceparent ?? '')) ?? [];
  if (!version || (version === '00' && rest) || rest?.includes(',')) return undefined;
  return { traceId, parentId, flags: Number.parseInt(flags, 16) };
}

/** The specification recommends at least 512 characters for `tracestate`; a longer one is dropped. */
const MAX_STATE_LENGTH = 512;

function tracestateOf({ headers: { tracestate } }: IncomingMessage): string | undefined {
  const text = tracestate === undefined ? '' : String(tracestate);
  return text && text.length <= MAX_STATE_LENGTH ? text : undefined;
}
