/** Preloaded by `nozomi record` into the process of the application. */
import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as SecureServer } from 'node:https';
import { Recorder, type RecorderOptions } from './recorder';

const options = JSON.parse(process.env.NOZOMI_RECORD ?? '{}') as RecorderOptions;
delete process.env.NOZOMI_RECORD;
const recorder = new Recorder({ ...options, perSecond: Number.POSITIVE_INFINITY });
for (const { prototype } of [Server, SecureServer]) {
  const { emit } = prototype;
  Object.defineProperty(prototype, 'emit', {
    configurable: true,
    writable: true,
    value(this: Server, event: string, req: unknown, res: unknown) {
      if (event === 'request' && req instanceof IncomingMessage && res instanceof ServerResponse)
        recorder.observe(req, res);
      // biome-ignore lint/complexity/noArguments: forwards all arguments
      return Reflect.apply(emit, this, arguments);
    },
  });
}
process.once('exit', () => {
  process.stderr.write(`recorded ${recorder.entries} requests in ${options.file}\n`);
});
// Without a listener, Node.js would end before `exit`. The application may have its own listeners for these signals.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    if (process.listenerCount(signal) === 0) process.exit();
  });
