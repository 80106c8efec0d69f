/** The option `preCompressed` of `static`: sends `app.js.br` in place of `app.js`. §2.11 · RFC 9110 §12.5.3 */
import fs, { type Stats } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { uptime } from 'node:process';
import accepts from 'accepts';
import type { SendStream } from 'send';
import vary from 'vary';
import { isFileSystemReplaced, native } from '../http/guarded-stream';
import type { ContentCoding } from '../interface';
import { fileMembers, isBodyWanted, type Opening, openAndSend, remember } from './known-files';

/** The codings in the order of preference, with the extensions of their files. */
const EXTENSIONS: Readonly<Record<ContentCoding, string>> = { br: '.br', zstd: '.zst', gzip: '.gz' };
const ALL = Object.keys(EXTENSIONS) as ContentCoding[];

/** Seconds after which the files beside a path are looked up again, to find new ones. A missing one is found at once. */
const LASTING = 1;

interface Known {
  readonly codings: readonly ContentCoding[];
  readonly until: number;
}

/** The compressed file that a stream sends in place of `path`. */
interface Twin {
  readonly path: string;
  readonly coding: ContentCoding;
}

const kTwin: unique symbol = Symbol('nozomi.twin');
type Coded = Opening & { req: IncomingMessage; [kTwin]?: Twin };

/**
 * Returns the methods that replace those of the SendStreams of one directory.
 *
 * @param chosen `true` for all codings, or the codings in the order of preference.
 * @throws {TypeError} for an unknown coding.
 */
export function precompressedMembers(chosen: true | readonly ContentCoding[]): Partial<SendStream> {
  const codings = chosen === true ? ALL : chosen;
  if (!Array.isArray(codings) || !codings.every((coding) => Object.hasOwn(EXTENSIONS, coding)))
    throw new TypeError(`option preCompressed: use true or an array of ${ALL.join(', ')}`);
  const base = fileMembers();
  const cache = new Map<string, Known>();

  /** Calls `found` with the codings for which there is a file beside `path`; synchronously if they are known. */
  function find(path: string, found: (available: readonly ContentCoding[]) => void): void {
    const known = cache.get(path);
    if (known && known.until > uptime()) return found(known.codings);
    const available = new Set<ContentCoding>();
    let pending = codings.length;
    if (pending === 0) return found([]);
    for (const coding of codings)
      fs.stat(path + EXTENSIONS[coding], (error, stat) => {
        if (!error && stat.isFile()) available.add(coding);
        if (--pending > 0) return;
        const list = codings.filter((one) => available.has(one));
        remember(cache, path, { codings: list, until: uptime() + LASTING });
        found(list);
      });
  }

  return {
    ...base,

    sendFile(this: Coded, path) {
      const known = cache.get(path);
      const coding = known && known.until > uptime() && preferred(this, known.codings);
      if (!coding || isFileSystemReplaced() || !isBodyWanted(this)) return base.sendFile.call(this, path);
      begin(this, path, coding);
      openAndSend(this, path + EXTENSIONS[coding], () => {
        cache.delete(path);
        leave(this);
        base.sendFile.call(this, path);
      });
    },

    send(this: Coded, path: string, stat: Stats) {
      if (this[kTwin]) return base.send.call(this, path, stat);
      find(path, (available) => {
        const coding = preferred(this, available);
        if (available.length > 0 && !this.res.headersSent) vary(this.res, 'Accept-Encoding');
        if (!coding) return base.send.call(this, path, stat);
        const file = path + EXTENSIONS[coding];
        fs.stat(file, (error, twin) => {
          if (error || !twin.isFile()) return base.send.call(this, path, stat);
          begin(this, path, coding);
          base.send.call(this, file, twin);
        });
      });
    },

    setHeader(this: Coded, path: string, stat: Stats) {
      const { [kTwin]: twin, res } = this;
      native(this).setHeader.call(this, twin?.path ?? path, stat);
      if (!twin) return;
      // The application may have set it in `setHeaders`: then it knows best.
      if (!res.hasHeader('Content-Encoding')) res.setHeader('Content-Encoding', twin.coding);
      const tag = `W/"${stat.size.toString(16)}-${stat.mtime.getTime().toString(16)}`;
      if (res.getHeader('ETag') === `${tag}"`) res.setHeader('ETag', `${tag}-${twin.coding}"`);
    },

    type(this: Coded, path: string) {
      native(this).type.call(this, this[kTwin]?.path ?? path);
    },

    error(this: Coded, ...args: Parameters<SendStream['error']>) {
      leave(this);
      base.error.apply(this, args);
    },
  } as Partial<SendStream>;
}

function begin(sending: Coded, path: string, coding: ContentCoding): void {
  sending[kTwin] = { path, coding };
  if (!sending.res.headersSent) vary(sending.res, 'Accept-Encoding');
}

/** Undoes `begin`, so that an error response has no `Content-Encoding`. */
function leave(sending: Coded): void {
  if (!sending[kTwin]) return;
  delete sending[kTwin];
  if (!sending.res.headersSent) sending.res.removeHeader('Content-Encoding');
}

interface Negotiator {
  encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
}

/** Returns the coding that the client prefers, and among equals the first; undefined to send the file as it is. */
function preferred({ req }: Coded, available: readonly ContentCoding[]): ContentCoding | undefined {
  if (available.length === 0 || !req.headers['accept-encoding']) return undefined;
  // @types/accepts does not declare it.
  const negotiator: Negotiator = Reflect.get(accepts(req), 'negotiator');
  const choices = [...available, 'identity'];
  const [best] = negotiator.encodings(choices, { preferred: choices });
  return available.find((coding) => coding === best);
}
