/** Starts a child process that serves one peer, on the processor of servers, and replies to each IPC message. */
import { type ChildProcess, fork } from 'node:child_process';
import { openSync } from 'node:fs';
import { devNull } from 'node:os';
import { YOUNG_GENERATION } from '../../parity/client/load';
import { pinServer } from '../../parity/client/processors';
import { reply } from '../../parity/harness/processes';

export interface Child {
  /** Sends a message and waits for the reply. @throws Error if the process ends or reports a problem. */
  ask<T>(message: object): Promise<T>;
  end(): void;
}

/** Discards the standard output of the child processes. */
const NULL = openSync(devNull, 'w');

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts a CommonJS module in its own process.
 *
 * @param program The path of the module.
 * @param node The path of the Node.js binary.
 * @param flags Command-line flags for Node.js; default a fixed size of the young generation.
 */
export function start(program: string, node: string, flags: readonly string[] = YOUNG_GENERATION): Child {
  const child = fork(program, {
    execPath: node,
    execArgv: [...flags],
    stdio: ['ignore', NULL, 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production', NO_DEPRECATION: '*', NODE_OPTIONS: '' },
  });
  running.add(child);
  pinServer(child.pid);
  return {
    ask: (message) => reply(child, message),
    end() {
      running.delete(child);
      child.kill('SIGKILL');
    },
  };
}
