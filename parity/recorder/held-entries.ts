/**
 * Keeps requests that a recording does not need yet. A later request may use a value of such a response, such as a token
 * of a form: then the recording needs it, too.
 */
import { unescape as decodePercent } from 'node:querystring';
import type { Memory } from './memory';

/** The texts of a message, by what they may say. */
export interface Texts {
  /** Targets, cookies, credentials, and other headers. */
  readonly lines: readonly string[];
  readonly body: string;
}

interface Held<Entry> {
  readonly entry: Entry;
  readonly size: number;
  /** The values that the request uses, and those that only the response has. */
  readonly used: readonly number[];
  readonly offered: readonly number[];
}

/** A value that is unlikely to occur twice by accident: an id or a token. */
const TOKEN = /^(?=.*\d).{8}|^.{16}/s;
const WORD = /[\w.~+%-]+/g;
/** A member of JSON, a field or a parameter that is an id, also a short one. */
const ID =
  /["'&?;\s](?:\w{0,40}(?:[iI][dD]|uuid|key|slug|code|token|number))["']?\s{0,5}[:=]\s{0,5}["']?([\w.~+%-]{1,60})/g;
/** The most values that are looked at in a message. */
const MAX_VALUES_PER_MESSAGE = 5000;
/** The most values of recorded responses that are remembered. */
const MAX_VALUES_HELD = 100_000;
/** What a value in a map needs in bytes. */
const VALUE_SIZE = 64;

/** @typeParam Entry What is kept of a request. */
export class HeldEntries<Entry> {
  readonly #memory: Memory;
  /** In the order of the requests. */
  readonly #held = new Map<number, Held<Entry>>();
  /** The latest held response with a value. */
  readonly #sources = new Map<number, number>();
  /** The values of recorded responses: no held response is needed for these. */
  readonly #offered = new Set<number>();
  #next = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** How many requests were forgotten, because the memory was full. */
  forgotten = 0;

  /** Notes that a response is in the recording. */
  recorded(response: Texts): void {
    this.#offer(valuesOf(response));
  }

  /** Returns the values of a response that no recorded response has: what a later request could need it for. */
  newIn(response: Texts): number[] {
    return [...valuesOf(response)].filter((value) => !this.#offered.has(value));
  }

  /**
   * Keeps a request, and forgets the oldest ones if the memory is full.
   *
   * @param size The size of the entry in bytes.
   * @param offered The result of `newIn`.
   */
  hold(entry: Entry, size: number, request: Texts, offered: readonly number[]): void {
    const used = [...valuesOf(request)];
    const needed = size + (offered.length + used.length) * VALUE_SIZE;
    while (!this.#memory.take(needed))
      if (!this.#forgetOldest()) {
        this.forgotten++;
        return;
      }
    const number = this.#next++;
    this.#held.set(number, { entry, size: needed, used, offered });
    for (const value of offered) this.#sources.set(value, number);
  }

  /** Removes the requests whose responses a request uses, with those that they use themselves, and returns them in order. */
  takeFor(request: Texts): Entry[] {
    const taken = new Map<number, Entry>();
    const queue = [...valuesOf(request)];
    for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
      const number = this.#offered.has(value) ? undefined : this.#sources.get(value);
      const held = number === undefined ? undefined : this.#held.get(number);
      if (number === undefined || !held) continue;
      taken.set(number, held.entry);
      this.#remove(number, held);
      this.#offer(held.offered);
      queue.push(...held.used);
    }
    return [...taken].sort(([a], [b]) => a - b).map(([, entry]) => entry);
  }

  #forgetOldest(): boolean {
    const [oldest] = this.#held;
    if (!oldest) return false;
    this.#remove(...oldest);
    this.forgotten++;
    return true;
  }

  #offer(values: Iterable<number>): void {
    for (const value of values) {
      if (this.#offered.size >= MAX_VALUES_HELD) return;
      this.#offered.add(value);
    }
  }

  #remove(number: number, { size, offered }: Held<Entry>): void {
    this.#held.delete(number);
    this.#memory.give(size);
    for (const value of offered) if (this.#sources.get(value) === number) this.#sources.delete(value);
  }
}

/** Lists the ids and tokens of a message as hashes, because texts would keep whole bodies in memory. */
function valuesOf({ lines, body }: Texts): Set<number> {
  const found = new Set<number>();
  const add = (text: string): void => {
    const plain = text.includes('%') ? decodePercent(text) : text;
    for (const [word] of plain.matchAll(WORD)) {
      if (found.size >= MAX_VALUES_PER_MESSAGE) return;
      if (TOKEN.test(word)) found.add(hashOf(word));
    }
    for (const [, id = ''] of plain.matchAll(ID)) {
      if (found.size >= MAX_VALUES_PER_MESSAGE) return;
      found.add(hashOf(`id ${id}`));
    }
  };
  for (const line of lines) {
    add(line);
    // A segment of a path is an id, also a short one.
    for (const part of line.split(/[/?&=#\s]+/))
      if (/\d/.test(part)) found.add(hashOf(`id ${decodePercent(part)}`));
  }
  add(body);
  return found;
}

/** Two hashes of 26 bits as one number. FNV-1a */
function hashOf(text: string): number {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995);
  }
  return (low >>> 6) * 2 ** 26 + (high >>> 6);
}
