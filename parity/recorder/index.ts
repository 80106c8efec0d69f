/** The entry point `nozomi/recorder`: records what an application is asked, for `nozomi parity`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Recorder, type RecorderOptions } from './recorder';

export type { RecorderOptions } from './recorder';
export type { ScrubOptions } from './scrub';

/**
 * Middleware that records requests with their responses as HAR. Use it before all others.
 *
 * Cookies, authorization, passwords, tokens and e-mail addresses are masked; of each route, status and shape of bodies
 * one request is kept. Where the file cannot be written any more, recording stops with a process warning.
 *
 * @throws Error of node:fs where the file cannot be opened.
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
