/**
 * Pins the servers of a benchmark to one processor, and its client to another. The processors of a virtual machine can
 * differ in speed for minutes, and without this each server tends to stay on one of them. Only on Linux, with `taskset`
 * of util-linux.
 */
import { spawnSync } from 'node:child_process';

// Read before `pinClient` changes it: `pid 42's current affinity list: 0,2-3`.
const allowed = taskset('--pid', `${process.pid}`)?.match(/\d+/g)?.slice(1);

/** Lets this process run on the first allowed processor only. */
export function pinClient(): void {
  if (allowed) taskset('--all-tasks', '--pid', `${allowed[0]}`, `${process.pid}`);
}

/** Lets a process run on the last allowed processor only. */
export function pinServer(pid: number | undefined): void {
  if (allowed && pid) taskset('--all-tasks', '--pid', `${allowed.at(-1)}`, `${pid}`);
}

/** @returns The output; null without `taskset`. */
function taskset(...args: string[]): string | null {
  return spawnSync('taskset', ['--cpu-list', ...args], { encoding: 'utf8' }).stdout;
}
