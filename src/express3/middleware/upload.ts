/** One multipart body: emits its fields, writes its files, and removes the files if the request fails. §9.3 */
import { createHash, randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { finished, type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import createError from 'http-errors';

export interface UploadOptions {
  /** A hash algorithm such as `md5`: each file gets a `hash` in hexadecimal. Default: none. */
  hash?: string | false | undefined;
  /** Whether the temporary file keeps the extension of the original name. Default false. */
  keepExtensions?: boolean | undefined;
  /** The maximum number of fields and files together. Default 1000. */
  maxFields?: number | undefined;
  /** The maximum length of all fields together in bytes. Default 2 MB. */
  maxFieldsSize?: number | undefined;
  /** The maximum number of files. Default 100. */
  maxFiles?: number | undefined;
  /** The maximum length of all files together in bytes. Default: the limit of the body. */
  maxFilesSize?: number | undefined;
  /** The folder of the temporary files. Default: that of the operating system. */
  uploadDir?: string | undefined;
}

export interface UploadedFile {
  fieldName: string;
  /** The file name that the client sent, without folders. */
  originalFilename: string;
  /** The path of the temporary file. */
  path: string;
  /** The length in bytes. */
  size: number;
  /** The same as `originalFilename`. */
  name: string;
  /** The media type without parameters. */
  type: string;
  lastModifiedDate: Date;
  hash?: string;
}

/** The part of busboy's interface used here. */
export type CreateParser = (config: {
  headers: IncomingMessage['headers'];
  defParamCharset: string;
  limits: { fieldSize: number };
}) => Writable;

interface FileInfo {
  filename?: string;
  mimeType: string;
}

/** The limits, by the name of their option. */
interface Limits {
  maxFields: number;
  maxFieldsSize: number;
  maxFiles: number;
  maxFilesSize: number;
}

/** The parser's messages, each with that of Express 3. */
const WORDS: ReadonlyArray<[string, string]> = [
  ['Multipart: Boundary not found', 'content-type missing boundary: null'],
  ['Unexpected end of form', 'stream ended unexpectedly'],
  ['Unsupported content type', 'unrecognized content-type'],
];
/** The characters that an extension may have. Nothing else of a client's file name becomes part of a path. */
const EXTENSION = /^\.[\w-]{1,16}$/;

/**
 * Emits `field`, `file` (or `part`, without a listener for `file`) and `progress`. At the end it emits `close`, or
 * `error` once all files are removed. An error of the client has a status.
 */
export class Upload extends EventEmitter {
  readonly #req: IncomingMessage;
  readonly #options: UploadOptions & { limit: number };
  readonly #limits: Limits;
  readonly #counted: Limits = { maxFields: 0, maxFieldsSize: 0, maxFiles: 0, maxFilesSize: 0 };
  readonly #paths: string[] = [];
  readonly #writing: Promise<void>[] = [];
  #parser: Writable | undefined;
  #isOver = false;

  /** Later: the application adds its listeners in the same tick. */
  constructor(req: IncomingMessage, createParser: CreateParser, options: UploadOptions & { limit: number }) {
    super();
    this.#req = req;
    this.#options = options;
    const { maxFields = 1000, maxFieldsSize = 2 * 1024 * 1024, maxFiles = 100 } = options;
    const { maxFilesSize = Number.POSITIVE_INFINITY } = options;
    this.#limits = { maxFields, maxFieldsSize, maxFiles, maxFilesSize };
    try {
      // `limit + 1`, to detect overflow.
      const limits = { fieldSize: maxFieldsSize + 1 };
      this.#parser = createParser({ headers: req.headers, defParamCharset: 'utf8', limits });
    } catch (err) {
      process.nextTick(() => this.fail(err));
      return;
    }
    this.#parser.on('field', (name, value) => this.#takeField(name, value));
    this.#parser.on('file', (name, part, info) => this.#takeFile(name, part, info));
    this.#parser.on('error', (err) => this.fail(err));
    this.#parser.on('close', () => void Promise.all(this.#writing).then(() => this.#close()));
    this.#countBytes();
    finished(req, { writable: false }, (err) => err && this.fail(new Error('Request aborted')));
    req.pipe(this.#parser);
  }

  /** Stops parsing, removes the written files, then emits `error`. */
  fail(cause: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const err: Error & { status?: number } = isError(cause) ? cause : new Error(String(cause));
    if (this.#parser) {
      this.#req.unpipe(this.#parser);
      // Destroying the parser also destroys the current part and its file.
      this.#parser.destroy();
    }
    this.#req.resume();
    err.message = WORDS.reduce((message, [from, to]) => message.replace(from, to), err.message);
    // An error of the operating system is not an error of the client.
    if (!('syscall' in err)) err.status ??= 400;
    void this.#clear().then(() => process.nextTick(() => this.emit('error', err)));
  }

  #close(): void {
    if (!this.#isOver) process.nextTick(() => this.emit('close'));
  }

  async #clear(): Promise<void> {
    await Promise.allSettled(this.#writing);
    await Promise.allSettled(this.#paths.map((path) => rm(path, { force: true })));
  }

  #countBytes(): void {
    const { headers } = this.#req;
    const expected = headers['content-length'] === undefined ? null : Number(headers['content-length']);
    let received = 0;
    this.#req.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > this.#options.limit) this.fail(createError(413));
      else if (!this.#isOver) this.emit('progress', received, expected);
    });
  }

  /** @returns Whether the limit still holds. */
  #count(limit: keyof Limits, by: number): boolean {
    this.#counted[limit] += by;
    const most = this.#limits[limit];
    // This message of Express 3 ends with a full stop.
    const end = limit === 'maxFields' ? '.' : '';
    if (this.#counted[limit] > most) this.fail(new Error(`${limit} ${most} exceeded${end}`));
    return !this.#isOver;
  }

  #takeField(name: string | undefined, value: string): void {
    if (!this.#count('maxFields', 1) || !this.#count('maxFieldsSize', Buffer.byteLength(value))) return;
    if (name !== undefined) this.emit('field', name, value);
  }

  #takeFile(name: string | undefined, part: Readable, info: FileInfo): void {
    // busboy emits an error when it is destroyed. The cause has been reported already.
    part.on('error', () => {});
    const isTaken = this.#count('maxFields', 1) && this.#count('maxFiles', 1) && name !== undefined;
    if (isTaken && this.listenerCount('file') > 0) {
      this.#writing.push(this.#write(name, part, info).catch((err) => this.fail(err)));
    } else if (!isTaken || !this.emit('part', Object.assign(part, { name, filename: info.filename }))) {
      part.resume();
    }
  }

  async #write(name: string, part: Readable, { filename = '', mimeType }: FileInfo): Promise<void> {
    const { hash, keepExtensions, uploadDir = tmpdir() } = this.#options;
    const path = join(uploadDir, randomUUID() + (keepExtensions ? extensionOf(filename) : ''));
    const digest = hash ? createHash(hash) : undefined;
    let size = 0;
    part.on('data', (chunk: Buffer) => {
      size += chunk.length;
      digest?.update(chunk);
      this.#count('maxFilesSize', chunk.length);
    });
    this.#paths.push(path);
    // Creates a file that only its owner can read. The flag `wx` refuses an existing file or link.
    const before = this.#writing.at(-1);
    await pipeline(part, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    // Files are emitted in the order in which they arrived.
    await before;
    if (this.#isOver) return;
    const file: UploadedFile = {
      fieldName: name,
      originalFilename: filename,
      path,
      size,
      name: filename,
      type: mimeType,
      lastModifiedDate: new Date(),
    };
    this.emit('file', name, digest ? { ...file, hash: digest.digest('hex') } : file);
  }
}

function extensionOf(filename: string): string {
  const extension = extname(filename);
  return EXTENSION.test(extension) ? extension : '';
}

function isError(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'message' in value;
}
