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
  /** The heads of informational (1xx) responses, except 101. */
  readonly interim: readonly Head[];
  readonly framing: Framing;
  readonly body: Buffer;
  /** The length of the body as sent, in bytes, if `body` is decoded. */
  readonly encodedLength?: number;
  /** Whether the body contains stack frames. Their paths make its length differ between implementations. */
  readonly hasFrames?: boolean;
  readonly trailers: HeaderList;
}

/**
 * The state of the connection after the response.
 *
 * - `kept`: open for another request
 * - `closed`, `reset`: by the server
 * - `silent`: the response was not complete when the client's timeout ended
 * - `left`: the client disconnected, because of `Request.abort`
 */
export type ConnectionOutcome = 'kept' | 'closed' | 'reset' | 'silent' | 'left';

export interface Exchange {
  readonly request: Request;
  /** What was sent, if a run replaced values of `request` by its own. It is shown, but not compared. */
  readonly sent?: Request;
  /** The position of the connection within the scenario, from 1. */
  readonly connection: number;
  /** The part of the response that arrived; an empty object if nothing arrived. */
  readonly response: Partial<ReceivedResponse>;
  readonly outcome: ConnectionOutcome;
  /** Why the response is incomplete, such as `closed after 3 of 10 bytes`. */
  readonly fault?: string;
  /** Bytes that the server sent after the last response of a connection. */
  readonly surplus?: Buffer;
  /** Uncaught errors that the application threw after this request and before the next one. */
  readonly uncaught?: readonly string[];
  /** Returns the first header of the response with this name, in any letter case. */
  header(name: string): string | undefined;
}

/**
 * When the client disconnects: after it has sent the request (`sent`), after it has received the head of the response
 * (`head`), or after it has sent this many bytes of the request.
 */
export type Abort = 'sent' | 'head' | number;

export interface Request {
  readonly kind: 'request';
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: HeaderList;
  /** The body as sent, with the chunk sizes if it is chunked. */
  readonly payload: Buffer;
  /** Set by `raw()`: the client sends these bytes. The other members are parsed from them. */
  readonly bytes?: Buffer;
  readonly abort?: Abort;
  readonly expected?: Expected;
}

/**
 * What a person expects of a response: `status`, `reason`, `body` (text), `json` (the parsed body), `outcome`; all other
 * names are headers, in any letter case. A text may be given as a pattern. `undefined` means that there is no such
 * header, and a list that the header came once for each element.
 *
 *     { status: 302, location: '/x', 'content-length': '24', vary: 'Accept', etag: undefined, body: /^Found/ }
 */
export type Expected = Readonly<Record<string, unknown>>;

/** A request of a scenario, before it is sent. */
export interface PlannedRequest extends Request {
  /** Returns a copy of the request with an expectation of its response. */
  expect(expected: Expected): PlannedRequest;
}
