/** `compress`: compresses responses with the package compression. §9.3 F-9.3-103 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadPackage, withMembers } from './load-package';
import type { Middleware } from './types';

export interface CompressOptions {
  chunkSize?: number | undefined;
  /** Returns whether to compress a response. Default: true for media types that compress well, such as text. */
  filter?: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined;
  /** The compression level, 0 (none) to 9 (best). -1, the default of zlib, is a compromise. */
  level?: number | undefined;
  memLevel?: number | undefined;
  strategy?: number | undefined;
  /** The minimum length of a body to compress: bytes, or a string such as `'1kb'`. Default 1024. */
  threshold?: number | string | undefined;
  windowBits?: number | undefined;
}

interface Compress {
  (options?: CompressOptions): Middleware;
  readonly filter: NonNullable<CompressOptions['filter']>;
}

const library = (): Compress =>
  loadPackage<Compress>('compress', 'compression', () => require('compression'));

/** Compresses responses, with the package compression. */
export const compress: Compress = withMembers(
  function compress(options?: CompressOptions): Middleware {
    return library()(options);
  },
  ['filter'],
  library,
);
