/** One multipart body: its fields told, its files written, and no trace of it left where it fails. §9.3 */
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
  /** Name of an algorithm, `md5` say: files tell their `hash`, in hexadecimal. Default: they do not. */
  hash?: string | false | undefined;
  /** The temporary file has the extension of the original. Default false. */
  keepExtensions?: boolean | undefined;
  /** Fields and files together. Default 1000. */
  maxFields?: number | undefined;
  /** Bytes of all fields together. Default 2 MB. */
  maxFieldsSize?: number | undefined;
  /** Default 100. */
  maxFiles?: number | undefined;
  /** Bytes of all files together. Default: as many as the body may have. */
  maxFilesSize?: number | undefined;
  /** Folder of the temporary files. Default: that of the system. */
  uploadDir?: string | undefined;
}

export interface UploadedFile {
  fieldName: string;
  /** As the client gave it, without folders. */
  originalFilename: string;
  /** Of the temporary file. */
  path: string;
  /** Bytes. */
  size: number;
  /** `originalFilename` by another name. */
  name: string;
  /** Media type, without parameters. */
  type: string;
  lastModifiedDate: Date;
  hash?: string;
}

/** busboy, as far as it is needed. */
export type CreateParser = (config: {
  headers: IncomingMessage['headers'];
  defParamCharset: string;
  limits: { fieldSize: number };
}) => Writable;

interface FileInfo {
  filename?: string;
  mimeType: string;
}

/** By the option that sets it. */
interface Limits {
  maxFields: number;
  maxFieldsSize: number;
  maxFiles: number;
  maxFilesSize: number;
}

/** What the parser says, in the words of the reference. */
const WORDS: ReadonlyArray<[string, string]> = [
  ['Multipart: Boundary not found', 'content-type missing boundary: null'],
  ['Unexpected end of form', 'stream ended unexpectedly'],
  ['Unsupported content type', 'unrecognized content-type'],
];
/** Of an extension that is kept; nothing else of a name comes into a path. */
const EXTENSION = /^\.[\w-]{1,16}$/;

/**
 * Tells of `field`, `file` (or `part`, where nobody listens for `file`) and `progress`; at the end `close`, or
 * `error` once every file is removed. An error of the client has a status.
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

  /** Listeners are added in the same turn. */
  constructor(req: IncomingMessage, createParser: CreateParser, options: UploadOptions & { limit: number }) {
    super();
    this.#req = req;
    this.#options = options;
    const { maxFields = 1000, maxFieldsSize = 2 * 1024 * 1024, maxFiles = 100 } = options;
    const { maxFilesSize = Number.POSITIVE_INFINITY } = options;
    this.#limits = { maxFields, maxFieldsSize, maxFiles, maxFilesSize };
    try {
      // One byte more than is taken, so that too much is seen.
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

  /** End it: nothing more is read, what is written is removed, then `error` is told. */
  fail(err: Error & { status?: number }): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#parser) {
      this.#req.unpipe(this.#parser);
      // With it goes the part it is in, and the writing of that.
      this.#parser.destroy();
    }
    this.#req.resume();
    err.message = WORDS.reduce((message, [from, to]) => message.replace(from, to), err.message);
    // What the system refuses is no fault of the client.
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

  /** @returns Whether to go on. */
  #count(limit: keyof Limits, by: number): boolean {
    this.#counted[limit] += by;
    const most = this.#limits[limit];
    // The full stop is the reference's.
    const end = limit === 'maxFields' ? '.' : '';
    if (this.#counted[limit] > most) this.fail(new Error(`${limit} ${most} exceeded${end}`));
    return !this.#isOver;
  }

  #takeField(name: string | undefined, value: string): void {
    if (!this.#count('maxFields', 1) || !this.#count('maxFieldsSize', Buffer.byteLength(value))) return;
    if (name !== undefined) this.emit('field', name, value);
  }

  #takeFile(name: string | undefined, part: Readable, info: FileInfo): void {
    // Ended early, it says so; the parser has said why.
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
    // A new file, the owner's alone: no link is followed, nobody else reads it.
    const before = this.#writing.at(-1);
    await pipeline(part, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    // Files are told in the order in which they came.
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
