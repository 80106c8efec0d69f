/** One multipart body: emits its fields, writes its files, and removes them if it fails. §9.3 */
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
  /** Name of a hash algorithm such as `md5`: files get a `hash` in hexadecimal. Default: none. */
  hash?: string | false | undefined;
  /** Keep the extension of the original in the name of the temporary file. Default false. */
  keepExtensions?: boolean | undefined;
  /** Number of fields and files together. Default 1000. */
  maxFields?: number | undefined;
  /** Total length of all fields in bytes. Default 2 MB. */
  maxFieldsSize?: number | undefined;
  /** Number of files. Default 100. */
  maxFiles?: number | undefined;
  /** Total length of all files in bytes. Default: the limit of the body. */
  maxFilesSize?: number | undefined;
  /** Folder of the temporary files. Default: the folder of the system. */
  uploadDir?: string | undefined;
}

export interface UploadedFile {
  fieldName: string;
  /** The file name from the client, without folders. */
  originalFilename: string;
  /** Path of the temporary file. */
  path: string;
  /** Bytes. */
  size: number;
  /** Alias of `originalFilename`. */
  name: string;
  /** Media type without parameters. */
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

/** By the option that sets the limit. */
interface Limits {
  maxFields: number;
  maxFieldsSize: number;
  maxFiles: number;
  maxFilesSize: number;
}

/** The parser's errors in Express 3's words. */
const WORDS: ReadonlyArray<[string, string]> = [
  ['Multipart: Boundary not found', 'content-type missing boundary: null'],
  ['Unexpected end of form', 'stream ended unexpectedly'],
  ['Unsupported content type', 'unrecognized content-type'],
];
/** The characters of an extension that are kept: nothing else of a client's file name enters a path. */
const EXTENSION = /^\.[\w-]{1,16}$/;

/**
 * Emits `field`, `file` (or `part`, without a listener for `file`) and `progress`; finally `close`, or `error` once
 * every file is removed. A client's error has a status.
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

  /** The application adds its listeners in the same tick. */
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
      process.nextTick(() => this.fail(err as Error));
      return;
    }
    this.#parser.on('field', (name, value) => this.#takeField(name, value));
    this.#parser.on('file', (name, part, info) => this.#takeFile(name, part, info));
    this.#parser.on('error', (err) => this.fail(err as Error));
    this.#parser.on('close', () => void Promise.all(this.#writing).then(() => this.#close()));
    this.#countBytes();
    finished(req, { writable: false }, (err) => err && this.fail(new Error('Request aborted')));
    req.pipe(this.#parser);
  }

  /** Stops: reads no more, removes the written files, then emits `error`. */
  fail(err: Error & { status?: number }): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#parser) {
      this.#req.unpipe(this.#parser);
      // Destroying the parser also destroys the current part and its file.
      this.#parser.destroy();
    }
    this.#req.resume();
    err.message = WORDS.reduce((message, [from, to]) => message.replace(from, to), err.message);
    // An error of the operating system is not the client's.
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

  /** @returns Whether to continue. */
  #count(limit: keyof Limits, by: number): boolean {
    this.#counted[limit] += by;
    const most = this.#limits[limit];
    // Express 3's message ends with a full stop.
    const end = limit === 'maxFields' ? '.' : '';
    if (this.#counted[limit] > most) this.fail(new Error(`${limit} ${most} exceeded${end}`));
    return !this.#isOver;
  }

  #takeField(name: string | undefined, value: string): void {
    if (!this.#count('maxFields', 1) || !this.#count('maxFieldsSize', Buffer.byteLength(value))) return;
    if (name !== undefined) this.emit('field', name, value);
  }

  #takeFile(name: string | undefined, part: Readable, info: FileInfo): void {
    // busboy emits an error when it is destroyed; the parser has reported the cause.
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
    // A new file that only its owner can read; `wx` follows no link.
    const before = this.#writing.at(-1);
    await pipeline(part, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    // Emits files in the order in which they arrived.
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
