/** Serves an application over HTTP/1.1 and HTTP/2, with clients whose responses can be compared. */
import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { connect, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { portOf, serverOf, serving } from '../support/serve';

export interface TestRequest {
  method?: string;
  path: string;
  headers?: http.OutgoingHttpHeaders;
  body?: string | Buffer;
}

export interface ReceivedResponse {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  trailers: Record<string, unknown>;
}

export async function listening(server: Server): Promise<number> {
  return portOf(await serverOf(server));
}

/** Serves an application over HTTP/2 without TLS while `use` runs, and connects a session. */
export async function withHttp2<T>(
  app: unknown,
  use: (session: ClientHttp2Session, socket: Socket) => Promise<T>,
): Promise<T> {
  const server = http2.createServer(app as never);
  const port = await listening(server);
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  const session = http2.connect(`http://127.0.0.1:${port}`, { createConnection: () => socket });
  session.on('error', () => undefined);
  try {
    return await use(session, socket);
  } finally {
    session.destroy();
    server.close();
  }
}

/** Serves an application over HTTP/1.1 while `use` runs. */
export async function withHttp1<T>(app: unknown, use: (port: number) => Promise<T>): Promise<T> {
  return serving(http.createServer(app as RequestListener), use);
}

/** Starts a request. A request with a body must be ended by the caller. */
export function open(session: ClientHttp2Session, testRequest: TestRequest): ClientHttp2Stream {
  const { method = 'GET', path, headers } = testRequest;
  // Without a body, the stream ends after the headers.
  const endStream = testRequest.body === undefined;
  return session.request({ ':method': method, ':path': path, ...headers }, { endStream });
}

export async function askHttp2(
  session: ClientHttp2Session,
  testRequest: TestRequest,
): Promise<ReceivedResponse> {
  const stream = open(session, testRequest);
  if (testRequest.body !== undefined) stream.end(testRequest.body);
  const trailers: Record<string, unknown> = {};
  stream.on('trailers', (given) => Object.assign(trailers, given));
  const [given] = await once(stream, 'response');
  const { ':status': status, ...headers } = given;
  return { status, headers, body: await buffer(stream), trailers };
}

export async function askHttp1(port: number, testRequest: TestRequest): Promise<ReceivedResponse> {
  const { method = 'GET', path, headers = {} } = testRequest;
  const req = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false });
  req.end(testRequest.body);
  const [res] = (await once(req, 'response')) as [http.IncomingMessage];
  const body = await buffer(res);
  return { status: res.statusCode as number, headers: res.headers, body, trailers: { ...res.trailers } };
}

/** @returns A response without headers that depend on the transport. */
export function plain({ status, headers, body, trailers }: ReceivedResponse): unknown {
  const { connection, 'keep-alive': _, 'transfer-encoding': __, date, ...rest } = headers;
  // Copies, without the symbols that Node.js adds for HTTP/2.
  const [own, ownTrailers] = [rest, trailers].map((each) => Object.fromEntries(Object.entries(each)));
  return {
    status,
    headers: own,
    body: body.toString('latin1'),
    trailers: ownTrailers,
    isDated: Boolean(date),
  };
}

/** Records the events of a request and its response. @returns The list, which grows. */
export function watch(req: http.IncomingMessage, res: http.ServerResponse): string[] {
  const events: string[] = [];
  for (const event of ['aborted', 'end', 'error', 'close']) {
    req.on(event, (err?: NodeJS.ErrnoException) => events.push(`req ${event}${err ? ` ${err.code}` : ''}`));
  }
  for (const event of ['finish', 'error', 'close']) res.on(event, () => events.push(`res ${event}`));
  return events;
}

/** @returns The number of open connections of a server. */
export function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((err, count) => (err ? reject(err) : resolve(count)));
  });
}
