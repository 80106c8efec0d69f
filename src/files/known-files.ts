/**
 * Serves files that were sent before. Opening such a file and calling `fstat` takes one thread-pool call less than
 * `stat` and then `open`, as send does. §2.11
 */
import fs from 'node:fs';
import type { SendStream } from 'send';
import { close, type Sending, transfer } from './transfer';

/** Paths that are remembered. */
const MOST = 1000;

/** An open file that no stream closes yet. */
interface Opened {
  path: string;
  fd: number;
}

// Property of a SendStream.
const kOpened: unique symbol = Symbol('nozomi.opened');

type Opening = Sending & {
  req: { method?: string };
  isConditionalGET(): unknown;
  [kOpened]?: Opened | undefined;
};

/** Overrides members of the SendStreams of one directory. */
export function fileMembers(): Pick<SendStream, 'sendFile' | 'stream'> {
  /** Least recently sent path first. */
  const known = new Set<string>();
  return {
    sendFile(this: Opening, path) {
      if (known.has(path) && isBodyWanted(this)) openAndSend(this, path, known);
      else native(this).sendFile.call(this, path);
    },

    stream(this: Opening, path, options) {
      const opened = this[kOpened];
      const isOpen = opened?.path === path;
      if (transfer(this, path, options, isOpen ? opened.fd : undefined)) {
        if (isOpen) this[kOpened] = undefined;
        remember(known, path);
      } else {
        native(this).stream.call(this, path, options);
      }
    },
  };
}

function remember(known: Set<string>, path: string): void {
  if (known.has(path)) return;
  const [oldest] = known;
  if (known.size === MOST && oldest !== undefined) known.delete(oldest);
  known.add(path);
}

/** Do not open a file for a request that send refuses. */
function isBodyWanted(sending: Opening): boolean {
  return sending.req.method !== 'HEAD' && !sending.isConditionalGET();
}

/** send handles everything but a readable file. */
function openAndSend(sending: Opening, path: string, known: Set<string>): void {
  fs.open(path, 'r', (error, fd) => {
    const stat = error ? undefined : statOf(fd);
    if (!stat?.isFile()) {
      known.delete(path);
      if (!error) close(fd);
      native(sending).sendFile.call(sending, path);
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

function native(sending: Opening): SendStream {
  return Object.getPrototypeOf(sending);
}
