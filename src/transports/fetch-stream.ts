/** The stream of a fetch request: its readable side is the `Request`, its writable side the `Response`. */
import { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers';
import { isError, withCode } from '../internal/error-code';
import { ignore } from '../internal/ignore';
import type { Head, Transport } from './exchange';

type Callback = (err?: Error | null) => void;

/** For these statuses, the class `Response` of fetch throws if there is a body, even an empty one. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Aborts a stream when the body of its response was collected as garbage, so that the caller can no longer read it. */
const unread = new FinalizationRegistry<FetchStream>((stream) => stream.abort());

/** The methods that settle a promise of a response. */
interface Settle {
  resolve(response: Response): void;
  reject(err: unknown): void;
}

/** A chunk that waits until the client reads. */
interface Waiting {
  readonly chunk: Buffer;
  readonly callback: Callback;
}

/**
 * While no read of the response body waits, the stream has no reference to the `Response` and its body. So they can be
 * collected if the caller drops them, although the stream itself is still in use.
 */
export class FetchStream extends Duplex {
  isAborted = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #settle: Settle | undefined;
  #head: Head | undefined;
  /** Whether the promise of the response has resolved with the head. */
  #isOpen = false;
  /** Whether the response has a `ReadableStream` as its body. */
  #hasBody = false;
  /** Whether the application has written the whole body, and the client has read it. */
  #isComplete = false;
  /** The controller of the response body while the client waits for data. */
  #wanted: ReadableStreamDefaultController<Uint8Array> | undefined;
  #waiting: Waiting | undefined;
  #failure: unknown;
  #timer: NodeJS.Timeout | undefined;

  constructor(body: ReadableStream<Uint8Array> | null) {
    super({ readable: body !== null });
    this.#reader = body?.getReader();
  }

  /**
   * Call this method once, before the response begins.
   *
   * @returns A promise of the response. Fulfilled when the first part of the body is written or the response ends.
   *   Rejected if the stream closes before.
   */
  response(): Promise<Response> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  respond(head: Head): void {
    this.#head = head;
    if (head.isWhole || WITHOUT_BODY.has(head.status)) this.#open(head, null);
  }

  /** Discards the rest of the request body. */
  refuseRest(): void {
    this.#reader?.cancel().catch(ignore);
    this.push(null);
    this.resume();
  }

  setTimeout(ms: number): void {
    clearTimeout(this.#timer);
    if (ms > 0) this.#timer = setTimeout(() => this.emit('timeout'), ms).unref();
  }

  override _read(): void {
    this.#timer?.refresh();
    this.#reader?.read().then(
      ({ done, value }) => {
        if (this.readableEnded || this.destroyed) return;
        this.push(done ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      },
      (err) => this.abort(err),
    );
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: Callback): void {
    this.#timer?.refresh();
    const head = this.#head;
    if (this.#hasBody) this.#offer(chunk, callback);
    else if (!head || this.#isOpen) callback();
    // Later, because a body that ends with its first write needs no stream.
    else process.nextTick(() => this.#writeFirst(head, chunk, callback));
  }

  #writeFirst(head: Head, chunk: Buffer, callback: Callback): void {
    if (this.destroyed) return callback();
    if (this.#hasBody) return this.#offer(chunk, callback);
    if (this.writableEnded && this.writableLength === chunk.length) {
      this.#open(head, new Uint8Array(chunk));
      return callback();
    }
    this.#openBody(head);
    this.#offer(chunk, callback);
  }

  /** Resolves the promise of the response before there is a body, for `res.flushHeaders()`. */
  flushHead(): void {
    const head = this.#head;
    if (head && !this.#isOpen) this.#openBody(head);
  }

  #openBody(head: Head): void {
    this.#hasBody = true;
    const body = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: () => this.abort() },
      { highWaterMark: 0 },
    );
    unread.register(body, this, this);
    this.#open(head, body);
  }

  /** Keeps a chunk until the client reads. */
  #offer(chunk: Buffer, callback: Callback): void {
    this.#waiting = { chunk, callback };
    this.#answer();
  }

  /** Called when the client reads. */
  #pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#wanted = controller;
    this.#answer();
  }

  /** Gives a client that waits the next chunk, the end or the error. */
  #answer(): void {
    const wanted = this.#wanted;
    const waiting = this.#waiting;
    if (!wanted || !(waiting || this.#isComplete || this.destroyed)) return;
    this.#wanted = undefined;
    this.#waiting = undefined;
    // A copy, because the application may reuse the buffer, and small buffers share memory.
    if (waiting) wanted.enqueue(new Uint8Array(waiting.chunk));
    else if (this.#isComplete) wanted.close();
    else wanted.error(this.#failure);
    waiting?.callback();
  }

  override _final(callback: Callback): void {
    this.#isComplete = true;
    if (this.#head && !this.#isOpen) this.#open(this.#head, null);
    this.#answer();
    callback();
  }

  override _destroy(err: Error | null, callback: Callback): void {
    clearTimeout(this.#timer);
    if (this.#hasBody) unread.unregister(this);
    if (!this.writableFinished) {
      this.isAborted = true;
      this.#failure =
        err ??
        withCode(
          new Error(
            'the application destroyed the connection before the response was complete: look for res.destroy() or a stream that failed in the handler',
          ),
          'NOZOMI_FETCH_CLOSED',
        );
      this.#settle?.reject(this.#failure);
      this.#settle = undefined;
      this.#waiting = undefined;
      this.#answer();
    }
    if (!this.readableEnded) this.#reader?.cancel().catch(ignore);
    callback(err);
  }

  /** Called when the client aborts the request or cancels the response body, or when reading the request body fails. */
  abort(reason?: unknown): void {
    if (this.destroyed) return;
    this.isAborted = true;
    this.#settle?.reject(reason);
    this.#settle = undefined;
    this.destroy(isError(reason) ? reason : undefined);
  }

  #open(
    { status, statusText, headers }: Head,
    body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null,
  ): void {
    this.#isOpen = true;
    const list = new Headers();
    for (const [name, value] of Object.entries(headers)) {
      for (const one of Array.isArray(value) ? value : [value]) list.append(name, String(one));
    }
    this.#settle?.resolve(new Response(body, { status, statusText, headers: list }));
    this.#settle = undefined;
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
