/** A child process that serves one peer and replies to each message. */
import { type ChildProcess, fork } from 'node:child_process';
import { openSync } from 'node:fs';
import { devNull } from 'node:os';
import { reply } from '../reply';

export interface Child {
  /** @throws if the process ends or reports a problem. */
  ask<T>(message: object): Promise<T>;
  end(): void;
}

/** The same size of the young generation for every peer, because it determines how often V8 collects garbage. */
const FLAGS = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

/** The destination of standard output. */
const NULL = openSync(devNull, 'w');

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** @param program The path of a CommonJS module. @param node The path of the Node.js that runs it. */
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
