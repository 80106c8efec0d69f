/**
 * Records the requests to an application as HAR 1.2. It wraps methods of requests and responses, and leaves the data
 * unchanged. If it cannot write the file, the application continues.
 */
import { constants, ftruncateSync, lstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeBody } from '../client/decode';
import { HeldEntries, type Texts } from './held-entries';
import { changesState, kindOf, pathKind } from './kind';
import { WordFilter } from './known-secrets';
import { Memory } from './memory';
import { maskAgain, type Pair, type Recorded } from './recorded-entry';
import { Scrubber, type ScrubOptions } from './scrub';
import { maskedIn, secretsFileOf, writeSecrets } from './secrets';

export interface RecorderOptions {
  /**
   * The path of the HAR; an existing file is replaced. Only the user of this process can read the file. A symbolic link
   * is an error, because another user may have created it.
   */
  readonly file: string;
  /**
   * How many requests that change no state to keep for each combination of method, route, names of the query, operation,
   * status, content type and names of body members; default 1. Requests that change state are kept, as are those whose
   * responses have a value that a later request uses.
   */
  readonly keep?: number;
  /** The maximum length of the file in bytes; default 20000000. An entry that does not fit ends the recording. */
  readonly maxBytes?: number;
  /**
   * The maximum length of a body in bytes, also of a compressed body after decompression; default 262144. A longer body
   * is omitted, and the entry has a comment.
   */
  readonly maxBody?: number;
  /**
   * The maximum number of bytes that the recorder keeps in memory for requests without a response, and for secrets; default
   * 50000000. A request or a body that does not fit is not recorded, a secret is not kept.
   */
  readonly maxMemory?: number;
  /**
   * How many requests per second to inspect, after a burst of ten times as many; default 10. This limits the overhead
   * under heavy traffic. `nozomi-parity record` sets no such limit.
   */
  readonly perSecond?: number;
  /**
   * What to mask in addition to cookies, authorization, passwords, tokens, keys and e-mail addresses. `false` masks
   * nothing at all, and keeps what is not text.
   */
  readonly scrub?: ScrubOptions | false;
  /**
   * Whether to keep the masked values of the requests in a file that Git ignores, so that `nozomi-parity` can log in;
   * default false. For `traffic.har` the file is `.nozomi/traffic.har.secrets.json`.
   */
  readonly keepSecrets?: boolean;
}

/**
 * The maximum number of requests to inspect for each method and path, with ids replaced, if `perSecond` limits them. Later
 * requests are not inspected.
 */
const LOOKS = 200;
/** The maximum number of entries in `#looks` and in `#kept`, which limits the memory. */
const MAX_ENTRIES = 5000;
/** The part of `maxMemory` for similar requests that a later request may need. */
const HELD = 5;
/** The burst, as a multiple of `perSecond`. */
const BURST = 10;
const LIMITED = 'requests after the file was full';
const SIMILAR = 'requests similar to recorded ones';
const ABOVE = `requests above the limit of ${LOOKS} per path`;
const OVER_MEMORY = 'over the memory limit';
/** What the objects for a request without a response, and for a chunk of a body, need in bytes. */
const REQUEST_SIZE = 2048;
const CHUNK_SIZE = 256;
/** How many bytes of memory the words of the file take. */
const WORDS = 2 ** 20;
/** The least time between two searches of a file that is longer than `SHORT`, for secrets that became known later. */
const PAUSE = 1000;
const SHORT = 2_000_000;
const FOOTER = '\n]}}\n';

interface Seen {
  readonly started: Date;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly target: string;
  readonly isSecure: boolean;
  readonly asked: Body;
  readonly sent: Body;
}

interface Body {
  readonly chunks: Buffer[];
  length: number;
  /** How much memory the chunks take. */
  memory: number;
  /** Why the body is not recorded; undefined if it is. */
  omitted: string | undefined;
}

/** Records requests with their responses to one HAR file. */
export class Recorder {
  readonly #options: Required<Omit<RecorderOptions, 'scrub' | 'file' | 'keepSecrets'>>;
  readonly #scrubber: Scrubber | undefined;
  readonly #file: number;
  /** The recording whose secrets are kept; undefined if none are. */
  readonly #keptFor: string | undefined;
  readonly #secrets = new Map<string, string>();
  /** The replacements in recorded responses: a replay gets those values from the application. */
  readonly #given = new Set<string>();
  readonly #looks = new Map<string, number>();
  readonly #kept = new Map<string, number>();
  readonly #open = new Set<Seen>();
  /** Requests similar to recorded ones, until a later request uses a value of their responses. */
  readonly #held: HeldEntries<Recorded>;
  readonly #memory: Memory;
  /** The words of the file. A value that becomes known as a secret may be there already. */
  readonly #words = new WordFilter(WORDS);
  /** When the file was last searched for secrets, and the timer for the next time. */
  #searched = 0;
  #search: NodeJS.Timeout | undefined;
  /** The position of the footer in the file, where the next entry is written. */
  #end: number;
  #entries = 0;
  /** The number of bodies that the recording lacks or has as `x`, by reason. */
  readonly #dropped = new Map<string, number>();
  /** The number of requests that the recording lacks, by reason. */
  readonly #skipped = new Map<string, number>();
  #isFull = false;
  /** How many requests may be inspected now: a token bucket that `#refill` fills. */
  #allowance: number;
  readonly #refill: NodeJS.Timeout;

  /** @throws Error if the file is a symbolic link, or node:fs cannot open it. */
  constructor({ file, scrub = {}, keepSecrets = false, ...options }: RecorderOptions) {
    this.#options = {
      keep: 1,
      maxBytes: 20_000_000,
      maxBody: 262_144,
      maxMemory: 50_000_000,
      perSecond: 10,
      ...options,
    };
    const { perSecond, maxMemory } = this.#options;
    this.#allowance = BURST * perSecond;
    this.#memory = new Memory(maxMemory);
    this.#held = new HeldEntries(new Memory(maxMemory / HELD));
    this.#scrubber =
      scrub === false ? undefined : new Scrubber(scrub, keepSecrets ? this.#memory : undefined);
    this.#file = openFile(file);
    this.#keptFor = keepSecrets ? file : undefined;
    this.#refill = setInterval(() => {
      this.#allowance = Math.min(BURST * perSecond, this.#allowance + perSecond / 20);
    }, 50).unref();
    const head = `{"log":{"version":"1.2","creator":{"name":"nozomi-parity record","version":"1"},"pages":[],"entries":[`;
    this.#end = Buffer.byteLength(head);
    try {
      writeSync(this.#file, head + FOOTER, 0);
    } catch (error) {
      this.#fail(error as Error);
    }
    process.once('exit', this.#onExit);
  }

  /** The number of requests in the file. */
  get entries(): number {
    return this.#entries;
  }

  /**
   * Counts requests that are not recorded, for the summary.
   *
   * @param what Such as `WebSockets`.
   */
  skip(what: string): void {
    increment(this.#skipped, what);
  }

  /**
   * Returns lines that say what was masked and dropped, and which requests were not recorded.
   *
   * @param isTemporary Whether the files are soon removed; default false.
   */
  summary(isTemporary = false): string[] {
    const unfinished = this.#open.size;
    const forgotten = this.#scrubber?.forgotten ?? 0;
    const unknown = this.#scrubber?.known.dropped ?? 0;
    const forgottenRequests = this.#held.forgotten;
    const list = (counts: Iterable<readonly [string, number]>): string =>
      Array.from(counts, ([what, count]) => `${what} (${count})`).join(', ');
    const skipped = list([
      ...this.#skipped,
      ...(unfinished > 0 ? [['requests without a response', unfinished] as const] : []),
      ...(forgottenRequests > 0 ? [[`similar requests ${OVER_MEMORY}`, forgottenRequests] as const] : []),
    ]);
    return [
      `masked: ${this.#scrubber ? `different values (${this.#scrubber.masked})` : 'nothing'}`,
      ...(this.#dropped.size > 0 ? [`dropped: ${list(this.#dropped)}`] : []),
      ...(unknown > 0 ? [`masked only in their places: different values (${unknown})`] : []),
      ...(forgotten > 0 ? [`not kept: secrets ${OVER_MEMORY} (${forgotten})`] : []),
      ...(this.#keptFor === undefined
        ? []
        : [
            `kept: secrets of requests (${this.#secrets.size}) ${isTemporary ? 'until the end of the comparison' : `in ${secretsFileOf(this.#keptFor)}; do not share this file`}`,
          ]),
      ...(skipped === '' ? [] : [`not recorded: ${skipped}`]),
    ];
  }

  /**
   * Records a request when its response has closed, unless a limit is reached. Call it before other code uses the
   * request.
   */
  observe(req: IncomingMessage, res: ServerResponse): void {
    if (this.#isFull) return this.skip(LIMITED);
    if (this.#allowance < 1) return this.skip('requests above the limit per second');
    this.#allowance--;
    const target = req.url ?? '/';
    if (!this.#memory.take(REQUEST_SIZE)) return this.skip(`requests ${OVER_MEMORY}`);
    if (Number.isFinite(this.#options.perSecond) && !this.#looksAt(pathKind(req.method, target))) {
      this.#memory.give(REQUEST_SIZE);
      return this.skip(ABOVE);
    }
    const seen: Seen = {
      started: new Date(),
      req,
      res,
      target,
      asked: newBody(),
      sent: newBody(),
      // A closed stream of HTTP/2 has no socket.
      isSecure: 'encrypted' in req.socket,
    };
    this.#open.add(seen);
    const { push } = req;
    // Node.js calls `push` with each chunk of the request body.
    req.push = (chunk, encoding) => {
      if (chunk) this.#collect(seen.asked, chunk, encoding);
      return push.call(req, chunk, encoding);
    };
    const { write: writeBody, end } = res;
    res.write = ((chunk: unknown, ...rest: unknown[]) => {
      this.#collect(seen.sent, chunk, rest[0]);
      return Reflect.apply(writeBody, res, [chunk, ...rest]);
    }) as typeof res.write;
    res.end = ((chunk: unknown, ...rest: unknown[]) => {
      // Restore `write`: if `end` calls it, as in node:http2, the chunk would be recorded twice.
      res.write = writeBody;
      if (chunk && typeof chunk !== 'function') this.#collect(seen.sent, chunk, rest[0]);
      return Reflect.apply(end, res, [chunk, ...rest]);
    }) as typeof res.end;
    res.once('close', () => setImmediate(() => this.#finish(seen)));
  }

  readonly #onExit = (): void => this.close();

  /** Stops recording. Responses whose headers were sent are recorded with the part of the body that was written. */
  close(): void {
    for (const seen of this.#open) if (seen.res.headersSent) this.#finish(seen);
    this.#isFull = true;
    clearInterval(this.#refill);
    if (this.#search) this.#maskEarlier();
    process.off('exit', this.#onExit);
  }

  #collect(body: Body, chunk: unknown, encoding: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk);
    body.length += bytes.length;
    if (body.omitted !== undefined) return;
    const size = bytes.length + CHUNK_SIZE;
    const { maxBody } = this.#options;
    if (body.length > maxBody) body.omitted = `longer than ${maxBody} bytes`;
    else if (!this.#memory.take(size)) body.omitted = OVER_MEMORY;
    if (body.omitted !== undefined) return this.#release(body);
    body.memory += size;
    body.chunks.push(bytes);
  }

  #release(body: Body): void {
    this.#memory.give(body.memory);
    body.memory = 0;
    body.chunks.length = 0;
  }

  #finish(seen: Seen): void {
    if (!this.#open.delete(seen)) return;
    try {
      this.#record(seen);
    } finally {
      this.#release(seen.asked);
      this.#release(seen.sent);
      this.#memory.give(REQUEST_SIZE);
    }
  }

  #record(seen: Seen): void {
    if (this.#isFull) return this.skip(LIMITED);
    try {
      const bodies = this.#bodiesOf(seen);
      const response: Texts = { lines: linesOf(bodies.headers), body: String(bodies.content ?? '') };
      const request: Texts = {
        lines: [seen.target, ...linesOf(pairsOf(seen.req.rawHeaders))],
        body: String(bodies.asked ?? ''),
      };
      if (this.#isSimilar(seen, bodies)) {
        const offered = this.#held.newIn(response);
        this.skip(SIMILAR);
        if (offered.length === 0) return this.#learn(seen, bodies);
        const entry = this.#toEntry(seen, bodies);
        this.#held.hold(entry, 2 * JSON.stringify(entry).length, request, offered);
        return this.#lookForNews();
      }
      for (const entry of this.#held.takeFor(request)) {
        this.#add(entry);
        this.#unskip(SIMILAR);
      }
      this.#add(this.#toEntry(seen, bodies));
      this.#held.recorded(response);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #add(written: Recorded): void {
    if (this.#isFull) return this.skip(LIMITED);
    // A secret may have become known in a later part of this entry, or after it was held.
    const entry = this.#maskAgain(written);
    this.#lookForNews();
    const text = `${this.#entries === 0 ? '\n' : ',\n'}${JSON.stringify(entry)}`;
    const length = this.#end + Buffer.byteLength(text) + FOOTER.length;
    if (length <= this.#options.maxBytes) {
      this.#write(text);
      return this.#keepSecrets(entry);
    }
    this.#isFull = true;
    this.skip(LIMITED);
  }

  /** A similar request that was counted is in the recording now. */
  #unskip(what: string): void {
    const count = (this.#skipped.get(what) ?? 0) - 1;
    if (count > 0) this.#skipped.set(what, count);
    else this.#skipped.delete(what);
  }

  #looksAt(path: string): boolean {
    const looks = this.#looks.get(path) ?? 0;
    if (looks >= LOOKS || (looks === 0 && this.#looks.size >= MAX_ENTRIES)) return false;
    this.#looks.set(path, looks + 1);
    return true;
  }

  #bodiesOf({ res, asked, sent }: Seen): Bodies {
    const headers = sentHeaders(res);
    const encoding = headerOf(headers, 'content-encoding');
    const whole = wholeBody(sent);
    const decoded = whole && encoding ? decodeBody(whole, encoding, this.#options.maxBody) : whole;
    return { headers, asked: wholeBody(asked), content: decoded ?? whole, encoding: decoded ? '' : encoding };
  }

  /** Whether enough similar requests, or `MAX_ENTRIES` kinds, have been recorded. Counts the request if not. */
  #isSimilar({ req, res, target }: Seen, { headers, asked, content }: Bodies): boolean {
    const type = headerOf(headers, 'content-type');
    const key = kindOf({ req, target, status: res.statusCode, type, asked, sent: content });
    const count = this.#kept.get(key) ?? 0;
    const isEnough = count >= this.#options.keep || (count === 0 && this.#kept.size >= MAX_ENTRIES);
    if (isEnough) return !changesState(req.method, asked);
    this.#kept.set(key, count + 1);
    return false;
  }

  /**
   * Writes an entry over the footer, and the footer after it. The write is synchronous, so that the file is complete
   * when the process ends.
   */
  #write(text: string): void {
    if (this.#scrubber) this.#words.add(text);
    writeSync(this.#file, text + FOOTER, this.#end);
    this.#end += Buffer.byteLength(text);
    this.#entries++;
  }

  /** Masks the secrets of a request that is not recorded in earlier entries, such as a token that the application gave. */
  #learn({ req, target }: Seen, { asked }: Bodies): void {
    if (!this.#scrubber) return;
    for (const { name, value } of pairsOf(req.rawHeaders)) this.#scrubber.header(name, value);
    this.#scrubber.url(target);
    const { 'content-type': type, 'content-encoding': encoding } = req.headers;
    if (asked) this.#scrubber.body(asked, { type, encoding, limit: this.#options.maxBody });
    this.#lookForNews();
  }

  #maskAgain(entry: Recorded): Recorded {
    const scrubber = this.#scrubber;
    return scrubber ? maskAgain(entry, (text) => scrubber.again(text)) : entry;
  }

  /** Masks the secrets in earlier entries that have become known since: at once in a short file, else after a pause. */
  #lookForNews(): void {
    const news = this.#scrubber?.known.takeNews() ?? [];
    if (this.#search || this.#entries === 0 || ![...news].some((word) => this.#words.mayHave(word))) return;
    const wait = this.#end < SHORT ? 0 : this.#searched + PAUSE - Date.now();
    if (wait <= 0) this.#maskEarlier();
    else this.#search = setTimeout(() => this.#maskEarlier(), wait).unref();
  }

  #maskEarlier(): void {
    clearTimeout(this.#search);
    this.#search = undefined;
    try {
      this.#rewrite();
    } catch (error) {
      this.#fail(error as Error);
    }
    this.#searched = Date.now();
  }

  #rewrite(): void {
    const before = Buffer.alloc(this.#end);
    readSync(this.#file, before, 0, this.#end, 0);
    // Each entry is a line.
    const lines = before.toString().split('\n');
    const masked = lines.map((line) => {
      if (!line.startsWith('{"started')) return line;
      const end = line.endsWith(',') ? ',' : '';
      const entry = JSON.parse(line.slice(0, line.length - end.length)) as Recorded;
      const again = this.#maskAgain(entry);
      const text = JSON.stringify(again) + end;
      if (text !== line)
        for (const replacement of maskedIn(JSON.stringify(again.response))) this.#given.add(replacement);
      return text;
    });
    const text = masked.join('\n');
    if (text === lines.join('\n')) return;
    this.#end = Buffer.byteLength(text);
    writeSync(this.#file, text + FOOTER, 0);
    ftruncateSync(this.#file, this.#end + FOOTER.length);
  }

  /** Keeps the masked values of a request that no earlier response has. */
  #keepSecrets({ request, response }: Recorded): void {
    if (this.#keptFor === undefined) return;
    const known = this.#secrets.size;
    for (const replacement of maskedIn(JSON.stringify(request))) {
      const value = this.#scrubber?.valueOf(replacement);
      if (value !== undefined && !this.#given.has(replacement)) this.#secrets.set(replacement, value);
    }
    for (const replacement of maskedIn(JSON.stringify(response))) this.#given.add(replacement);
    if (this.#secrets.size > known) writeSecrets(this.#keptFor, this.#secrets);
  }

  /** Stops recording with a warning, and truncates the file after its last complete entry. */
  #fail(error: Error): void {
    this.#isFull = true;
    process.emitWarning(`recording stopped: ${error.message}`, { code: 'NOZOMI_RECORDER' });
    try {
      writeSync(this.#file, FOOTER, this.#end);
      ftruncateSync(this.#file, this.#end + FOOTER.length);
    } catch {
      // The file cannot be repaired, for example on a full disk. The warning is enough.
    }
  }

  /** Converts a request to a HAR entry. */
  #toEntry(
    { started, req, res, target, isSecure, asked, sent }: Seen,
    { headers: responseHeaders, asked: askedBody, content, encoding }: Bodies,
  ): Recorded {
    const type = headerOf(responseHeaders, 'content-type');
    const post =
      askedBody &&
      this.#toText(askedBody, req.headers['content-type'], String(req.headers['content-encoding'] ?? ''));
    const text = content && this.#withoutPaths(this.#toText(content, type, encoding));
    // HTTP/2 has `:authority` in place of Host.
    const { ':authority': authority } = req.headers;
    const host = req.headers.host ?? (typeof authority === 'string' ? authority : undefined);
    const origin = `${isSecure ? 'https' : 'http'}://${host ?? 'localhost'}`;
    const masked = this.#url(target);
    // An absolute URL and `*` are targets, too. RFC 9112 §3.2
    const url = /^https?:\/\//i.test(masked)
      ? masked
      : `${this.#scrub(origin)}${masked.replace(/^(?!\/)/, '/')}`;
    const query = target.split('?')[1] ?? '';
    const sentWith = pairsOf(req.rawHeaders).filter(({ name }) => !name.startsWith(':'));
    if (authority !== undefined && host !== undefined) sentWith.unshift({ name: 'Host', value: host });
    const requestHeaders = sentWith.map(({ name, value }) =>
      // The length of the recorded body, because masking may have changed it.
      /^content-length$/i.test(name) && post
        ? { name, value: String(post.length) }
        : this.#header(name, value),
    );
    if (asked.omitted) increment(this.#dropped, `a request body ${asked.omitted}`);
    if (sent.omitted) increment(this.#dropped, `a response body ${sent.omitted}`);
    return {
      startedDateTime: started.toISOString(),
      time: Date.now() - started.getTime(),
      ...(asked.omitted && { comment: `request body: ${asked.omitted}` }),
      // A reader would change such a target: a fragment, characters that are encoded.
      ...(!/^\/[!-"$-~]*$/.test(masked) && { _target: masked }),
      request: {
        method: req.method,
        url,
        httpVersion: `HTTP/${req.httpVersion}`,
        cookies: [],
        headers: requestHeaders,
        queryString: [...new URLSearchParams(this.#url(`?${query}`))].map(([name, value]) => ({
          name,
          value,
        })),
        headersSize: -1,
        // The length of the recorded body, by which `nozomi-parity` sees whether it is complete.
        bodySize: post?.length ?? asked.length,
        ...(post && {
          postData: {
            mimeType: this.#scrub(req.headers['content-type'] ?? ''),
            text: post.text,
            ...(post.encoding && { encoding: post.encoding }),
            ...(post.comment && { comment: post.comment }),
          },
        }),
      },
      response: {
        status: res.statusCode,
        statusText: this.#scrub(res.statusMessage ?? ''),
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: responseHeaders.map(({ name, value }) => this.#header(name, value)),
        content: {
          size: content?.length ?? sent.length,
          mimeType: this.#scrub(type ?? ''),
          ...(text && { text: text.text, ...(text.encoding && { encoding: text.encoding }) }),
          ...(text?.comment && { comment: text.comment }),
          ...(sent.omitted && { comment: sent.omitted }),
        },
        redirectURL: this.#url(headerOf(responseHeaders, 'location') ?? ''),
        headersSize: -1,
        bodySize: sent.length,
      },
      cache: {},
      timings: { send: 0, wait: Date.now() - started.getTime(), receive: 0 },
    };
  }

  #header(name: string, value: string): Pair {
    return { name, value: this.#scrubber?.header(name, value) ?? value };
  }

  #scrub(text: string): string {
    return this.#scrubber?.text(text) ?? text;
  }

  #url(target: string): string {
    return this.#scrubber?.url(target) ?? target;
  }

  #withoutPaths(body: Text | undefined): Text | undefined {
    if (!body || body.encoding || !this.#scrubber) return body;
    const text = this.#scrubber.paths(body.text);
    return { ...body, text, length: Buffer.byteLength(text) };
  }

  /** Converts bytes to masked text if they are UTF-8, otherwise to base64. */
  #toText(bytes: Buffer, type: string | undefined, encoding: string | undefined): Text | undefined {
    if (bytes.length === 0) return undefined;
    const limit = this.#options.maxBody;
    const { bytes: scrubbed, dropped } = this.#scrubber?.body(bytes, { type, encoding, limit }) ?? {
      bytes,
      dropped: [],
    };
    for (const what of dropped) increment(this.#dropped, what);
    const text = scrubbed.toString('utf8');
    const isText = Buffer.from(text).equals(scrubbed);
    return {
      ...(isText ? { text } : { text: scrubbed.toString('base64'), encoding: 'base64' }),
      ...(dropped.length > 0 && { comment: `dropped, and replaced with "x": ${dropped.join(', ')}` }),
      length: scrubbed.length,
    };
  }
}

interface Bodies {
  /** The headers of the response. */
  readonly headers: readonly Pair[];
  readonly asked: Buffer | undefined;
  /** The body of the response, decompressed if it can be. */
  readonly content: Buffer | undefined;
  /** How `content` is still encoded; empty if it is not. */
  readonly encoding: string | undefined;
}

interface Text {
  readonly text: string;
  readonly encoding?: 'base64';
  /** What was dropped. */
  readonly comment?: string;
  readonly length: number;
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/**
 * Creates a file that only the user of this process can read. It replaces a file instead of overwriting it, because
 * others may have opened that one. A device such as /dev/full is opened.
 */
function openFile(file: string): number {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isSymbolicLink())
    throw new Error(`${file} is a symbolic link; record to a new file, or name the file behind the link`);
  const isDevice = found !== undefined && !found.isFile() && !found.isDirectory();
  // With O_EXCL, a file or link that another process has created since is an error. Windows has no O_NOFOLLOW.
  const { O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  if (isDevice) return openSync(file, O_WRONLY | O_NOFOLLOW);
  if (found?.isFile()) rmSync(file);
  // It is read again for secrets that become known later.
  return openSync(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
}

function newBody(): Body {
  return { chunks: [], length: 0, memory: 0, omitted: undefined };
}

/** Returns the bytes of a body; `undefined` if they are omitted. */
function wholeBody({ chunks, omitted }: Body): Buffer | undefined {
  return omitted === undefined ? Buffer.concat(chunks) : undefined;
}

/** Returns the response headers as Node.js sent them over HTTP/1.1; without an HTTP/1.1 head, `getHeaders()`. */
function sentHeaders(res: ServerResponse): Pair[] {
  const head = (res as unknown as { _header?: unknown })._header;
  if (typeof head === 'string')
    return head
      .split('\r\n')
      .slice(1)
      .filter((line) => line !== '')
      .map((line) => ({
        name: line.slice(0, line.indexOf(':')),
        value: line.slice(line.indexOf(':') + 1).trim(),
      }));
  const entries = Object.entries(res.getHeaders()).filter(([name]) => !name.startsWith(':'));
  return entries.flatMap(([name, value]) => [value].flat().map((one) => ({ name, value: String(one) })));
}

function pairsOf(raw: readonly string[]): Pair[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => ({
    name: raw[index * 2] ?? '',
    value: raw[index * 2 + 1] ?? '',
  }));
}

function headerOf(headers: readonly Pair[], name: string): string | undefined {
  return headers.find((one) => one.name.toLowerCase() === name)?.value;
}

/** Headers of requests and responses with values that a response gives to later requests. */
const CARRYING =
  /^(?:set-cookie|cookie|location|etag|if-(?:none-)?match|authorization|link|last-event-id|x-.*|.*-(?:token|id|key))$/i;

function linesOf(headers: readonly Pair[]): string[] {
  return headers.filter(({ name }) => CARRYING.test(name)).map(({ value }) => value);
}
