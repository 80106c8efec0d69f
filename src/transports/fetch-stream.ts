/**
 * The stream of a fetch request: its readable side is the body of a `Request`, its writable side the body of a
 * `Response`.
 */
import { Duplex } from 'node:stream';
import { isError, withCode } from '../wire/error-code';
import type { Head, Transport } from './exchange';

type Callback = (err?: Error | null) => void;

/** For these statuses, the class `Response` of fetch throws if there is a body, even an empty one. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

export class FetchStream extends Duplex {
  /**
   * Fulfilled when the first part of the body is written or the response ends. Rejected if the stream closes before.
   */
  readonly response: Promise<Response>;
  isAborted = false;
  private readonly reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  private resolve!: (response: Response) => void;
  private reject!: (err: unknown) => void;
  private head: Head | undefined;
  /** Whether `response` has resolved with the head. */
  private isOpen = false;
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** The callback of a write that waits until the client reads. */
  private onWanted: Callback | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(body: ReadableStream<Uint8Array> | null) {
    super({ readable: body !== null });
    this.reader = body?.getReader();
    this.response = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  respond(head: Head): void {
    this.head = head;
    if (head.isWhole || WITHOUT_BODY.has(head.status)) this.open(head, null);
  }

  /** Discards the rest of the request body. */
  refuseRest(): void {
    this.reader?.cancel().catch(ignore);
    this.push(null);
    this.resume();
  }

  setTimeout(ms: number): void {
    clearTimeout(this.timer);
    if (ms > 0) this.timer = setTimeout(() => this.emit('timeout'), ms).unref();
  }

  override _read(): void {
    this.timer?.refresh();
    this.reader?.read().then(
      ({ done, value }) => {
        if (this.readableEnded || this.destroyed) return;
        this.push(done ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      },
      (err) => this.abort(err),
    );
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.timer?.refresh();
    const { head } = this;
    if (this.controller) this.enqueue(chunk, callback);
    else if (!head || this.isOpen) callback();
    // Later, because a body that ends with its first write needs no stream.
    else process.nextTick(() => this.writeFirst(head, chunk, callback));
  }

  private writeFirst(head: Head, chunk: Buffer, callback: Callback): void {
    if (this.destroyed) return callback();
    if (this.controller) return this.enqueue(chunk, callback);
    if (this.writableEnded && this.writableLength === chunk.length) {
      this.open(head, new Uint8Array(chunk));
      return callback();
    }
    this.openBody(head);
    this.enqueue(chunk, callback);
  }

  /** Resolves `response` before there is a body, for `res.flushHeaders()`. */
  flushHead(): void {
    const { head } = this;
    if (head && !this.isOpen) this.openBody(head);
  }

  private openBody(head: Head): void {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.controller = controller;
      },
      pull: () => {
        const { onWanted } = this;
        this.onWanted = undefined;
        onWanted?.();
      },
      cancel: () => this.abort(),
    });
    this.open(head, body);
  }

  private enqueue(chunk: Buffer, callback: Callback): void {
    // A copy, because the application may reuse the buffer, and small buffers share memory.
    this.controller?.enqueue(new Uint8Array(chunk));
    if ((this.controller?.desiredSize ?? 1) > 0) callback();
    else this.onWanted = callback;
  }

  override _final(callback: Callback): void {
    if (this.controller) this.controller.close();
    else if (this.head && !this.isOpen) this.open(this.head, null);
    callback();
  }

  override _destroy(err: Error | null, callback: Callback): void {
    clearTimeout(this.timer);
    if (!this.writableFinished) {
      this.isAborted = true;
      const reason =
        err ??
        withCode(
          new Error(
            'the application destroyed the connection before the response was complete: look for res.destroy() or a stream that failed in the handler',
          ),
          'NOZOMI_FETCH_CLOSED',
        );
      this.reject(reason);
      this.controller?.error(reason);
    }
    if (!this.readableEnded) this.reader?.cancel().catch(ignore);
    callback(err);
  }

  /** Called when the client aborts the request or cancels the response body, or when reading the request body fails. */
  abort(reason?: unknown): void {
    if (this.destroyed) return;
    this.isAborted = true;
    this.reject(reason);
    this.destroy(isError(reason) ? reason : undefined);
  }

  private open(
    { status, statusText, headers }: Head,
    body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null,
  ): void {
    this.isOpen = true;
    const list = new Headers();
    for (const [name, value] of Object.entries(headers)) {
      for (const one of Array.isArray(value) ? value : [value]) list.append(name, String(one));
    }
    this.resolve(new Response(body, { status, statusText, headers: list }));
  }
}

export const fetchTransport: Transport<FetchStream> = {
  name: 'fetch',
  respond: (stream, head) => stream.respond(head),
  flushHead: (stream) => stream.flushHead(),
  // The fetch API has neither informational responses nor trailers.
  inform: ignore,
  sendTrailers: ignore,
  cancel(stream, err) {
    // If the application has ended the response, all of it is still sent.
    if (err || !stream.writableEnded) stream.destroy(err);
    else if (!stream.readableEnded) stream.refuseRest();
  },
  isCut: (stream) => stream.isAborted,
  refuseRest: (stream) => stream.refuseRest(),
};

function ignore(): void {}
