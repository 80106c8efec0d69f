/** Lets a benchmark run on one processor. */
import { spawnSync } from 'node:child_process';

/**
 * Pins this process and its children to the last processor that it may use. The processors of a virtual machine can
 * differ in speed for minutes, and each peer tends to stay on one of them. Pins only on Linux, with `taskset` of
 * util-linux.
 */
export function useOneProcessor(): void {
  const taskset = (...args: string[]) =>
    spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', ...args, `${process.pid}`], {
      encoding: 'utf8',
    });
  const last = taskset().stdout?.match(/(\d+)\s*$/)?.[1];
  if (last !== undefined) taskset(last);
}
