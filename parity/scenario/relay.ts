/**
 * Creates a scenario from each clause of spec/express4.json. The scenario runs the application of the clause. Parity's
 * client, not the application, sends the requests, in the same order. A last request returns the application's result.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { type Duplex, PassThrough } from 'node:stream';
import { inspect } from 'node:util';
import type { ReceivedResponse, Request } from '../client/messages';
import { get, type HeaderRecord, request } from '../client/request';
import { Inbox, IncompleteResponse, readResponse as readRaw } from '../client/response';
import { ROOT } from '../implementations/project';
import {
  type App,
  type Clause,
  type Collected,
  type Express,
  HIT_PATIENCE,
  type Hit,
  NO_ANSWER,
  runProgram,
  type Sent,
} from './program';
import { type Scenario, scenario } from './scenario';

/** A clause of spec/express4.json. */
interface ProgramClause extends Clause {
  readonly area: string;
  readonly text: string;
  /** The result of the application on Express 4.22.3. */
  readonly express4: string;
  /** The requests that the application sent on Express 4.22.3, each as `["POST /x", headers, body]`. */
  readonly requests: ReadonlyArray<readonly unknown[]>;
}

/** The request target whose response is the result of the application. */
const RETURNED = '/-/returned';
/** Matches applications that change or observe the whole process. Each of their scenarios needs its own process. */
const NEEDS_PROCESS = /\b(logged|rejections|mime\.define|Router\.own)\b/;
const STALE = 'npm run generate -- express4-requests';
/** Milliseconds that the client waits for a response, in scenarios with a request that gets no response. */
const CLIENT_PATIENCE = 1000;

/**
 * Creates the scenarios of one area of spec/express4.json.
 *
 * @param area The letter of the area, `A` to `J`.
 */
export function programScenarios(area: string): Scenario[] {
  // Read at run time, because an import would fail in the published package, which does not contain the JSON file.
  const file = readFileSync(join(ROOT, 'spec', 'express4.json'), 'utf8');
  const { clauses } = JSON.parse(file) as { clauses: ProgramClause[] };
  return clauses.filter((clause) => clause.area === area).map(programScenario);
}

function programScenario(clause: ProgramClause): Scenario {
  const mayLackResponse = clause.express4.includes(`'${NO_ANSWER}'`);
  const made = scenario({
    name: clause.text,
    clauses: [clause.id],
    build: ({ framework }) => runBehindRelay(clause, framework as never, mayLackResponse),
    requests: [
      ...clause.requests.map(toRequest),
      get(RETURNED).expect({ status: 200, body: clause.express4 }),
    ],
    ...(NEEDS_PROCESS.test(clause.program) && { alone: true }),
    ...(mayLackResponse && { patience: CLIENT_PATIENCE }),
  });
  return { ...made, series: '4.x' };
}

/** Reads a request of spec/express4.json. */
export function toRequest([line, headers, body]: readonly unknown[]): Request {
  const [method, target] = (line as string).split(' ') as [string, string];
  const pairs = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
  const content = isBase64(body) ? Buffer.from(body.base64, 'base64') : (body as string | undefined);
  return request(method, target, content, Object.fromEntries(pairs) as HeaderRecord);
}

function isBase64(body: unknown): body is { base64: string } {
  return typeof body === 'object' && body !== null;
}

/** A request of the application that waits until the client of the scenario sends it. */
interface Call {
  readonly app: App;
  readonly line: string;
  readonly resolve: (hit: Promise<Hit | string>) => void;
}

const programs = new AsyncLocalStorage<Collected>();
let isCollecting = false;

function runBehindRelay(clause: ProgramClause, express: Express, mayLackResponse: boolean): RequestListener {
  const collected: Collected = { warned: [], logged: [], rejections: [] };
  collect(clause.program, collected);
  const calls: Call[] = [];
  let onCall = (): void => {};
  let isEnded = false;
  let isStale = false;
  const send = (app: App, { method, target }: Sent): Promise<Hit | string> =>
    new Promise((resolve) => {
      calls.push({ app, line: `${method} ${target}`, resolve });
      onCall();
    });
  const returned = programs.run(collected, () => runProgram(clause, express, send, collected));
  const ended = returned.then(() => {
    isEnded = true;
    onCall();
  });

  async function nextCall(): Promise<Call | undefined> {
    while (calls.length === 0 && !isEnded) {
      await new Promise<void>((resolve) => {
        onCall = resolve;
      });
    }
    return calls.shift();
  }

  return async (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === RETURNED) {
      await ended;
      res.end(isStale ? `spec/express4.json lists other requests: ${STALE}` : await returned);
      return;
    }
    const call = await nextCall();
    isStale ||= call?.line !== `${req.method} ${req.url}`;
    if (!call) {
      res.statusCode = 410;
      res.end('The application ended without this request');
      return;
    }
    call.resolve(readHit(req, mayLackResponse ? HIT_PATIENCE : undefined));
    programs.run(collected, () => call.app(req, res));
  };
}

function collect(program: string, { logged, rejections }: Collected): void {
  if (!isCollecting) {
    isCollecting = true;
    process.on('deprecation' as never, ({ namespace, message }: Error & { namespace: string }) => {
      programs.getStore()?.warned.push(`${namespace}: ${message}`);
    });
  }
  // Both changes affect the whole process, so such a scenario runs in its own process (`NEEDS_PROCESS`).
  if (program.includes('logged'))
    console.error = (...args: unknown[]) => logged.push(args.map((arg) => inspect(arg)).join(' '));
  if (program.includes('rejections'))
    process.on('unhandledRejection', (reason) => rejections.push((reason as Error).message));
}

/** Reads the response that the application writes; `NO_ANSWER` if it writes none in time. */
async function readHit(req: IncomingMessage, patience: number | undefined): Promise<Hit | string> {
  const response = await (req.socket instanceof Socket
    ? readSocket(req, patience)
    : readStream(req, patience));
  return response ? toHit(response) : NO_ANSWER;
}

/** Returns a response as applications of spec/express4.json see it. */
export function toHit({ status, headers: list, body }: Received): Hit {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of list) {
    const key = name.toLowerCase();
    const before = headers[key];
    if (key === 'set-cookie') headers[key] = [...((before as string[]) ?? []), value];
    else headers[key] = before === undefined ? value : `${before}, ${value}`;
  }
  return { status, type: headers['content-type'] as string | undefined, headers, body: body.toString() };
}

type Received = Pick<ReceivedResponse, 'status' | 'headers' | 'body'>;

/** Over HTTP/1.1: parses the bytes that Node.js writes to the socket. */
async function readSocket(
  { socket, method = 'GET' }: IncomingMessage,
  patience: number | undefined,
): Promise<Received | undefined> {
  const copy = new PassThrough();
  const write = socket.write;
  socket.write = function (this: Socket, chunk: string | Uint8Array, ...rest: unknown[]) {
    copy.write(typeof chunk === 'string' ? Buffer.from(chunk, encodingOf(rest[0])) : chunk);
    return Reflect.apply(write, this, [chunk, ...rest]) as boolean;
  } as typeof write;
  socket.once('close', () => copy.end());
  const inbox = new Inbox(copy as never);
  const timer = patience && setTimeout(() => inbox.fail('silent'), patience);
  try {
    return await readRaw(inbox, method);
  } catch (error) {
    if (error instanceof IncompleteResponse) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The stream of a response over HTTP/2 or fetch, see src/transports. */
interface ResponseStream extends Duplex {
  /** @param head The headers with `:status` over HTTP/2, or `{ status, headers }` over fetch. */
  respond(
    head: OutgoingHttpHeaders & { headers?: OutgoingHttpHeaders; status?: number },
    ...rest: unknown[]
  ): void;
}

/** Over HTTP/2 and fetch: collects the head and the data that the response writes to its stream. */
function readStream(
  { socket }: IncomingMessage,
  patience: number | undefined,
): Promise<Received | undefined> {
  const { stream } = socket as unknown as { stream: ResponseStream };
  const { respond, write } = stream;
  const body: Buffer[] = [];
  let head: Omit<Received, 'body'> | undefined;
  stream.respond = function (this: ResponseStream, given, ...rest) {
    const { ':status': status = given.status, ...fields } = given.headers ?? given;
    const headers = Object.entries(fields).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)] as const),
    );
    head = { status: Number(status), headers };
    return respond.call(this, given, ...rest);
  };
  stream.write = function (this: ResponseStream, chunk: string | Uint8Array, ...rest: unknown[]) {
    body.push(typeof chunk === 'string' ? Buffer.from(chunk, encodingOf(rest[0])) : Buffer.from(chunk));
    return Reflect.apply(write, this, [chunk, ...rest]) as boolean;
  } as typeof write;
  return new Promise((resolve) => {
    const timer = patience && setTimeout(resolve, patience, undefined);
    const settle = (): void => {
      clearTimeout(timer);
      // Resolve in `setImmediate`, because finalhandler logs errors in an earlier `setImmediate`.
      setImmediate(
        resolve,
        head && stream.writableEnded ? { ...head, body: Buffer.concat(body) } : undefined,
      );
    };
    // Node.js emits `finish` before the head of a HEAD response, and may emit `close` before `finish`.
    stream.on('finish', () => head && settle());
    stream.once('close', settle);
  });
}

function encodingOf(given: unknown): BufferEncoding {
  return typeof given === 'string' ? (given as BufferEncoding) : 'utf8';
}
