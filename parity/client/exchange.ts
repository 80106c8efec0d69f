/** The HTTP/1.1 client: sends the requests of a scenario to a port over raw sockets and returns the exchanges. */
import type { Socket } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { connectTo, localServer } from './connect';
import type { ConnectionOutcome, Exchange, ReceivedResponse, Request } from './messages';
import { type Connection, formatHead, type RequestSource, type Step } from './request';
import { headerOf, Inbox, IncompleteResponse, readResponse } from './response';

export interface PlayOptions {
  readonly port: number;
  /** Whether to use TLS; any certificate is accepted. */
  readonly isSecure?: boolean;
  /** How many milliseconds to wait for each response. */
  readonly patience: number;
  /** Where requests are cut into packets: before each byte, or after the head; default: nowhere. */
  readonly cut?: 'bytes' | 'head';
  /** Called before each step with its position, from 0. */
  onStep?(index: number): void;
}

/**
 * Sends the requests in order. Each step has a connection of its own.
 *
 * @returns One exchange for each request, also for one without a response.
 */
export async function playSteps(steps: readonly Step[], options: PlayOptions): Promise<Exchange[]> {
  const seen: Exchange[] = [];
  for (const [index, step] of steps.entries()) {
    options.onStep?.(index);
    const connection: Connection =
      typeof step === 'object' && step.kind === 'connection'
        ? step
        : { kind: 'connection', requests: [step], pipelined: false };
    await playConnection(connection, index + 1, seen, options);
  }
  return seen;
}

async function playConnection(
  { requests: sources, pipelined, patience = Number.POSITIVE_INFINITY, server }: Connection,
  number: number,
  seen: Exchange[],
  options: PlayOptions,
): Promise<void> {
  const socket = connectTo(server ?? localServer(options), { allowHalfOpen: true });
  const { cut } = options;
  const write = (bytes: Buffer, done?: () => void): void =>
    void (cut === undefined ? socket.write(bytes, done) : sendCut(socket, bytes, cut).then(done));
  const line = {
    socket,
    inbox: new Inbox(socket),
    number,
    patience: Math.min(patience, options.patience),
    write,
  };
  try {
    if (pipelined) {
      const requests = sources.map((one) => toRequest(one, seen));
      write(Buffer.concat(requests.flatMap((one) => one.bytes ?? [formatHead(one), one.payload])));
      for (const request of requests) seen.push(await playRequest(line, request, true));
    } else {
      for (const one of sources) {
        seen.push(await playRequest(line, toRequest(one, seen), false));
      }
    }
    const last = seen.at(-1);
    if (last) seen[seen.length - 1] = await halfClose(line, last);
  } finally {
    socket.destroy();
  }
}

interface Line {
  readonly socket: Socket;
  readonly inbox: Inbox;
  readonly number: number;
  readonly patience: number;
  /** Sends bytes, and then calls `done`. */
  write(bytes: Buffer, done?: () => void): void;
}

/** How many bytes of a request are cut, each into a packet of its own. */
const MAX_BYTES_CUT = 2000;
/** How many milliseconds to wait between the head of a request and its body. */
const HEAD_PAUSE = 3;

/** Sends bytes in several packets, which the server reads in several turns. Resolves when they are written. */
async function sendCut(socket: Socket, bytes: Buffer, cut: NonNullable<PlayOptions['cut']>): Promise<void> {
  const head = bytes.indexOf('\r\n\r\n') + 4;
  const cuts = cut === 'head' ? [head] : bytes.subarray(0, MAX_BYTES_CUT).keys();
  let start = 0;
  for (const end of [...cuts, bytes.length]) {
    if (start >= end || socket.destroyed) continue;
    const part = bytes.subarray(start, end);
    await new Promise((resolve) => socket.write(part, resolve));
    await (cut === 'head' ? pause(HEAD_PAUSE) : turn());
    start = end;
  }
}

async function playRequest(line: Line, request: Request, written: boolean): Promise<Exchange> {
  const { socket, inbox } = line;
  const timer = setTimeout(() => inbox.fail('silent'), line.patience);
  const leave = (): void => {
    inbox.fail('left');
    socket.destroy();
  };
  let sendBody = written ? undefined : start(line, request, leave);
  let seen: Partial<ReceivedResponse> = {};
  try {
    const response = await readResponse(inbox, request.method, (head) => {
      if (head.status === 100) sendBody?.();
      sendBody = undefined;
      if (request.abort !== 'head' || head.status < 200) return;
      seen = head;
      leave();
      throw new IncompleteResponse('left');
    });
    const closing =
      /^close$/i.test(headerOf(response.headers, 'connection') ?? '') || response.framing === 'close';
    if (closing) await inbox.closed();
    return toExchange(line, request, response, closing ? 'closed' : 'kept');
  } catch (error) {
    if (!(error instanceof IncompleteResponse)) throw error;
    const outcome = OUTCOMES.find((one) => one === error.message) ?? (inbox.ended ? 'closed' : 'kept');
    // If the client disconnected, keep only a head that it waited for: how much more arrives is random.
    return toExchange(line, request, outcome === 'left' ? seen : error.partial, outcome, error.message);
  } finally {
    clearTimeout(timer);
  }
}

const OUTCOMES: readonly ConnectionOutcome[] = ['reset', 'silent', 'left'];

/**
 * Writes a request, or the part before the client disconnects. With `Expect: 100-continue` it writes only the head.
 *
 * @param leave Disconnects the client. Called after the write if `request.abort` is a number or `sent`.
 * @returns A function that writes the body, to be called for `100 Continue`; undefined if nothing is left to write.
 */
function start({ write }: Line, request: Request, leave: () => void): (() => void) | undefined {
  const bytes = request.bytes ?? Buffer.concat([formatHead(request), request.payload]);
  if (typeof request.abort === 'number') {
    write(bytes.subarray(0, request.abort), leave);
  } else if (request.abort === 'sent') {
    write(bytes, leave);
  } else if (!request.bytes && /^100-continue$/i.test(headerOf(request.headers, 'expect') ?? '')) {
    write(formatHead(request));
    return () => write(request.payload);
  } else {
    write(bytes);
  }
  return undefined;
}

/**
 * Half-closes a connection that is still open, and waits until the server closes it or `patience` is over. Returns the
 * last exchange. If bytes arrived that belong to no response, it has them as `surplus`.
 */
async function halfClose({ socket, inbox, patience }: Line, last: Exchange): Promise<Exchange> {
  if (last.outcome === 'kept') {
    const timer = setTimeout(() => inbox.fail('silent'), patience);
    socket.end();
    await inbox.closed();
    clearTimeout(timer);
  }
  const surplus = inbox.rest();
  return surplus.length > 0 && last.outcome !== 'left' ? { ...last, surplus } : last;
}

function toRequest(source: RequestSource, seen: readonly Exchange[]): Request {
  return typeof source === 'function' ? source(seen) : source;
}

function toExchange(
  line: Line,
  request: Request,
  response: Partial<ReceivedResponse>,
  outcome: ConnectionOutcome,
  fault?: string,
): Exchange {
  return {
    request,
    connection: line.number,
    response,
    outcome,
    ...(fault === undefined ? {} : { fault }),
    header: (name) => headerOf(response.headers ?? [], name),
  };
}
