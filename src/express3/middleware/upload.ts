/** Parses one multipart body: emits its fields and saves its files. If the request fails, it removes the files. §9.3 */
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
import { isError } from '../../internal/error-code';

export interface UploadOptions {
  /** A hash algorithm such as `md5`. Each file then has a `hash` in hexadecimal. Default: none. */
  hash?: string | false | undefined;
  /** Whether a temporary file keeps the extension of its original name. Default false. */
  keepExtensions?: boolean | undefined;
  /** The maximum number of fields and files together. Default 1000. */
  maxFields?: number | undefined;
  /** The maximum length of all fields together in bytes. Default 2 MB. */
  maxFieldsSize?: number | undefined;
  /** The maximum number of files. Default 100. */
  maxFiles?: number | undefined;
  /** The maximum length of all files together in bytes. Default: the limit of the body. */
  maxFilesSize?: number | undefined;
  /** The folder for the temporary files. Default: the temporary folder of the operating system. */
  uploadDir?: string | undefined;
}

export interface UploadedFile {
  fieldName: string;
  /** The file name that the client sent, without folders. */
  originalFilename: string;
  /** The path of the temporary file. */
  path: string;
  /** The length of the file in bytes. */
  size: number;
  /** The same as `originalFilename`. */
  name: string;
  /** The media type that the client sent, without parameters. */
  type: string;
  lastModifiedDate: Date;
  hash?: string;
}

/** The part of busboy's interface that this module uses. */
export type CreateParser = (config: {
  headers: IncomingMessage['headers'];
  defParamCharset: string;
  limits: { fieldSize: number };
}) => Writable;

interface FileInfo {
  filename?: string;
  mimeType: string;
}

/** A number for each limit, by the name of its option: either the maximum or the current count. */
interface Limits {
  maxFields: number;
  maxFieldsSize: number;
  maxFiles: number;
  maxFilesSize: number;
}

/** Error messages of busboy, each with the message of Express 3 that replaces it. */
const MESSAGES: ReadonlyArray<[string, string]> = [
  ['Multipart: Boundary not found', 'content-type missing boundary: null'],
  ['Unexpected end of form', 'stream ended unexpectedly'],
  ['Unsupported content type', 'unrecognized content-type'],
];
/** A safe extension. Only the extension of a client's file name ever becomes part of a path. */
const EXTENSION = /^\.[\w-]{1,16}$/;

/**
 * Parses one body. Emits `field`, `progress`, and `file` for each file; without a listener for `file`, it emits `part`.
 *
 * At the end it emits `close`, or `error` after it has removed all files. An error that the client caused has a status.
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

  /** Starts parsing. No event is emitted before the next tick, so that the caller can add its listeners first. */
  constructor(req: IncomingMessage, createParser: CreateParser, options: UploadOptions & { limit: number }) {
    super();
    this.#req = req;
    this.#options = options;
    const { maxFields = 1000, maxFieldsSize = 2 * 1024 * 1024, maxFiles = 100 } = options;
    const { maxFilesSize = Number.POSITIVE_INFINITY } = options;
    this.#limits = { maxFields, maxFieldsSize, maxFiles, maxFilesSize };
    try {
      // One byte more than the limit, to detect fields that exceed it.
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
    err.message = MESSAGES.reduce((message, [from, to]) => message.replace(from, to), err.message);
    // A failed system call, such as a write to a full disk, is not the client's fault and gets no status.
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

  /**
   * Adds to the count of a limit. If the count exceeds the limit, fails the upload.
   *
   * @returns Whether the upload may continue.
   */
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
    // When `fail` destroys busboy, the part emits an error, too. `fail` has already reported the cause.
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
    const before = this.#writing.at(-1);
    // Only the owner can read the file. The flag `wx` refuses an existing file or link.
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    const closed = new Promise<void>((resolve) => target.once('close', () => resolve()));
    // A pipeline that fails can reject before the file is open. A file that is created later would never be removed.
    await pipeline(part, target).finally(() => closed);
    // Wait for the previous file, so that `file` events have the order of the parts in the body.
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
