/** `compress`: compressed responses, by compression. §9.3 F-9.3-103 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { optional } from './optional';
import type { Middleware } from './types';

export interface CompressOptions {
  chunkSize?: number | undefined;
  /** Whether to compress this response. Default: if its media type compresses well. */
  filter?: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined;
  /** -1 … 9. */
  level?: number | undefined;
  memLevel?: number | undefined;
  strategy?: number | undefined;
  /** Minimum length to compress: bytes, or text such as `'1kb'`. Default 1024. */
  threshold?: number | string | undefined;
  windowBits?: number | undefined;
}

interface Compress {
  (options?: CompressOptions): Middleware;
  /** The default filter. */
  readonly filter: NonNullable<CompressOptions['filter']>;
}

const library = (): Compress => optional<Compress>('compress', 'compression', () => require('compression'));

export const compress: Compress = Object.defineProperty(
  function compress(options?: CompressOptions): Middleware {
    return library()(options);
  },
  'filter',
  { get: () => library().filter, enumerable: true },
) as Compress;
