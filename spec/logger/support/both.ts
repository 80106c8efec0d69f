/** morgan and this build on the same request and response, so that their lines can be compared. */
import type { RequestListener } from 'node:http';
import logger from 'nozomi/logger';
import { Log } from './log';
import { morgan } from './reference';

type Format = Parameters<typeof logger>[0];
type Options = Parameters<typeof logger>[1];

export interface Both {
  readonly listener: RequestListener;
  readonly ours: Log;
  readonly theirs: Log;
}

export function both(format: Format, respond: RequestListener, options: Options = {}): Both {
  const [ours, theirs] = [new Log(), new Log()];
  const reference = (morgan as unknown as typeof logger)(format, { ...options, stream: theirs });
  const build = logger(format, { ...options, stream: ours });
  return {
    ours,
    theirs,
    // This build comes first: if on-finished has a queue on the response, this build would use it.
    listener: (req, res) => build(req, res, () => reference(req, res, () => respond(req, res))),
  };
}
