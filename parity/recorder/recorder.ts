/**
 * Records the requests to an application as HAR 1.2. It wraps methods of requests and responses, and leaves the data
 * unchanged. If it cannot write the file, the application continues.
 */
import { ftruncateSync, openSync, writeSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeBody } from '../client/decode';
import { Scrubber, type ScrubOptions } from './scrub';

export interface RecorderOptions {
  /** The path of the HAR; an existing file is replaced. */
  readonly file: string;
  /**
   * How many requests to keep for each combination of method, route, status, content type and names of body members;
   * default 1.
   */
  readonly keep?: number;
  /** The maximum length of the file in bytes; default 20000000. An entry that does not fit ends the recording. */
  readonly maxBytes?: number;
  /**
   * The maximum length of a body in bytes; default 262144. A longer body is omitted. For a response body, the entry has
   * a comment.
   */
  readonly maxBody?: number;
  /**
   * How many requests per second to inspect, after a burst of ten times as many; default 10. This limits the overhead
   * under heavy traffic. `nozomi record` sets no such limit.
   */
  readonly perSecond?: number;
  /**
   * What to mask in addition to cookies, authorization, passwords, tokens and e-mail addresses. `false` masks nothing at
   * all.
   */
  readonly scrub?: ScrubOptions | false;
}

/**
 * The maximum number of requests to inspect for each method and path, with ids replaced. Later requests are not
 * inspected.
 */
const LOOKS = 200;
/** The maximum number of entries in `#looks` and in `#kept`, which limits the memory. */
const MOST = 5000;
/** The burst, as a multiple of `perSecond`. */
const BURST = 10;
const FOOTER = '\n]}}\n';

interface Seen {
  readonly started: Date;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly target: string;
  readonly asked: Body;
  readonly sent: Body;
}

interface Body {
  readonly chunks: Buffer[];
  length: number;
}

/** Records requests with their responses to one HAR file. */
export class Recorder {
  readonly #options: Required<Omit<RecorderOptions, 'scrub' | 'file'>>;
  readonly #scrubber: Scrubber | undefined;
  readonly #file: number;
  readonly #looks = new Map<string, number>();
  readonly #kept = new Map<string, number>();
  readonly #open = new Set<Seen>();
  /** The position of the footer in the file, where the next entry is written. */
  #end: number;
  #entries = 0;
  #isFull = false;
  /** How many requests may be inspected now: a token bucket that `#refill` fills. */
  #allowance: number;
  readonly #refill: NodeJS.Timeout;

  /** @throws Error of node:fs if the file cannot be opened. */
  constructor({ file, scrub = {}, ...options }: RecorderOptions) {
    this.#options = { keep: 1, maxBytes: 20_000_000, maxBody: 262_144, perSecond: 10, ...options };
    const { perSecond } = this.#options;
    this.#allowance = BURST * perSecond;
    this.#scrubber = scrub === false ? undefined : new Scrubber(scrub);
    this.#file = openSync(file, 'w');
    this.#refill = setInterval(() => {
      this.#allowance = Math.min(BURST * perSecond, this.#allowance + perSecond / 20);
    }, 50).unref();
    const head = `{"log":{"version":"1.2","creator":{"name":"nozomi record","version":"1"},"pages":[],"entries":[`;
    this.#end = Buffer.byteLength(head);
    try {
      writeSync(this.#file, head + FOOTER, 0);
    } catch (error) {
      this.#fail(error as Error);
    }
    process.once('exit', () => this.close());
  }

  /** The number of requests in the file. */
  get entries(): number {
    return this.#entries;
  }

  /**
   * Records a request when its response has closed, unless a limit is reached. Call it before other code uses the
   * request.
   */
  observe(req: IncomingMessage, res: ServerResponse): void {
    if (this.#isFull || this.#allowance < 1) return;
    this.#allowance--;
    const target = req.url ?? '/';
    const path = `${req.method} ${toRoute(target)}`;
    const looks = this.#looks.get(path) ?? 0;
    if (looks >= LOOKS || (looks === 0 && this.#looks.size >= MOST)) return;
    this.#looks.set(path, looks + 1);
    const seen: Seen = { ...{ started: new Date(), req, res, target }, asked: newBody(), sent: newBody() };
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

  /** Stops recording. Responses whose headers were sent are recorded with the part of the body that was written. */
  close(): void {
    for (const seen of this.#open) if (seen.res.headersSent) this.#finish(seen);
    this.#isFull = true;
    clearInterval(this.#refill);
  }

  #collect(body: Body, chunk: unknown, encoding: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk);
    body.length += bytes.length;
    if (body.length <= this.#options.maxBody) body.chunks.push(bytes);
    else body.chunks.length = 0;
  }

  #finish(seen: Seen): void {
    if (!this.#open.delete(seen) || this.#isFull) return;
    try {
      const entry = this.#toEntry(seen);
      if (!entry) return;
      const text = `${this.#entries === 0 ? '\n' : ',\n'}${JSON.stringify(entry)}`;
      const length = this.#end + Buffer.byteLength(text) + FOOTER.length;
      if (length > this.#options.maxBytes) this.#isFull = true;
      else this.#write(text);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  /**
   * Writes an entry over the footer, and the footer after it. The write is synchronous, so that the file is complete
   * when the process ends.
   */
  #write(text: string): void {
    writeSync(this.#file, text + FOOTER, this.#end);
    this.#end += Buffer.byteLength(text);
    this.#entries++;
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

  /** Converts a request to a HAR entry; `undefined` if enough similar requests, or `MOST` kinds, have been recorded. */
  #toEntry({ started, req, res, target, asked, sent }: Seen): object | undefined {
    const [askedBody, sentBody] = [wholeBody(asked), wholeBody(sent)];
    const responseHeaders = sentHeaders(res);
    const encoding = headerOf(responseHeaders, 'content-encoding');
    const content = sentBody && encoding ? (decodeBody(sentBody, encoding) ?? sentBody) : sentBody;
    const key = [
      ...[req.method, routeOf(req, target), res.statusCode, headerOf(responseHeaders, 'content-type')],
      ...[shapeOf(askedBody), shapeOf(content)],
    ].join(' ');
    const count = this.#kept.get(key) ?? 0;
    if (count >= this.#options.keep || this.#kept.size >= MOST) return undefined;
    this.#kept.set(key, count + 1);

    const post = asked.length > 0 ? this.#toText(askedBody) : undefined;
    const isSecure = 'encrypted' in req.socket;
    const origin = `${isSecure ? 'https' : 'http'}://${req.headers.host ?? 'localhost'}`;
    const query = target.split('?')[1] ?? '';
    const requestHeaders = pairsOf(req.rawHeaders).map(({ name, value }) =>
      // The length of the recorded body, because masking may have changed it.
      /^content-length$/i.test(name) && post
        ? { name, value: String(post.length) }
        : this.#header(name, value),
    );
    const text = content && content.length > 0 ? this.#withoutPaths(this.#toText(content)) : undefined;
    return {
      startedDateTime: started.toISOString(),
      time: Date.now() - started.getTime(),
      request: {
        method: req.method,
        url: origin + this.#scrub(target),
        httpVersion: `HTTP/${req.httpVersion}`,
        cookies: [],
        headers: requestHeaders,
        queryString: [...new URLSearchParams(this.#scrub(`?${query}`))].map(([name, value]) => ({
          name,
          value,
        })),
        headersSize: -1,
        bodySize: asked.length,
        ...(post && {
          postData: {
            mimeType: req.headers['content-type'] ?? '',
            text: post.text,
            ...(post.encoding && { encoding: post.encoding }),
          },
        }),
      },
      response: {
        status: res.statusCode,
        statusText: res.statusMessage ?? '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: responseHeaders.map(({ name, value }) => this.#header(name, value)),
        content: {
          size: content?.length ?? sent.length,
          mimeType: headerOf(responseHeaders, 'content-type') ?? '',
          ...(text && { text: text.text, ...(text.encoding && { encoding: text.encoding }) }),
          ...(sent.length > 0 && !sentBody && { comment: `longer than ${this.#options.maxBody} bytes` }),
        },
        redirectURL: this.#scrub(headerOf(responseHeaders, 'location') ?? ''),
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

  #withoutPaths(body: Text | undefined): Text | undefined {
    if (!body || body.encoding || !this.#scrubber) return body;
    const text = this.#scrubber.paths(body.text);
    return { text, length: Buffer.byteLength(text) };
  }

  /** Converts bytes to masked text if they are UTF-8, otherwise to base64, so that an upload keeps its bytes. */
  #toText(bytes: Buffer | undefined): Text | undefined {
    if (!bytes) return undefined;
    const text = bytes.toString('utf8');
    if (!Buffer.from(text).equals(bytes))
      return { text: bytes.toString('base64'), encoding: 'base64', length: bytes.length };
    const scrubbed = this.#scrub(text);
    return { text: scrubbed, length: Buffer.byteLength(scrubbed) };
  }
}

interface Text {
  readonly text: string;
  readonly encoding?: 'base64';
  readonly length: number;
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

function newBody(): Body {
  return { chunks: [], length: 0 };
}

/** Returns the bytes of a body; `undefined` if it is longer than `maxBody`. */
function wholeBody({ chunks, length }: Body): Buffer | undefined {
  const bytes = Buffer.concat(chunks);
  return bytes.length === length ? bytes : undefined;
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
  return Object.entries(res.getHeaders()).flatMap(([name, value]) =>
    [value].flat().map((one) => ({ name, value: String(one) })),
  );
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

/** Returns the path pattern of the route that Express matched; without one, the path with `:id` for ids. */
function routeOf(req: IncomingMessage, target: string): string {
  const { route, baseUrl = '' } = req as { route?: { path?: unknown }; baseUrl?: string };
  return route?.path === undefined ? toRoute(target) : `${baseUrl}${String(route.path)}`;
}

/** Removes the query, and replaces path segments that look like ids (numbers, UUIDs, long random texts) with `:id`. */
function toRoute(target: string): string {
  return (target.split('?', 1)[0] ?? '')
    .split('/')
    .map((part) => (/^\d+$|^[\da-f-]{16,}$|^(?=.*\d)[\w-]{20,}$/i.test(part) ? ':id' : part))
    .join('/');
}

/** Returns the names of JSON members and form fields in the first 20,000 bytes. Equal names make bodies similar. */
function shapeOf(body: Buffer | undefined): string {
  if (!body || body.length === 0) return '';
  const text = body.toString('utf8', 0, 20_000);
  const names = text.match(/"[^"\\]{1,60}"\s*:|name="[^"]{1,60}"|(?:^|&)[\w.[\]-]{1,60}=/g) ?? [];
  return [...new Set(names)].sort().join('');
}
