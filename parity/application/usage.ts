/**
 * Fixes what an application reads about the memory of its process and about garbage collection, for pages of metrics.
 * These figures depend on the code that is loaded, are often the same in every run, and are no part of a response.
 */
import { syncBuiltinESMExports } from 'node:module';
import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';

const BYTES = 50_000_000;

export function fixUsage(): void {
  const { memoryUsage } = process;
  const { getHeapStatistics, getHeapSpaceStatistics } = v8;
  process.memoryUsage = Object.assign(() => withBytes(memoryUsage()), { rss: () => BYTES });
  v8.getHeapStatistics = () => withBytes(getHeapStatistics());
  v8.getHeapSpaceStatistics = () => getHeapSpaceStatistics().map(withBytes);
  const { observe } = PerformanceObserver.prototype;
  PerformanceObserver.prototype.observe = function (options) {
    const isGc = 'type' in options ? options.type === 'gc' : options.entryTypes?.includes('gc');
    if (!isGc) Reflect.apply(observe, this, [options]);
  };
  syncBuiltinESMExports();
}

/** The same members, with a constant for each number. */
function withBytes<T extends object>(figures: T): T {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, typeof value === 'number' ? BYTES : value]),
  ) as T;
}
