/** `compress`: compresses responses, by the package compression. §9.3 F-9.3-103 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { optional, withMembers } from './optional';
import type { Middleware } from './types';

export interface CompressOptions {
  chunkSize?: number | undefined;
  /** Decides whether to compress a response. Default: whether its media type compresses well. */
  filter?: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined;
  /** The compression level, -1 to 9. */
  level?: number | undefined;
  memLevel?: number | undefined;
  strategy?: number | undefined;
  /** The minimum length of a compressed body: bytes, or a string such as `'1kb'`. Default 1024. */
  threshold?: number | string | undefined;
  windowBits?: number | undefined;
}

interface Compress {
  (options?: CompressOptions): Middleware;
  /** The default filter. */
  readonly filter: NonNullable<CompressOptions['filter']>;
}

const library = (): Compress => optional<Compress>('compress', 'compression', () => require('compression'));

export const compress: Compress = withMembers(
  function compress(options?: CompressOptions): Middleware {
    return library()(options);
  },
  ['filter'],
  library,
);
