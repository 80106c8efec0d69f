/**
 * Pins servers whose speed is compared to one processor, and their client to another. The processors of a virtual machine can
 * differ in speed for minutes, and without this each server tends to stay on one of them. Only on Linux, with `taskset`
 * of util-linux.
 */
import { spawnSync } from 'node:child_process';

// What follows the colon of `pid 42's current affinity list: 0,2-3`. Read before `pinClient` changes it.
const allowed = taskset('--pid', `${process.pid}`)?.split(': ')[1]?.trim();

/** Lets this process run on the first allowed processor only, until `freeClient`. */
export function pinClient(): void {
  pin(process.pid, allowed?.match(/^\d+/)?.[0]);
}

/** Lets this process, and those that it starts, run on all allowed processors again. */
export function freeClient(): void {
  pin(process.pid, allowed);
}

/** Lets a process run on the last allowed processor only. */
export function pinServer(pid: number | undefined): void {
  pin(pid, allowed?.match(/\d+$/)?.[0]);
}

function pin(pid: number | undefined, processors: string | undefined): void {
  if (pid && processors) taskset('--all-tasks', '--pid', processors, `${pid}`);
}

/** @returns The output; null without `taskset`. */
function taskset(...args: string[]): string | null {
  return spawnSync('taskset', ['--cpu-list', ...args], { encoding: 'utf8' }).stdout;
}
