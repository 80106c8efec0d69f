/**
 * Derives the random values of a process from a seed, so that ids, tokens and random orders are the same with every
 * implementation. Only for comparisons: the values are predictable.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { randomFrom } from '../seed';

type Filled = NodeJS.ArrayBufferView | ArrayBuffer;
type Done<T> = (error: Error | null, value: T) => void;

/**
 * Replaces Math.random and the random functions of `node:crypto` and Web Crypto. The clock and the generation of keys
 * stay as they are.
 */
export function seedChance(seed: number): void {
  const random = randomFrom(seed);
  const fill = <T extends Filled>(view: T, offset = 0, size?: number): T => {
    const bytes = bytesOf(view, offset, size);
    for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(random() * 256);
    return view;
  };
  const randomBytes = (size: number): Buffer => fill(Buffer.alloc(size));
  const randomUUID = (): string => toUuid(randomBytes(16));

  Math.random = random;
  Object.assign(crypto, {
    randomUUID,
    randomBytes: (size: number, done?: Done<Buffer>) => later(randomBytes(size), done),
    randomFillSync: fill,
    randomFill(view: Filled, ...rest: unknown[]) {
      const done = rest.pop() as Done<Filled>;
      later(fill(view, ...(rest as [number?, number?])), done);
    },
    randomInt(...given: unknown[]) {
      const done = typeof given.at(-1) === 'function' ? (given.pop() as Done<number>) : undefined;
      const [from, to] = given.length > 1 ? (given as [number, number]) : [0, given[0] as number];
      return later(from + Math.floor(random() * (to - from)), done);
    },
  });
  // This also changes globalThis.crypto, which is the same object.
  Object.assign(crypto.webcrypto, { randomUUID, getRandomValues: fill });
  syncBuiltinESMExports();
}

/** Returns the bytes of a view. For a typed array, `offset` and `size` count elements, as in crypto.randomFill. */
function bytesOf(view: Filled, offset: number, size?: number): Uint8Array {
  const whole = ArrayBuffer.isView(view)
    ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    : new Uint8Array(view);
  const unit = 'BYTES_PER_ELEMENT' in view ? (view as Uint8Array).BYTES_PER_ELEMENT : 1;
  return whole.subarray(offset * unit, size === undefined ? undefined : (offset + size) * unit);
}

function later<T>(value: T, done: Done<T> | undefined): T | undefined {
  if (!done) return value;
  setImmediate(done, null, value);
  return undefined;
}

/** Formats 16 random bytes as a version 4 UUID. RFC 9562 §5.4 */
function toUuid(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
