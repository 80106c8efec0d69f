/**
 * Reads plain requests of a connection in place of Node.js's parser.
 *
 * Node.js's server creates the connection, with its parser, its listeners and its timeouts, and keeps them. Only the
 * listener for `data` is replaced. It delivers a plain request that has arrived in one piece. Every other piece goes to
 * the listener of Node.js. If the listener can follow where that request ends, it continues with the next one;
 * otherwise Node.js reads the connection from then on.
 *
 * Node.js's parser reads the first request of each connection, so that it knows that the connection is not waiting for
 * its first request any more.
 */
import { AsyncResource } from 'node:async_hooks';
import http, { type Server } from 'node:http';
import { type Connection, deliver, type Parser, type Reader, type RequestConstructor } from './deliver';
import { type Fields, MAX_HEAD, readHead } from './read-request';

interface State extends Reader {
  /** The listener of Node.js for `data`. */
  readonly read: (chunk: Buffer) => void;
  /** Whether Node.js's parser has read a request. */
  isOpen: boolean;
  /** The headers of the last request. */
  fields: Fields | undefined;
  /** The number of bytes of the body that Node.js's parser still has to read. */
  left: number;
}

const kReader: unique symbol = Symbol('nozomi.reader');

type ReadConnection = Connection & { [kReader]?: State | undefined };

/** Reads a connection from now on. Does nothing if Node.js must read it. */
export function readConnection(server: Server, socket: ReadConnection, Request: RequestConstructor): void {
  const { parser } = socket;
  const [read, ...others] = socket.listeners('data') as Array<(chunk: Buffer) => void>;
  if (!parser || !read || others.length > 0 || !isReadable(server, parser, read)) return;
  socket[kReader] = {
    socket,
    parser,
    Request,
    context: new AsyncResource('HTTPINCOMINGMESSAGE'),
    read,
    isOpen: false,
    fields: undefined,
    left: 0,
  };
  // In this order: Node.js's parser then stops reading the socket by itself, and the socket stays in flowing mode.
  socket.on('data', onData);
  socket.off('data', read);
}

/** Whether nothing changes what Node.js's parser accepts or does. */
function isReadable(server: Server, parser: Parser, read: { name: string }): boolean {
  const { maxHeaderSize, insecureHTTPParser, httpValidation, joinDuplicateHeaders } = server;
  return (
    read.name === 'bound socketOnData' &&
    typeof parser.onIncoming === 'function' &&
    isNative(parser.execute) &&
    server.maxHeadersCount === null &&
    maxHeaderSize === undefined &&
    http.maxHeaderSize >= 2 * MAX_HEAD &&
    !insecureHTTPParser &&
    !httpValidation &&
    !joinDuplicateHeaders
  );
}

let nativeExecute: unknown;

/** Whether a function is one of Node.js itself, not of a package that replaces the parser. */
function isNative(execute: unknown): boolean {
  if (execute !== nativeExecute && Function.prototype.toString.call(execute).includes('[native code]'))
    nativeExecute = execute;
  return execute === nativeExecute;
}

function onData(this: ReadConnection, chunk: Buffer): void {
  const { [kReader]: reader } = this;
  if (!reader) return;
  if (reader.left > 0) {
    if (chunk.length > reader.left) return handOver(this, reader, chunk);
    reader.left -= chunk.length;
    return reader.read(chunk);
  }
  const head = readHead(chunk.toString('latin1', 0, MAX_HEAD), reader.fields);
  const end = head ? head.end + head.fields.bodyLength : 0;
  if (!head || end < chunk.length) return handOver(this, reader, chunk);
  const isRepeated = head.fields === reader.fields;
  reader.fields = head.fields;
  if (end > chunk.length || !reader.isOpen) {
    reader.isOpen = true;
    reader.left = end - chunk.length;
    return reader.read(chunk);
  }
  const body = head.end < end ? chunk.subarray(head.end) : undefined;
  try {
    deliver(reader, head, body, isRepeated);
  } catch (err) {
    fail(this, reader, chunk, err);
  }
}

/** Lets Node.js read the connection from this chunk on. */
function handOver(socket: ReadConnection, { read }: State, chunk: Buffer): void {
  restore(socket, read);
  read(chunk);
}

function restore(socket: ReadConnection, read: State['read']): void {
  socket[kReader] = undefined;
  socket.on('data', read);
  socket.off('data', onData);
}

/**
 * Brings Node.js's parser into the state that it has after a listener has thrown an error: it reads the request again,
 * and the same error is thrown. Node.js then refuses further requests of the connection.
 */
function fail(socket: ReadConnection, { parser, read }: State, chunk: Buffer, err: unknown): never {
  const { incoming, onIncoming } = parser;
  restore(socket, read);
  parser.onIncoming = () => {
    throw err;
  };
  try {
    read(chunk);
  } finally {
    parser.onIncoming = onIncoming;
    parser.incoming = incoming;
  }
  throw err;
}
