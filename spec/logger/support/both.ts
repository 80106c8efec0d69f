/** Runs morgan and this logger on the same requests, to compare their lines. */
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
    // This logger comes first, to test its own listeners: after morgan it would use on-finished, as morgan does.
    listener: (req, res) => build(req, res, () => reference(req, res, () => respond(req, res))),
  };
}
