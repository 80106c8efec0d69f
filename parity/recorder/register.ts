/** `nozomi-parity record` preloads this file into the process of an application, to record the requests. */
import cluster from 'node:cluster';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Http2ServerRequest } from 'node:http2';
import { Server } from 'node:net';
import { join, parse } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { Recorder, type RecorderOptions } from './recorder';

export interface PreloadedOptions extends RecorderOptions {
  /** The process id of `nozomi-parity record`. */
  readonly parent: number;
  /** Whether the command removes the recording, so that its path helps no user; default false. */
  readonly isTemporary?: boolean;
}

const { parent, isTemporary, ...options } = JSON.parse(process.env.NOZOMI_RECORD ?? '{}') as PreloadedOptions;
// Threads and processes that the application starts also preload this file, as does the thread of module hooks, which Yarn
// Plug'n'Play uses. Of those, only cluster workers are recorded: another recorder would replace the file.
if (isMainThread && process.ppid === parent) record(options.file);
else if (isMainThread && cluster.worker) record(fileOfWorker(options.file, cluster.worker.id));

/** Returns the file of a cluster worker: `traffic-2.har` for worker 2. */
function fileOfWorker(file: string, worker: number): string {
  const { dir, name, ext } = parse(file);
  return join(dir, `${name}-${worker}${ext}`);
}

function record(file: string): void {
  const recorder = new Recorder({ ...options, file, perSecond: Number.POSITIVE_INFINITY });
  // Patch `emit` of net.Server: the servers of node:http, node:https and node:http2 inherit it.
  const { prototype } = Server;
  const { emit } = prototype;
  Object.defineProperty(prototype, 'emit', {
    configurable: true,
    writable: true,
    value(this: Server, event: string, req: unknown, res: unknown) {
      if (event === 'request' && req instanceof IncomingMessage && res instanceof ServerResponse)
        recorder.observe(req, res);
      else if (event === 'request' && req instanceof Http2ServerRequest)
        // Casts: node:http2 gives its objects the members of node:http that the recorder uses.
        recorder.observe(req as unknown as IncomingMessage, res as ServerResponse);
      else if (event === 'upgrade') recorder.skip('WebSockets and other upgrades');
      // biome-ignore lint/complexity/noArguments: forwards all arguments
      return Reflect.apply(emit, this, arguments);
    },
  });
  process.once('exit', () => {
    const lines = [
      `recorded ${recorder.entries} ${recorder.entries === 1 ? 'request' : 'requests'}${isTemporary ? '' : ` in ${file}`}`,
      ...recorder.summary(isTemporary),
    ];
    process.stderr.write(`${lines.join('\n  ')}\n`);
  });
  // Without a listener, a signal would end Node.js without an `exit` event. If the application has a listener,
  // that listener decides when to exit. The listener stays, because Ctrl+C in a terminal signals this process, too: with
  // the signal that `nozomi-parity record` passes on, the second one would end Node.js before the summary is written.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit();
    });
}
