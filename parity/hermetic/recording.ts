/**
 * Writes and reads the file of `record --outgoing`: what an application sent to databases and other services, with their
 * replies. `--hermetic` replies from it.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

export interface Replied {
  /** The question as text: `GET https://…`, `redis GET user:7`. The same question can come several times. */
  readonly question: string;
  readonly reply: Reply;
}

export interface Reply {
  /** The bytes, in base64. */
  readonly bytes: string;
  /** Only for HTTP. */
  readonly status?: number;
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>;
}

const FORMAT = 'nozomi-outgoing-1';

/** Collects questions with their replies, and writes them when the process ends. */
export class OutgoingRecorder {
  readonly #all: Replied[] = [];
  readonly #skipped = new Set<string>();

  constructor(file: string) {
    process.once('exit', () => {
      // Only the owner can read it: it contains the data of databases and services.
      writeFileSync(file, `${JSON.stringify({ format: FORMAT, replies: this.#all }, null, 1)}\n`, {
        mode: 0o600,
      });
      const lines = [`recorded ${this.#all.length} outgoing questions in ${file}`];
      for (const what of this.#skipped) lines.push(`not recorded: ${what}`);
      process.stderr.write(`${lines.join('\n  ')}\n`);
    });
  }

  add(question: string, bytes: Uint8Array, fields: Omit<Reply, 'bytes'> = {}): void {
    this.#all.push({ question, reply: { ...fields, bytes: Buffer.from(bytes).toString('base64') } });
  }

  /** Notes that something cannot be recorded, to tell the user. */
  skip(what: string): void {
    this.#skipped.add(what);
  }
}

/** Replies to questions from a recording: the nth time with the nth reply, and more often with the last one. */
export class OutgoingReplies {
  readonly #replies = new Map<string, Reply[]>();
  readonly #asked = new Map<string, number>();
  readonly #unknown: string;

  /** @param unknown The file that gets a line for each question without a reply. */
  constructor(file: string, unknown: string) {
    for (const { question, reply } of readRecording(file)) {
      const known = this.#replies.get(question);
      if (known) known.push(reply);
      else this.#replies.set(question, [reply]);
    }
    this.#unknown = unknown;
  }

  /** @returns Undefined if the recording has no reply. The command then reports the question. */
  reply(question: string): Reply | undefined {
    const replies = this.#replies.get(question);
    if (!replies) {
      appendFileSync(this.#unknown, `${JSON.stringify(question)}\n`);
      return undefined;
    }
    const count = this.#asked.get(question) ?? 0;
    this.#asked.set(question, count + 1);
    return replies[Math.min(count, replies.length - 1)];
  }
}

/** @throws TypeError if the file is no recording of `record --outgoing`. */
export function readRecording(file: string): readonly Replied[] {
  const { format, replies } = JSON.parse(readFileSync(file, 'utf8'));
  if (format !== FORMAT) throw new TypeError(`${file}: expected a file of nozomi-parity record --outgoing`);
  return replies;
}

export function bytesOf({ bytes }: Reply): Buffer {
  return Buffer.from(bytes, 'base64');
}
