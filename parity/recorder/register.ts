/** Preloaded by `nozomi record` into the process of the application. */
import cluster from 'node:cluster';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { join, parse } from 'node:path';
import { Recorder, type RecorderOptions } from './recorder';

interface Given extends RecorderOptions {
  /** The process of `nozomi record`. */
  readonly parent: number;
}

const { parent, ...options } = JSON.parse(process.env.NOZOMI_RECORD ?? '{}') as Given;
// Processes that the application forks preload this file too: of those, only cluster workers are recorded.
if (process.ppid === parent) record(options.file);
else if (cluster.worker) record(besides(options.file, cluster.worker.id));

/** `traffic.har` for worker 2 is `traffic-2.har`. */
function besides(file: string, worker: number): string {
  const { dir, name, ext } = parse(file);
  return join(dir, `${name}-${worker}${ext}`);
}

function record(file: string): void {
  const recorder = new Recorder({ ...options, file, perSecond: Number.POSITIVE_INFINITY });
  // The servers of node:http, node:https and node:http2 inherit from it.
  const { prototype } = Server;
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
  process.once('exit', () => {
    process.stderr.write(`recorded ${recorder.entries} requests in ${file}\n`);
  });
  // Without a listener, Node.js would end before `exit`. The application may have its own listeners for these signals.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      if (process.listenerCount(signal) === 0) process.exit();
    });
}
