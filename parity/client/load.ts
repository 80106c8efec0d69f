/**
 * The HTTP/1.1 client of `--time` and of the benchmarks. It sends one request again and again, and only looks for the
 * ends of the responses. A client that needs more CPU time lets the server wait between requests, and waking it costs
 * the same with each implementation, which hides a part of the difference.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connectTo } from './connect';
import type { ServerAddress } from './request';

/** A request to repeat, and what its response was. */
export interface Repeated {
  readonly bytes: string | Buffer;
  readonly isHead: boolean;
  readonly status: number;
  /** The length of the body in bytes. */
  readonly length: number;
}

export interface Sample {
  /** CPU microseconds per request of the server process. */
  readonly cpu: number;
  /** Requests per second, measured by the client. */
  readonly throughput: number;
}

/** Thrown if a repeated request gets another response than before. */
export class OtherResponse extends Error {}

/** How many connections send requests at once. With one, the server waits for the client after each response. */
export const CONNECTIONS = 8;
/** Options of Node.js for measured processes. V8 otherwise resizes the young generation of each process differently. */
export const YOUNG_GENERATION: readonly string[] = ['--min-semi-space-size=16', '--max-semi-space-size=16'];
/** Milliseconds without a byte of a response. */
const PATIENCE = 10_000;
/** How many bytes the length of a body may vary by, because it contains a time or a random value. */
const SLACK = 64;

/** A few keep-alive connections to a server. Each has one request in flight. */
export class Connections {
  readonly #server: ServerAddress;
  readonly #sockets: Socket[] = [];

  constructor(server: ServerAddress) {
    this.#server = server;
  }

  /**
   * Sends a request so often that each connection sends it equally often.
   *
   * @param count How often at least.
   * @param usage Returns the CPU time of the server in microseconds; default: it is not measured.
   * @throws OtherResponse if a response has another status or length, or does not come. The connections are then closed.
   */
  async measure(
    repeated: Repeated,
    count: number,
    usage: () => Promise<number> = async () => 0,
  ): Promise<Sample> {
    for (let i = 0; i < CONNECTIONS; i++)
      if (this.#sockets[i]?.destroyed !== false) this.#sockets[i] = await this.#connect();
    const share = Math.ceil(count / CONNECTIONS);
    const [before, started] = [await usage(), performance.now()];
    try {
      await Promise.all(this.#sockets.map((socket) => repeat(socket, repeated, share)));
    } catch (error) {
      this.close();
      throw error;
    }
    const seconds = (performance.now() - started) / 1000;
    const sent = share * CONNECTIONS;
    return { cpu: ((await usage()) - before) / sent, throughput: sent / seconds };
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async #connect(): Promise<Socket> {
    const socket = connectTo(this.#server);
    await once(socket, 'encrypted' in socket ? 'secureConnect' : 'connect');
    // The server may reset a connection between two calls of `measure`. Node.js then also emits `close`.
    return socket.on('error', () => {});
  }
}

function repeat(socket: Socket, repeated: Repeated, count: number): Promise<void> {
  const { bytes, status, length } = repeated;
  return new Promise((resolve, reject) => {
    let left = count;
    let response = new ResponseEnd(repeated.isHead);
    const finish = (problem?: string): void => {
      socket.off('data', onData).off('close', onClose).off('timeout', onTimeout);
      if (problem === undefined) resolve();
      else reject(new OtherResponse(problem));
    };
    const onClose = (): void => finish('the server closes the connection');
    const onTimeout = (): void => finish(`no complete response within ${PATIENCE / 1000} s`);
    const onData = (chunk: Buffer): void => {
      if (!response.read(chunk)) return;
      if (response.status !== status) return finish(`${status} → ${response.status}`);
      if (Math.abs(response.length - length) > SLACK) return finish(`${length} → ${response.length} bytes`);
      if (--left === 0) return finish();
      response = new ResponseEnd(repeated.isHead);
      socket.write(bytes);
    };
    socket.on('data', onData).on('close', onClose).on('timeout', onTimeout);
    socket.setTimeout(PATIENCE);
    socket.write(bytes);
  });
}

/** Finds the end of a response on a keep-alive connection. RFC 9112 §6.3 */
class ResponseEnd {
  status = 0;
  length = 0;
  readonly #isHead: boolean;
  /** The head, or the line of a chunked body, as far as it has arrived. */
  #line = '';
  /** Bytes to come: of the body, or of a chunk with its line end. */
  #left = 0;
  #part: 'head' | 'body' | 'chunks' | 'trailers' = 'head';

  constructor(isHead: boolean) {
    this.#isHead = isHead;
  }

  /** @returns Whether the response is complete. */
  read(bytes: Buffer): boolean {
    const start = this.#part === 'head' ? this.#readHead(bytes) : 0;
    if (this.#part === 'head') return false;
    if (this.#part !== 'body') return this.#readChunks(bytes, start);
    this.length += bytes.length - start;
    return this.length >= this.#left;
  }

  /** @returns Where the body begins. */
  #readHead(bytes: Buffer): number {
    const before = this.#line.length;
    this.#line += bytes.toString('latin1');
    const end = this.#line.indexOf('\r\n\r\n');
    if (end < 0) return 0;
    const head = this.#line.slice(0, end);
    this.#line = '';
    this.status = Number(head.slice(9, 12));
    this.#part = 'body';
    if (this.#isHead || this.status === 204 || this.status === 304) return end + 4 - before;
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
    if (length !== undefined) this.#left = Number(length);
    else if (/\r\ntransfer-encoding: *chunked/i.test(head)) this.#part = 'chunks';
    // Only the end of the connection ends this body.
    else this.#left = Number.POSITIVE_INFINITY;
    return end + 4 - before;
  }

  #readChunks(bytes: Buffer, start: number): boolean {
    for (let at = start; at < bytes.length; ) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, bytes.length - at);
        this.#left -= taken;
        at += taken;
        continue;
      }
      const end = bytes.indexOf('\n', at) + 1;
      this.#line += bytes.toString('latin1', at, end || bytes.length);
      if (end === 0) return false;
      at = end;
      if (this.#part === 'trailers' && this.#line === '\r\n') return true;
      if (this.#part === 'chunks') this.#startChunk(Number.parseInt(this.#line, 16));
      this.#line = '';
    }
    return false;
  }

  #startChunk(size: number): void {
    this.length += size;
    if (size === 0) this.#part = 'trailers';
    else this.#left = size + 2;
  }
}
