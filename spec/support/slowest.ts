/** Prints the slowest spec files if SLOWEST is set. `SLOWEST=20 npm run spec` prints twenty. Hooks are included. */
import { relative } from 'node:path';
import type { Context, RootHookObject } from 'mocha';

const most = Number(process.env.SLOWEST ?? 0);
const seconds = new Map<string, number>();
let last = performance.now();

export const mochaHooks: RootHookObject =
  most > 0
    ? {
        beforeAll() {
          last = performance.now();
        },
        afterEach(this: Context) {
          const file = relative(process.cwd(), this.currentTest?.file ?? '');
          const now = performance.now();
          seconds.set(file, (seconds.get(file) ?? 0) + (now - last) / 1000);
          last = now;
        },
        afterAll() {
          const sorted = [...seconds].sort(([, left], [, right]) => right - left).slice(0, most);
          for (const [file, time] of sorted) console.log(`${time.toFixed(1)} s  ${file}`);
        },
      }
    : {};
