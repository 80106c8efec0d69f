/**
 * Creates the scenarios of the clauses of Express 4. Each runs the application of its clause (spec/express4.json).
 * The client of the scenario sends the requests of `hit` in the same order, and finally requests the result of the
 * application.
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
import { ROOT } from '../implementations/implementations';
import {
  type App,
  type Clause,
  type Collected,
  type Express,
  HIT_PATIENCE,
  type Hit,
  NO_ANSWER,
  runProgram,
} from './program';
import { type Scenario, scenario } from './scenario';

/** A clause of spec/express4.json. */
interface ProgramClause extends Clause {
  readonly area: string;
  readonly text: string;
  /** The result of the application on Express 4.22.3. */
  readonly express4: string;
  /** The requests of the application on Express 4.22.3: `["POST /x", headers, body]`. */
  readonly requests: ReadonlyArray<readonly unknown[]>;
}

/** The target whose response is the result of the application. */
const RETURNED = '/-/returned';
/** Matches applications that change or observe state of the whole process. */
const NEEDS_PROCESS = /\b(logged|rejections|mime\.define|Router\.own)\b/;
/** How many milliseconds the client waits if no response comes. */
const CLIENT_PATIENCE = 1000;

/** The scenarios of one area of spec/express4.json, by its letter. */
export function programScenarios(area: string): Scenario[] {
  // Read at run time, not imported: the package contains this module, but not that file.
  const file = readFileSync(join(ROOT, 'spec', 'express4.json'), 'utf8');
  const { clauses } = JSON.parse(file) as { clauses: ProgramClause[] };
  return clauses.filter((clause) => clause.area === area).map(programScenario);
}

function programScenario(clause: ProgramClause): Scenario {
  const isUnanswered = clause.express4.includes(`'${NO_ANSWER}'`);
  const made = scenario({
    name: clause.text,
    clauses: [clause.id],
    build: ({ framework }) => runBehindRelay(clause, framework as never, isUnanswered),
    requests: [...clause.requests.map(toRequest), get(RETURNED)],
    ...(NEEDS_PROCESS.test(clause.program) && { alone: true }),
    ...(isUnanswered && { patience: CLIENT_PATIENCE }),
  });
  return { ...made, series: '4.x' };
}

function toRequest([line, headers, body]: readonly unknown[]): Request {
  const [method, target] = (line as string).split(' ') as [string, string];
  const pairs = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
  const content = isBase64(body) ? Buffer.from(body.base64, 'base64') : (body as string | undefined);
  return request(method, target, content, Object.fromEntries(pairs) as HeaderRecord);
}

function isBase64(body: unknown): body is { base64: string } {
  return typeof body === 'object' && body !== null;
}

/** A call of `hit` that waits for the request of the client. */
interface Call {
  readonly app: App;
  readonly resolve: (hit: Promise<Hit | string>) => void;
}

const programs = new AsyncLocalStorage<Collected>();
let isCollecting = false;

function runBehindRelay(clause: ProgramClause, express: Express, isUnanswered: boolean): RequestListener {
  const collected: Collected = { warned: [], logged: [], rejections: [] };
  collect(clause.program, collected);
  const calls: Call[] = [];
  let onCall = (): void => {};
  let isEnded = false;
  const send = (app: App): Promise<Hit | string> =>
    new Promise((resolve) => {
      calls.push({ app, resolve });
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
      res.end(await returned);
      return;
    }
    const call = await nextCall();
    if (!call) {
      res.statusCode = 410;
      res.end('The program has ended without this request');
      return;
    }
    call.resolve(readHit(req, isUnanswered ? HIT_PATIENCE : undefined));
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
  // These scenarios run in a process of their own.
  if (program.includes('logged'))
    console.error = (...args: unknown[]) => logged.push(args.map((arg) => inspect(arg)).join(' '));
  if (program.includes('rejections'))
    process.on('unhandledRejection', (reason) => rejections.push((reason as Error).message));
}

/** Reads the response to a request. */
async function readHit(req: IncomingMessage, patience: number | undefined): Promise<Hit | string> {
  const response = await (req.socket instanceof Socket
    ? readSocket(req, patience)
    : readStream(req, patience));
  if (!response) return NO_ANSWER;
  const { status, headers: list, body } = response;
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

/** Over HTTP/1.1: the bytes that Node.js writes to the socket. */
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

/** The stream of a request over HTTP/2 or fetch (src/transports). */
interface ResponseStream extends Duplex {
  /** @param head Over HTTP/2 the headers with `:status`, over fetch an object that contains them. */
  respond(
    head: OutgoingHttpHeaders & { headers?: OutgoingHttpHeaders; status?: number },
    ...rest: unknown[]
  ): void;
}

/** Over HTTP/2 and fetch: the data that the response writes to its stream. */
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
      // Later, because finalhandler must first log the error of the application.
      setImmediate(
        resolve,
        head && stream.writableEnded ? { ...head, body: Buffer.concat(body) } : undefined,
      );
    };
    // Node.js ends the stream of a HEAD request before the response, and may close a stream before it emits `finish`.
    stream.on('finish', () => head && settle());
    stream.once('close', settle);
  });
}

function encodingOf(given: unknown): BufferEncoding {
  return typeof given === 'string' ? (given as BufferEncoding) : 'utf8';
}
