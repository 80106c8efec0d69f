/** Plays the requests of a scenario over HTTP/2. RFC 9113 */
import { once } from 'node:events';
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import type { PlayOptions } from '../client/exchange';
import type { Exchange, Head, HeaderList, Request } from '../client/messages';
import type { Step } from '../client/request';
import { headerOf } from '../client/response';

/** Headers that HTTP/2 requests must not have, and `host`, which `:authority` replaces. RFC 9113 §8.2.2, §8.3.1 */
const OF_CONNECTION = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** The arguments of `headers`, `response` and `trailers` events. `list` alternates names and values, as received. */
type Received = [headers: object, flags: number, list: readonly string[]];

/** Sends the requests of each step in a new session, just as the HTTP/1.1 client opens a connection for each step. */
export async function playOverHttp2(steps: readonly Step[], options: PlayOptions): Promise<Exchange[]> {
  const seen: Exchange[] = [];
  for (const [index, step] of steps.entries()) {
    const sources = typeof step === 'object' && step.kind === 'connection' ? step.requests : [step];
    const { port, isSecure } = options;
    const session = connect(`${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`, {
      rejectUnauthorized: false,
    });
    session.on('error', () => undefined);
    try {
      for (const one of sources) {
        const request = typeof one === 'function' ? one(seen) : one;
        seen.push(await play(session, request, index + 1, options.patience));
      }
    } finally {
      session.destroy();
    }
  }
  return seen;
}

async function play(
  session: ClientHttp2Session,
  request: Request,
  connection: number,
  patience: number,
): Promise<Exchange> {
  const { method, target, headers } = request;
  const payload = payloadOf(request);
  const stream = session.request(
    {
      ':method': method,
      ':path': target,
      ':authority': headerOf(headers, 'host') as string,
      ...headersOf(headers),
    },
    { endStream: payload === undefined },
  );
  const interim: Head[] = [];
  const body: Buffer[] = [];
  let head: Head | undefined;
  let trailers: HeaderList = [];
  let fault: string | undefined;
  stream.on('headers', (...[, , list]: Received) => void interim.push(headOf(list)));
  stream.on('response', (...[, , list]: Received) => {
    head = headOf(list);
  });
  stream.on('trailers', (...[, , list]: Received) => {
    trailers = headOf(list).headers;
  });
  stream.on('data', (chunk: Buffer) => void body.push(chunk));
  stream.on('error', (error) => {
    fault = error.message;
  });
  if (payload !== undefined) stream.end(payload);
  const timer = setTimeout(() => stream.destroy(new Error('silent')), patience);
  if (!stream.closed) await once(stream, 'close').catch(() => undefined);
  clearTimeout(timer);
  if (stream.rstCode) fault ??= `RST_STREAM ${stream.rstCode}`;
  return {
    request,
    connection,
    response: head ? { ...head, interim, framing: 'none', body: Buffer.concat(body), trailers } : {},
    outcome: 'kept',
    ...(fault === undefined ? {} : { fault }),
    header: (name) => headerOf(head?.headers ?? [], name),
  };
}

function headersOf(list: HeaderList): OutgoingHttpHeaders {
  const headers: Record<string, string[]> = {};
  for (const [name, value] of list) {
    const lower = name.toLowerCase();
    if (OF_CONNECTION.has(lower)) continue;
    headers[lower] ??= [];
    headers[lower].push(value.trim());
  }
  return Object.fromEntries(
    Object.entries(headers).map(([name, list]) => [name, list.length === 1 ? list[0] : list]),
  );
}

/** Returns the request body without chunk sizes; undefined if the body is empty and not chunked. */
function payloadOf({ headers, payload }: Request): Buffer | undefined {
  if (!/chunked$/i.test(headerOf(headers, 'transfer-encoding') ?? ''))
    return payload.length > 0 ? payload : undefined;
  const chunks: Buffer[] = [];
  let start = 0;
  for (;;) {
    const end = payload.indexOf('\r\n', start);
    const size = Number.parseInt(payload.toString('latin1', start, end), 16);
    if (end === -1 || !(size > 0)) return Buffer.concat(chunks);
    chunks.push(payload.subarray(end + 2, end + 2 + size));
    start = end + 2 + size + 2;
  }
}

function headOf(list: readonly string[]): Head {
  const headers: Array<readonly [string, string]> = [];
  let status = 0;
  for (let i = 0; i < list.length; i += 2) {
    const [name, value] = [list[i] as string, list[i + 1] as string];
    if (name === ':status') status = Number(value);
    else if (name[0] !== ':') headers.push([name, value]);
  }
  return { version: 'HTTP/2.0', status, reason: '', headers };
}
