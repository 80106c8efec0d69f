/**
 * Ends a child process with everything that it has started. An application may start other processes, which would go on
 * and keep the pipes of the child open.
 */
import type { ChildProcess } from 'node:child_process';

/** Whether the system has process groups. Windows has none, and would open a window for `detached`. */
export const HAS_GROUPS: boolean = process.platform !== 'win32';

/** How many milliseconds to wait for the pipes of a process that has ended. Another process may keep them open. */
const PIPES = 1000;

/** Signals the group that a process leads. Returns false if there is none. */
export function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals | number): boolean {
  if (pid === undefined || !HAS_GROUPS) return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    return false; // No process of the group is left.
  }
}

/**
 * Makes `close` follow `exit` within a second.
 *
 * @param leadsGroup Whether the process leads a group, which then ends with it.
 */
export function closeAfterExit(child: ChildProcess, leadsGroup: boolean): void {
  child.once('exit', () => {
    if (leadsGroup) killGroup(child, 'SIGKILL');
    setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, PIPES).unref();
  });
}
