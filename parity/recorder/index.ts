/** Entry point `nozomi-parity/recorder`: records the requests to an application, for `nozomi-parity`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Recorder, type RecorderOptions } from './recorder';

export type { RecorderOptions } from './recorder';
export type { ScrubOptions } from './scrub';

/**
 * Creates middleware that records requests with their responses as HAR. Use it before all other middleware.
 *
 * By default it masks cookies, authorization, passwords, tokens, keys and e-mail addresses, and replaces bodies that are
 * not text. It keeps each request that changes state, each whose response a later one uses, and otherwise one for each
 * method, route, status, content type and set of body members. If it cannot write the file, it stops recording with a
 * process warning.
 *
 * @throws Error if the file is a symbolic link, or node:fs cannot open it. No middleware is created then.
 * @example app.use(recorder({ file: 'traffic.har', scrub: { members: ['nickname'] } }));
 */
export function recorder(
  options: RecorderOptions,
): (req: IncomingMessage, res: ServerResponse, next: () => void) => void {
  const recording = new Recorder(options);
  return function recorder(req, res, next) {
    recording.observe(req, res);
    next();
  };
}
