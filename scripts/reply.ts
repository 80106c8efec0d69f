/** Waits for the next message of a forked process. */
import type { ChildProcess, Serializable } from 'node:child_process';

/**
 * @param message Sent first, to request the reply.
 * @throws if the process ends or reports a `problem`.
 */
export function reply<T>(child: ChildProcess, message?: Serializable): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null, signal: string | null): void => {
      child.off('message', onMessage);
      reject(new Error(`a child process ended with ${code ?? signal}`));
    };
    const onMessage = (response: unknown): void => {
      child.off('exit', onExit);
      const { problem } = response as { problem?: string };
      if (problem === undefined) resolve(response as T);
      else reject(new Error(problem));
    };
    child.once('exit', onExit);
    child.once('message', onMessage);
    if (message === undefined) return;
    // The process may have ended since the last message.
    child.send(message, (error) => error && onExit(child.exitCode, child.signalCode));
  });
}
