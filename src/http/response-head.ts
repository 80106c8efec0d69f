/**
 * Writes the head of the most frequent response in one piece: status 200, a known length, and a connection that stays
 * open. §4.5
 *
 * Node.js keeps the head as text in an undocumented property, until it sends it with the body. `res.end` creates this
 * text only if it is missing, so this module can create it first. This is faster, because most of what Node.js has to
 * look at is known here. Node.js creates every other head.
 *
 * When this module is loaded, it lets Node.js write the head of a response and writes the same head itself. If the two
 * differ in anything but the date, or if the clock is not that of the machine, it never writes one.
 */
import { ServerResponse, STATUS_CODES } from 'node:http';
import { type HeaderStore, probeResponse } from './header-store';

/** The undocumented properties that decide which head Node.js writes. @types/node does not declare them. */
interface Undocumented {
  _header: string | null;
  _contentLength: number | null;
  _removedConnection: boolean;
  _defaultKeepAlive: boolean;
  _keepAliveTimeout: number;
  _maxRequestsPerSocket: number | null | undefined;
  _expect_continue: boolean;
  _storeHeader: unknown;
  _implicitHeader: unknown;
}

type OpenResponse = ServerResponse & Partial<Undocumented>;

const { writeHead, _storeHeader, _implicitHeader }: OpenResponse = ServerResponse.prototype;

/**
 * Writes the head if it is the most frequent one. Call this function only directly before `res.end`.
 *
 * @param store All headers of the response.
 */
export function writeUsualHead(res: OpenResponse, store: HeaderStore): void {
  if (!isSameAsNode || !isUsual(res)) return;
  const length = store['content-length']?.[1];
  const { _keepAliveTimeout: timeout = 0 } = res;
  const head = typeof length === 'string' && timeout > 0 ? headOf(store, timeout) : undefined;
  if (!head) return;
  res.statusMessage = 'OK';
  res._contentLength = Number(length);
  res._header = head;
}

/** Whether Node.js would write the usual head. An agent may have replaced the methods that write it. */
function isUsual(res: OpenResponse): boolean {
  return (
    res.statusCode === 200 &&
    (res.statusMessage || STATUS_CODES[200]) === 'OK' &&
    res.writeHead === writeHead &&
    res._storeHeader === _storeHeader &&
    res._implicitHeader === _implicitHeader &&
    res._header === null &&
    // Node.js writes no head after the client has disconnected, nor after `end`.
    !res.destroyed &&
    !res.writableEnded &&
    res.sendDate &&
    res.shouldKeepAlive &&
    res._defaultKeepAlive === true &&
    !(res._removedConnection || res._expect_continue || res._maxRequestsPerSocket)
  );
}

/** Headers that change how Node.js sends a response, or that it writes itself. */
const SPECIAL: ReadonlySet<string> = new Set([
  'connection',
  'content-disposition',
  'date',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
]);

/** Returns undefined if a header is special, or its value is no text. @param timeout In milliseconds. */
function headOf(store: HeaderStore, timeout: number): string | undefined {
  let head = 'HTTP/1.1 200 OK\r\n';
  for (const key in store) {
    const field = store[key];
    if (!field || typeof field[1] !== 'string' || SPECIAL.has(key)) return undefined;
    head += `${field[0]}: ${field[1]}\r\n`;
  }
  return head + endOfHead(timeout);
}

// Read once: a test may replace the clock, and Node.js computes `Date` with that of the machine.
const RealDate = Date;
const { now: readClock } = Date;

let end = '';
let secondOfEnd = 0;
let timeoutOfEnd = 0;

/** Returns the headers that Node.js adds, and the empty line. They are the same until the next second. */
function endOfHead(timeout: number): string {
  const second = Math.floor(readClock() / 1000);
  if (second === secondOfEnd && timeout === timeoutOfEnd) return end;
  const date = new RealDate(second * 1000).toUTCString();
  const seconds = Math.floor(timeout / 1000);
  end = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`;
  secondOfEnd = second;
  timeoutOfEnd = timeout;
  return end;
}

/** Whether the clock is that of the machine, not one that a test has put in its place. */
function isClockReal(): boolean {
  return [RealDate, readClock].every((each) =>
    Function.prototype.toString.call(each).includes('[native code]'),
  );
}

const isSameAsNode = compareWithNode();

function compareWithNode(): boolean {
  if (!isClockReal()) return false;
  const probe: OpenResponse = probeResponse();
  probe._keepAliveTimeout = 5000;
  probe.shouldKeepAlive = true;
  probe.setHeader('X-Probe', 'value');
  probe.setHeader('Content-Length', '1');
  if (!isUsual(probe)) return false;
  const own = headOf({ 'x-probe': ['X-Probe', 'value'], 'content-length': ['Content-Length', '1'] }, 5000);
  probe.writeHead(200);
  const withoutDate = (text: unknown): string => String(text).replace(/^Date: .*$/m, 'Date');
  return withoutDate(own) === withoutDate(probe._header) && probe._contentLength === 1;
}
