/** Opens a file that is sent again with fewer thread-pool calls than the package send. §2.11 */
import fs from 'node:fs';
import type { SendStream } from 'send';
import { guarded, guards, isFileSystemReplaced, native, type Sending } from '../http/guarded-stream';
import { close, transfer } from './transfer';

/** The maximum number of paths in a cache. */
const MAX_PATHS = 1000;

/** An open file that this module must close, unless `transfer` sends it. */
interface Opened {
  path: string;
  fd: number;
}

// The key of the SendStream property that holds the open file.
const kOpened: unique symbol = Symbol('nozomi.opened');

export type Opening = Sending & {
  req: { method?: string };
  isConditionalGET(): unknown;
  [kOpened]?: Opened | undefined;
};

/** Returns the methods that replace those of the SendStreams of one directory. */
export function fileMembers(): Pick<SendStream, 'sendFile' | 'stream' | 'send' | 'redirect' | 'error'> {
  /** The paths of files that were sent, in the order in which they were added. */
  const known = new Map<string, true>();
  return {
    ...guards,
    redirect: guarded('redirect'),

    sendFile(this: Opening, path) {
      const sendNatively = (): void => native(this).sendFile.call(this, path);
      if (!known.has(path) || !isBodyWanted(this) || isFileSystemReplaced()) return sendNatively();
      openAndSend(this, path, () => {
        known.delete(path);
        sendNatively();
      });
    },

    stream(this: Opening, path, options) {
      const opened = this[kOpened];
      const isOpen = opened?.path === path;
      if (transfer(this, path, options, isOpen ? opened.fd : undefined)) {
        if (isOpen) this[kOpened] = undefined;
        if (!known.has(path)) remember(known, path, true);
      } else {
        guards.stream.call(this, path, options);
      }
    },
  };
}

/** Adds a path to a cache, and removes the one that was added first if there are too many. */
export function remember<Value>(cache: Map<string, Value>, path: string, value: Value): void {
  cache.delete(path);
  const [oldest] = cache.keys();
  if (cache.size === MAX_PATHS && oldest !== undefined) cache.delete(oldest);
  cache.set(path, value);
}

/** Returns false for HEAD and conditional requests, because send may respond to them without opening the file. */
export function isBodyWanted(sending: Opening): boolean {
  return sending.req.method !== 'HEAD' && !sending.isConditionalGET();
}

/** Opens the file and sends it. Calls `onMissing` if the path is not a readable file. */
export function openAndSend(sending: Opening, path: string, onMissing: () => void): void {
  fs.open(path, 'r', (error, fd) => {
    const stat = error ? undefined : statOf(fd);
    if (!stat?.isFile()) {
      if (!error) close(fd);
      onMissing();
      return;
    }
    sending[kOpened] = { path, fd };
    try {
      sending.emit('file', path, stat);
      sending.send(path, stat);
    } finally {
      if (sending[kOpened]) close(fd);
      sending[kOpened] = undefined;
    }
  });
}

function statOf(fd: number): fs.Stats | undefined {
  try {
    return fs.fstatSync(fd);
  } catch {
    return undefined;
  }
}
