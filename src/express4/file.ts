/** The file methods of the Express 4 response: `sendFile`, `sendfile` and `download`. E4-D7, E4-F31 to E4-F39 */
import deprecateFor from 'depd';
import type { SendFileOptions } from 'express-serve-static-core';
import { type Done, fileMethods, sendPath } from '../response/file';
import type { AnyResponse, Part } from '../types';
import { openFile } from './send-stream';
import { express4 } from './series';
import type { Response } from './types';

const deprecate = deprecateFor('express');

export const file: Part<Response, 'sendFile' | 'sendfile' | 'download'> = {
  ...fileMethods<Response>(express4.response, open),

  /** Sends a file. The path is percent-encoded and, without `root`, relative to the working directory. */
  sendfile: deprecate.function(function (
    this: Response,
    path: string,
    options?: SendFileOptions | Done,
    callback?: Done,
  ) {
    sendPath(this, path, options, callback, open);
  }, 'res.sendfile: Use res.sendFile instead'),
};

function open({ req }: AnyResponse, path: string, options: SendFileOptions): ReturnType<typeof openFile> {
  // As in Express 4, a primitive value is valid, and has no options.
  return openFile(req, path, Object(options));
}
