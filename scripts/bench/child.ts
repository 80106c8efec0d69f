/** A process of its own that serves one peer, and answers one message with one message. */
import { type ChildProcess, fork } from 'node:child_process';
import { openSync } from 'node:fs';
import { devNull } from 'node:os';
import { reply } from '../reply';

export interface Child {
  /** @throws when the process ends, or could not do it. */
  ask<T>(message: object): Promise<T>;
  end(): void;
}

/** The same young generation for everybody: what a peer allocates must not decide how often it is swept. */
const FLAGS = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/** Where standard output goes. */
const NULL = openSync(devNull, 'w');

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** @param program Path of a CommonJS module; `node` of the Node.js that runs it. */
export function start(program: string, node: string, flags: readonly string[] = FLAGS): Child {
  const child = fork(program, {
    execPath: node,
    execArgv: [...flags],
    stdio: ['ignore', NULL, 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production', NO_DEPRECATION: '*', NODE_OPTIONS: '' },
  });
  running.add(child);
  return {
    ask: (message) => reply(child, message),
    end() {
      running.delete(child);
      child.kill('SIGKILL');
    },
  };
}
