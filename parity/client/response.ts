/** Reads HTTP/1.1 responses from a socket, with the order and spelling of their headers. RFC 9112 */
import type { Socket } from 'node:net';
import type { Framing, Head, HeaderList, ReceivedResponse } from './messages';

/**
 * Thrown if the connection ends, times out or delivers malformed data before the response is complete, or if the client
 * disconnects.
 */
export class IncompleteResponse extends Error {
  readonly partial: Partial<ReceivedResponse>;

  constructor(message: string, partial: Partial<ReceivedResponse> = {}) {
    super(message);
    this.partial = partial;
  }
}

/** Buffers the bytes that arrive on a socket until they are read. */
export class Inbox {
  ended = false;
  broken: string | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  /** Chunks that are not yet part of `#bytes`. A long body is then concatenated once, not for each chunk. */
  #news: Buffer[] = [];
  #length = 0;
  #wake: (() => void) | undefined;

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.#news.push(chunk);
      this.#length += chunk.length;
      this.#wake?.();
    });
    socket.on('end', () => this.#finish());
    socket.on('error', (error: NodeJS.ErrnoException) =>
      this.fail(error.code === 'ECONNRESET' ? 'reset' : error.message),
    );
    socket.on('close', () => this.#finish());
  }

  /** Makes each read fail that needs more bytes than have arrived. Only the first call sets the message. */
  fail(message: string): void {
    this.broken ??= message;
    this.#finish();
  }

  /** Reads a line, without its CRLF. */
  async line(): Promise<string> {
    let end = this.#whole().indexOf('\r\n');
    while (end < 0) {
      await this.#more('in a line');
      end = this.#whole().indexOf('\r\n');
    }
    const line = this.#take(end).toString('latin1');
    this.#take(2);
    return line;
  }

  async exactly(length: number): Promise<Buffer> {
    while (this.#length < length) await this.#more(`after ${this.#length} of ${length} bytes`);
    return this.#take(length);
  }

  async untilEnd(): Promise<Buffer> {
    while (!this.ended) await this.#more('');
    if (this.broken) throw new IncompleteResponse(this.broken);
    return this.rest();
  }

  rest(): Buffer {
    return this.#take(this.#length);
  }

  /** Resolves when the server has closed the connection, or after `fail()`. */
  async closed(): Promise<void> {
    while (!this.ended) await this.#more('');
  }

  #take(length: number): Buffer {
    const bytes = this.#whole();
    this.#bytes = bytes.subarray(length);
    this.#length = this.#bytes.length;
    return bytes.subarray(0, length);
  }

  #whole(): Buffer {
    if (this.#news.length > 0) this.#bytes = Buffer.concat([this.#bytes, ...this.#news.splice(0)]);
    return this.#bytes;
  }

  #finish(): void {
    this.ended = true;
    this.#wake?.();
  }

  async #more(where: string): Promise<void> {
    if (this.ended) throw new IncompleteResponse(this.broken ?? `closed ${where}`);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}

/**
 * Reads the next response from a connection.
 *
 * @param method The method of the request. It determines, with the status, whether the response has a body. RFC 9112 §6.3
 * @param onHead Called with each head that arrives, also with informational (1xx) ones.
 * @throws IncompleteResponse if the response is not complete. The error contains the part that arrived.
 */
export async function readResponse(
  inbox: Inbox,
  method: string,
  onHead: (head: Head) => void = () => {},
): Promise<ReceivedResponse> {
  const interim: Head[] = [];
  let partial: Partial<ReceivedResponse> = {};
  try {
    let head = await readHead(inbox);
    onHead(head);
    while (head.status < 200 && head.status !== 101) {
      interim.push(head);
      head = await readHead(inbox);
      onHead(head);
    }
    const framing = framingOf(head, method);
    partial = { ...head, interim, framing };
    if (framing === 'chunked') return { ...head, interim, framing, ...(await readChunks(inbox)) };
    const body = await readBody(inbox, framing, head);
    return { ...head, interim, framing, body, trailers: [] };
  } catch (error) {
    if (!(error instanceof IncompleteResponse)) throw error;
    throw new IncompleteResponse(error.message, { ...partial, body: inbox.rest(), ...error.partial });
  }
}

async function readHead(inbox: Inbox): Promise<Head> {
  const line = await inbox.line();
  const match = /^(HTTP\/\d\.\d) (\d{3}) ?(.*)$/.exec(line);
  if (!match) throw new IncompleteResponse(`not a status line: ${JSON.stringify(line.slice(0, 80))}`);
  const [, version = '', status = '', reason = ''] = match;
  return { version, status: Number(status), reason, headers: await readHeaders(inbox) };
}

async function readHeaders(inbox: Inbox): Promise<HeaderList> {
  const headers: Array<readonly [string, string]> = [];
  for (let line = await inbox.line(); line !== ''; line = await inbox.line()) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new IncompleteResponse(`not a header: ${JSON.stringify(line.slice(0, 80))}`);
    headers.push([line.slice(0, colon), line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, '')]);
  }
  return headers;
}

function framingOf(head: Head, method: string): Framing {
  if (method === 'HEAD' || head.status === 204 || head.status === 304 || head.status === 101) return 'none';
  if (/chunked$/i.test(headerOf(head.headers, 'transfer-encoding') ?? '')) return 'chunked';
  return headerOf(head.headers, 'content-length') === undefined ? 'close' : 'length';
}

function readBody(inbox: Inbox, framing: Framing, head: Head): Promise<Buffer> {
  if (framing === 'close') return inbox.untilEnd();
  return inbox.exactly(framing === 'none' ? 0 : Number(headerOf(head.headers, 'content-length')));
}

async function readChunks(inbox: Inbox): Promise<{ body: Buffer; trailers: HeaderList }> {
  const chunks: Buffer[] = [];
  try {
    for (;;) {
      const line = await inbox.line();
      if (!/^[0-9a-fA-F]+(;.*)?$/.test(line))
        throw new IncompleteResponse(`not a chunk size: ${JSON.stringify(line)}`);
      const size = Number.parseInt(line, 16);
      if (size === 0) return { body: Buffer.concat(chunks), trailers: await readHeaders(inbox) };
      chunks.push(await inbox.exactly(size));
      await inbox.exactly(2);
    }
  } catch (error) {
    if (!(error instanceof IncompleteResponse)) throw error;
    throw new IncompleteResponse(error.message, { body: Buffer.concat(chunks) });
  }
}

/** Returns the first header with this name, in any letter case. */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
}
