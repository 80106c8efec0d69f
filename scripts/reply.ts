import type { ChildProcess, Serializable } from 'node:child_process';

/**
 * Waits for the next message of a forked process.
 *
 * @param message A message to send first, to which the process replies.
 * @throws Error if the process ends, or if its message has a `problem`.
 */
export function reply<T>(child: ChildProcess, message?: Serializable): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null, signal: string | null): void => {
      child.off('message', onMessage);
      reject(new Error(`a child process ended with ${code ?? signal}, before it sent a reply`));
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
    // Sending fails if the process ended after its last message.
    child.send(message, (error) => error && onExit(child.exitCode, child.signalCode));
  });
}
