/**
 * Splits the bytes of a PostgreSQL connection into questions and replies.
 *
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import { createHash } from 'node:crypto';
import { type Connection, Pending, type Protocol, type Question } from './protocol';

const STARTUP = 196_608;
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL = 80_877_102;

export const postgresql: Protocol = {
  starts: (first) =>
    first.length >= 8 && [STARTUP, SSL_REQUEST, GSS_REQUEST, CANCEL].includes(first.readInt32BE(4)),
  open: () => new PostgresConnection(),
};

/** The refusal of an encrypted connection: what is encrypted cannot be recorded. */
const NO = Buffer.from('N');

class PostgresConnection implements Connection {
  readonly #questions = new Pending();
  readonly #replies = new Pending();
  #isStarted = false;
  #messages: string[] = [];
  #reply: Buffer[] = [];

  ask(bytes: Buffer): Question[] {
    this.#questions.add(bytes);
    const found: Question[] = [];
    for (let message = this.#next(); message; message = this.#next()) {
      const question = this.#isStarted ? this.#read(message) : this.#start(message);
      if (question) found.push(question);
    }
    return found;
  }

  #next(): Buffer | undefined {
    const { bytes } = this.#questions;
    const head = this.#isStarted ? 1 : 0;
    if (bytes.length < head + 4) return undefined;
    const length = head + bytes.readInt32BE(head);
    return bytes.length < length ? undefined : this.#questions.take(length);
  }

  #start(message: Buffer): Question | undefined {
    const code = message.readInt32BE(4);
    if (code === SSL_REQUEST || code === GSS_REQUEST) return { text: undefined, fixed: NO };
    if (code === CANCEL) return undefined;
    this.#isStarted = true;
    return { text: 'postgresql start' };
  }

  /** @returns The question that a message completes. */
  #read(message: Buffer): Question | undefined {
    const type = String.fromCharCode(message[0] ?? 0);
    // Passwords: on replay nothing asks for one. X ends the connection.
    if (type === 'p' || type === 'X') return undefined;
    this.#messages.push(describe(type, message.subarray(5)));
    if (type !== 'Q' && type !== 'S') return undefined;
    const text = `postgresql ${this.#messages.filter(Boolean).join(' ')}`;
    this.#messages = [];
    return { text };
  }

  reply(bytes: Buffer): Buffer[] {
    this.#replies.add(bytes);
    const found: Buffer[] = [];
    for (;;) {
      const { bytes: all } = this.#replies;
      if (all.length < 5 || all.length < 1 + all.readInt32BE(1)) return found;
      const message = this.#replies.take(1 + all.readInt32BE(1));
      const type = String.fromCharCode(message[0] ?? 0);
      // Of the authentication, keep only that it succeeded: what it exchanges is secret and never the same.
      if (type !== 'R' || message.readInt32BE(5) === 0) this.#reply.push(Buffer.from(message));
      if (type !== 'Z') continue;
      found.push(Buffer.concat(this.#reply));
      this.#reply = [];
    }
  }
}

/** A message as text: the statement and the values in it, without the bytes that delimit them. */
function describe(type: string, body: Buffer): string {
  if (type === 'S') return '';
  const text = body
    .toString('utf8')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: lengths and ends of texts
    .replace(/[\0-\x08\x0e-\x1f\ufffd]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  // Values can be binary, so also compare the bytes.
  return type === 'Q' || type === 'P'
    ? `${type}:${text}`
    : `${type}:${text}#${createHash('sha256').update(body).digest('hex').slice(0, 16)}`;
}
