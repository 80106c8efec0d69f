/** What the client sends and receives, and how the connection ended. Types only. */

export type HeaderList = ReadonlyArray<readonly [name: string, value: string]>;

export interface Head {
  readonly version: string;
  readonly status: number;
  readonly reason: string;
  readonly headers: HeaderList;
}

export type Framing = 'length' | 'chunked' | 'close' | 'none';

export interface ReceivedResponse extends Head {
  /** Heads of earlier 1xx responses. */
  readonly interim: readonly Head[];
  readonly framing: Framing;
  readonly body: Buffer;
  /** Number of bytes sent, if `body` is decoded. */
  readonly encodedLength?: number;
  /** Whether the body contains stack frames: their paths change its length. */
  readonly hasFrames?: boolean;
  readonly trailers: HeaderList;
}

/**
 * The state of the connection after the response: kept for another request · closed by the server · reset · silent
 * until the client's timeout · left by the client, as the request demands.
 */
export type ConnectionOutcome = 'kept' | 'closed' | 'reset' | 'silent' | 'left';

export interface Exchange {
  readonly request: Request;
  /** Counts from 1 within the scenario. */
  readonly connection: number;
  /** The part that arrived; empty if nothing did. */
  readonly response: Partial<ReceivedResponse>;
  readonly outcome: ConnectionOutcome;
  /** Why the response is incomplete. */
  readonly fault?: string;
  /** Bytes after the last response of a connection, which HTTP does not define. */
  readonly surplus?: Buffer;
  /** Uncaught errors, thrown while this was the last request. */
  readonly uncaught?: readonly string[];
  /** The first header of this name in the response. */
  header(name: string): string | undefined;
}

/** When the client leaves: after writing the request · after the head of the response · after so many bytes of it. */
export type Abort = 'sent' | 'head' | number;

export interface Request {
  readonly kind: 'request';
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: HeaderList;
  /** The body as sent, chunk sizes included. */
  readonly payload: Buffer;
  /** Set by `raw()`: sent instead of the members above, which are parsed from it. */
  readonly bytes?: Buffer;
  readonly abort?: Abort;
}
