/** Runs commands, and starts and ends the processes and ports that specs and release checks need. */
import { type ChildProcess, execFileSync, type Serializable } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Runs a command and returns its standard output. If the command fails, prints all output. @throws Error if it fails. */
export function run(command: string, args: readonly string[], cwd: string): string {
  try {
    const shell = command === 'npm' && process.platform === 'win32';
    return execFileSync(command, args, { cwd, encoding: 'utf8', shell, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (err) {
    const { stdout, stderr } = err as { stdout: string; stderr: string };
    console.error(stdout + stderr);
    throw new Error(`${command} ${args.join(' ')} failed, see the output above`);
  }
}

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

/** Ends a process, and waits until it has ended. Kills it if the signal does not end it within 20 s. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  const clock = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(clock);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Waits until a server listens.
 *
 * @param child The process of the server, to stop waiting if it ends.
 * @param patience Milliseconds to wait; default 10 s.
 * @throws Error if none listens in this time.
 */
export async function untilListening(port: number, child?: ChildProcess, patience = 10_000): Promise<void> {
  for (const late = Date.now() + patience; Date.now() < late; await pause(50)) {
    if (child && child.exitCode !== null)
      throw new Error(`the process ended with exit code ${child.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
  }
  throw new Error(`nothing listens on port ${port} within ${patience / 1000} s`);
}
