/**
 * Prints the spec files that use most CPU time, if SLOWEST is set: `SLOWEST=20 npx mocha spec/logger` prints twenty. Hooks
 * are included. The CPU time of processes that a spec starts is only known on Linux, and counts when they have ended.
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Context, RootHookObject } from 'mocha';

interface Time {
  readonly elapsed: number;
  readonly used: number;
}

const STAT = '/proc/self/stat';
/** The unit of times in /proc, in seconds. */
const TICK = 0.01;

const most = Number(process.env.SLOWEST ?? 0);
const times = new Map<string, Time>();
let last = now();

export const mochaHooks: RootHookObject =
  most > 0
    ? {
        beforeAll() {
          last = now();
        },
        afterEach(this: Context) {
          const file = relative(process.cwd(), this.currentTest?.file ?? '');
          const { elapsed, used } = times.get(file) ?? { elapsed: 0, used: 0 };
          const time = now();
          times.set(file, {
            elapsed: elapsed + time.elapsed - last.elapsed,
            used: used + time.used - last.used,
          });
          last = time;
        },
        afterAll() {
          const sorted = [...times].sort(([, left], [, right]) => right.used - left.used).slice(0, most);
          for (const [file, { elapsed, used }] of sorted)
            console.log(`${used.toFixed(1)} CPU s, ${elapsed.toFixed(1)} s  ${file}`);
        },
      }
    : {};

/** @returns Seconds since the process started, and CPU seconds of this process and of the ended processes that it started. */
function now(): Time {
  const { user, system } = process.cpuUsage();
  // The fields after the name of the program, which may contain spaces. See `man proc`: cutime, cstime.
  const fields = existsSync(STAT)
    ? readFileSync(STAT, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')
    : [];
  const children = Number(fields[13] ?? 0) + Number(fields[14] ?? 0);
  return { elapsed: performance.now() / 1000, used: (user + system) / 1e6 + children * TICK };
}
