/**
 * Files below a directory, as serve-static 1.16 serves them. E4-A4, E4-H
 */
import type { ServerResponse } from 'node:http';
import type { RequestHandler, ServeStaticOptions } from 'serve-static';
import type { Mime } from '../earlier/mime';
import { serveFiles } from '../files/serve-static';
import { mime } from './mime';
import { openFile } from './send-stream';

interface ServeStatic {
  /**
   * Serve the files below `root`.
   *
   * @throws {TypeError} without a root, and for a root or `setHeaders` of another type.
   */
  (root: string, options?: ServeStaticOptions<ServerResponse>): RequestHandler<ServerResponse>;
  /** The media types that responses of this series have by extension. */
  mime: Mime;
}

export const serveStatic: ServeStatic = Object.assign(
  (root: string, options?: ServeStaticOptions<ServerResponse>) => serveFiles(root, options, openFile),
  { mime },
);
