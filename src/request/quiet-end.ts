/**
 * Ends the stream of a request that has no body and that nothing has read, after the response. §4.4
 *
 * Node.js then calls `req._dump`, which lets the stream flow, end and close, in several ticks. If nothing listens, only
 * the final state can be observed. So this module sets that state at once. In every other case, `_dump` of Node.js runs.
 */
import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { probeResponse } from '../http/header-store';

/** The undocumented state of a stream. @types/node does not declare it. */
interface Undocumented {
  _readableState: Record<
    'ended' | 'endEmitted' | 'destroyed' | 'closed' | 'closeEmitted' | 'flowing',
    unknown
  >;
  _dumped: boolean;
  _eventsCount: number;
}

type Stream = IncomingMessage & Undocumented;

/** `_httpMessage` is the response that a connection currently carries. `_events` has its listeners: one, or a list. */
interface Attached {
  readonly socket:
    | (Socket & { _httpMessage?: (ServerResponse & { _events?: Record<string, unknown> }) | null })
    | null;
}

const node: IncomingMessage = IncomingMessage.prototype;
const { _dump, emit, on, removeAllListeners, read, resume, destroy, _destroy } = node;

/** Replaces `req._dump` of Node.js, which its server calls when the response has finished. */
function dump(this: Stream): void {
  if (canEndQuietly(this)) endQuietly(this);
  else node._dump.call(this);
}

/** Whether nothing can observe how the stream ends. */
function canEndQuietly(req: Stream): boolean {
  return (
    req.complete &&
    // Any listener can observe the end, including those that a listener of the response would add.
    req._eventsCount === 0 &&
    isUnobserved(req) &&
    // Neither paused nor flowing.
    req.readableFlowing === null &&
    req.readableLength === 0 &&
    !req.destroyed &&
    // Code may have replaced a method that Node.js would call.
    req.emit === emit &&
    req.on === on &&
    req.removeAllListeners === removeAllListeners &&
    req.read === read &&
    req.resume === resume &&
    req.destroy === destroy &&
    req._destroy === _destroy &&
    node._dump === _dump
  );
}

/** Whether no listener of the response runs between `finish` and the end of the request, except that of Node.js. */
function isUnobserved({ socket }: Attached): boolean {
  const events = socket?._httpMessage?._events;
  return typeof events?.finish === 'function' && events.close === undefined;
}

function endQuietly(req: Stream): void {
  const { _readableState: state } = req;
  req._dumped = true;
  if (flowsWhenDumped) state.flowing = true;
  state.ended = true;
  state.endEmitted = true;
  state.destroyed = true;
  state.closed = true;
  state.closeEmitted = true;
}

/** Whether `_dump` lets the stream flow, or reads its end without that. Undefined if it does neither. */
const flowsWhenDumped = probeDump();

function probeDump(): boolean | undefined {
  let flows: boolean | undefined;
  const probe = probeRequest();
  probe.resume = () => {
    flows = true;
    return probe;
  };
  probe.read = () => {
    flows = false;
    return null;
  };
  probe._dump?.();
  return flows;
}

/** Creates a request without a body that has arrived completely. */
function probeRequest(): IncomingMessage & Partial<Undocumented> {
  return Object.assign(probeResponse().req, { complete: true });
}

/** Whether this version of Node.js has the undocumented properties that `endQuietly` sets. */
function canSetState(): boolean {
  const probe = probeRequest();
  if (flowsWhenDumped === undefined || !isKnown(probe)) return false;
  endQuietly(probe);
  const { readableEnded, destroyed, closed, readable, readableFlowing } = probe;
  return readableEnded && destroyed && closed && !readable && readableFlowing === (flowsWhenDumped || null);
}

function isKnown(probe: Partial<Undocumented>): probe is Undocumented {
  return typeof probe._readableState === 'object' && probe._eventsCount === 0;
}

/** Adds the method to a request prototype. It is not enumerable, because that of Express has no such member. */
export function addQuietEnd<Prototype extends IncomingMessage>(request: Prototype): Prototype {
  if (!canSetState()) return request;
  return Object.defineProperty(request, '_dump', { configurable: true, writable: true, value: dump });
}
