/**
 * Gives an application constant memory figures and no garbage-collection events, so that its page of metrics can be
 * compared. The real figures depend on the loaded code, so they differ between implementations in every run.
 */
import { syncBuiltinESMExports } from 'node:module';
import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';

const BYTES = 50_000_000;

/** Replaces process.memoryUsage and the heap statistics of V8, and hides garbage collection from observers. */
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

/** Returns a copy of an object in which a constant replaces each number. */
function withBytes<T extends object>(figures: T): T {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, typeof value === 'number' ? BYTES : value]),
  ) as T;
}
