/** The types of requests, responses and outcomes of a connection. */

export type HeaderList = ReadonlyArray<readonly [name: string, value: string]>;

export interface Head {
  readonly version: string;
  readonly status: number;
  readonly reason: string;
  readonly headers: HeaderList;
}

export type Framing = 'length' | 'chunked' | 'close' | 'none';

export interface ReceivedResponse extends Head {
  /** The heads of informational (1xx) responses. */
  readonly interim: readonly Head[];
  readonly framing: Framing;
  readonly body: Buffer;
  /** The number of bytes sent, if `body` is decoded. */
  readonly encodedLength?: number;
  /** Whether the body contains stack frames, whose paths affect its length. */
  readonly hasFrames?: boolean;
  readonly trailers: HeaderList;
}

/**
 * The state of the connection after the response: `kept` for another request, `closed` by the server, `reset`,
 * `silent` until the client's timeout, or `left` by the client because the request requires it.
 */
export type ConnectionOutcome = 'kept' | 'closed' | 'reset' | 'silent' | 'left';

export interface Exchange {
  readonly request: Request;
  /** The number of the connection within the scenario, from 1. */
  readonly connection: number;
  /** The part of the response that arrived; empty if none did. */
  readonly response: Partial<ReceivedResponse>;
  readonly outcome: ConnectionOutcome;
  /** The reason why the response is incomplete. */
  readonly fault?: string;
  /** Bytes after the last response of a connection, which belong to no response. */
  readonly surplus?: Buffer;
  /** Uncaught errors that were thrown while this was the last request. */
  readonly uncaught?: readonly string[];
  /** The first header of this name in the response. */
  header(name: string): string | undefined;
}

/**
 * When the client disconnects: after it has sent the request, after the head of the response, or after that many
 * bytes of the response.
 */
export type Abort = 'sent' | 'head' | number;

export interface Request {
  readonly kind: 'request';
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: HeaderList;
  /** The body as it is sent, with chunk sizes. */
  readonly payload: Buffer;
  /** Set by `raw()`: the client sends these bytes. The other members are parsed from them. */
  readonly bytes?: Buffer;
  readonly abort?: Abort;
}
