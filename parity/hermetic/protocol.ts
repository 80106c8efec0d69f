/** Recognises the protocol of a database, and splits a connection to it into questions and replies. */
export interface Protocol {
  /** Whether these are the first bytes that a client of this protocol sends. */
  starts(first: Buffer): boolean;
  /** Reads one side of one connection; a connection has a reader of its own. */
  open(): Connection;
}

export interface Connection {
  /** Takes bytes of the client. @returns The questions that are complete now. */
  ask(bytes: Buffer): Question[];
  /** Takes bytes of the server. @returns The replies that are complete now, to the oldest questions. */
  reply(bytes: Buffer): Buffer[];
}

export interface Question {
  /** Readable, and the same for the same question. Undefined for what needs no reply of the recording. */
  readonly text: string | undefined;
  /** What to send on replay instead of a reply of the recording. */
  readonly fixed?: Buffer;
  /** How many replies follow; default 1, or 0 without a text. */
  readonly replies?: number;
}

/** Bytes that have arrived and do not yet make a message. */
export class Pending {
  #bytes = Buffer.alloc(0);

  add(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Removes bytes from the beginning, and returns them. */
  take(length: number): Buffer {
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    return taken;
  }
}
