/**
 * Splits the bytes of a Redis or Valkey connection into questions and replies.
 *
 * @see https://redis.io/docs/latest/develop/reference/protocol-spec/
 */
import { type Connection, Pending, type Protocol, type Question } from './protocol';

export const redis: Protocol = {
  starts: (first) => first[0] === 0x2a, // *
  open: () => new RedisConnection(),
};

const SUBSCRIPTIONS = /^[PS]?(?:UN)?SUBSCRIBE$/;

class RedisConnection implements Connection {
  readonly #questions = new Pending();
  readonly #replies = new Pending();

  ask(bytes: Buffer): Question[] {
    this.#questions.add(bytes);
    return [...frames(this.#questions)].map((frame) => {
      const words = wordsOf(frame);
      const [command = ''] = words;
      const name = command.toUpperCase();
      const text = `redis ${withoutSecrets(name, words).join(' ')}`;
      return { text, replies: SUBSCRIPTIONS.test(name) ? Math.max(1, words.length - 1) : 1 };
    });
  }

  reply(bytes: Buffer): Buffer[] {
    this.#replies.add(bytes);
    // `>` begins a message that nothing asked for.
    return [...frames(this.#replies)].filter((frame) => frame[0] !== 0x3e);
  }
}

/** Takes each complete frame. */
function* frames(pending: Pending): Generator<Buffer> {
  for (let end = endOf(pending.bytes, 0); end > 0; end = endOf(pending.bytes, 0)) yield pending.take(end);
}

/** @returns The position after the frame that begins at a position; -1 if it is not complete. */
function endOf(bytes: Buffer, start: number): number {
  const line = bytes.indexOf('\r\n', start);
  if (start >= bytes.length || line < 0) return -1;
  const next = line + 2;
  const type = String.fromCharCode(bytes[start] ?? 0);
  const count = Number(bytes.toString('latin1', start + 1, line));
  if ('$=!'.includes(type)) {
    const end = count < 0 ? next : next + count + 2;
    return end <= bytes.length ? end : -1;
  }
  if (!'*~>%|'.includes(type)) return next;
  let position = next;
  // A map has a key and a value for each member. Attributes come before the value that they describe.
  const members = '%|'.includes(type) ? 2 * count + (type === '|' ? 1 : 0) : count;
  for (let index = 0; index < members && position > 0; index++) position = endOf(bytes, position);
  return position;
}

/** The words of a command, as an array of bulk strings. */
function wordsOf(frame: Buffer): string[] {
  const words: string[] = [];
  let position = frame.indexOf('\r\n') + 2;
  while (position > 1 && position < frame.length) {
    const line = frame.indexOf('\r\n', position);
    const length = Number(frame.toString('latin1', position + 1, line));
    words.push(frame.toString('utf8', line + 2, line + 2 + length));
    position = line + 2 + length + 2;
  }
  return words;
}

function withoutSecrets(name: string, words: readonly string[]): readonly string[] {
  if (name === 'AUTH') return ['AUTH'];
  const at = words.findIndex((word) => word.toUpperCase() === 'AUTH');
  return name === 'HELLO' && at > 0 ? words.filter((_word, index) => index < at || index > at + 2) : words;
}
