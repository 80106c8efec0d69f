/**
 * The function `express.static` of Express 4. It serves the files of a directory as serve-static 1.16 does. E4-A4, E4-H
 */
import type { ServeStaticOptions } from 'serve-static';
import { serveFiles } from '../files/serve-static';
import type api from './interface';
import type { Response } from './interface';
import { mime } from './mime';
import { openFile } from './send-stream';

export const serveStatic: typeof api.static = Object.assign(
  (root: string, options?: ServeStaticOptions<Response>) => serveFiles(root, options, openFile),
  { mime },
);
