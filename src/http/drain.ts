/** Waits until more data can be written to a response. */
import type { ServerResponse } from 'node:http';

/** Calls `onDrain` at the event `drain`, or `onGone` at the event `close`, whichever comes first. */
export function waitForDrain(res: ServerResponse, onDrain: () => void, onGone: () => void): void {
  const settle = (callback: () => void) => (): void => {
    res.removeListener('drain', drained);
    res.removeListener('close', gone);
    callback();
  };
  const drained = settle(onDrain);
  const gone = settle(onGone);
  res.on('drain', drained);
  res.on('close', gone);
}
