/** Members of Node.js that @types/node lacks. This file is not published. */
import 'node:http';
import 'node:stream';

declare module 'http' {
  interface IncomingMessage {
    _addHeaderLines(list: readonly string[], length: number): void;
    upgrade: boolean | null;
    _consuming: boolean;
    _dump(): void;
  }

  interface OutgoingMessage {
    _headerSent: boolean;
    _hasBody: boolean;
    _contentLength: number | null;
    _removedContLen: boolean;
    _trailer: string;
    _closed: boolean;
    outputData: Array<{ data: string; encoding: string; callback: null }>;
    _storeHeader(statusLine: string, headers: unknown): void;
    _send(
      data: string | Uint8Array,
      encoding: BufferEncoding,
      callback?: (err?: Error | null) => void,
    ): boolean;
    _writeRaw(
      data: string | Uint8Array,
      encoding: BufferEncoding,
      callback?: (err?: Error | null) => void,
    ): boolean;
    _flush(): void;
    _finish(): void;
  }
}

declare module 'http' {
  interface Server {
    /** Options that Node.js stores on a server. */
    maxHeaderSize?: number;
    insecureHTTPParser?: boolean;
    httpValidation?: string;
    joinDuplicateHeaders?: boolean;
  }
}

declare module 'stream' {
  interface DuplexOptions {
    readable?: boolean;
  }
}
