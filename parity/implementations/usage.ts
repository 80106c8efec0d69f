/**
 * Gives an application constant memory figures and no garbage-collection events, so that its page of metrics can be
 * compared. The real figures depend on the loaded code, so they differ between implementations in every run. The
 * constants are those of a small application, in the relations that real ones have: guards against overload compare them.
 */
import { syncBuiltinESMExports } from 'node:module';
import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';

const MB = 1024 * 1024;

const MEMORY = { rss: 90 * MB, heapTotal: 40 * MB, heapUsed: 24 * MB, external: 3 * MB, arrayBuffers: MB };

/** Replaces process.memoryUsage and the heap statistics of V8, and hides garbage collection from observers. */
export function fixUsage(): void {
  const { memoryUsage, resourceUsage } = process;
  const { getHeapStatistics, getHeapSpaceStatistics } = v8;
  process.memoryUsage = Object.assign(() => ({ ...memoryUsage(), ...MEMORY }), { rss: () => MEMORY.rss });
  process.resourceUsage = () => ({ ...resourceUsage(), maxRSS: MEMORY.rss / 1024 });
  v8.getHeapStatistics = () => {
    const real = getHeapStatistics();
    const changed = {
      total_heap_size: MEMORY.heapTotal,
      total_heap_size_executable: MB,
      total_physical_size: MEMORY.heapTotal,
      total_available_size: real.heap_size_limit - MEMORY.heapUsed,
      used_heap_size: MEMORY.heapUsed,
      malloced_memory: MB / 4,
      peak_malloced_memory: MB,
      number_of_native_contexts: 1,
      number_of_detached_contexts: 0,
      total_global_handles_size: MB / 128,
      used_global_handles_size: MB / 256,
      external_memory: MEMORY.external,
    };
    // The limit depends on the machine and on options of Node.js only.
    return { ...real, ...changed };
  };
  v8.getHeapSpaceStatistics = () => {
    const spaces = getHeapSpaceStatistics();
    const [size, used] = [MEMORY.heapTotal, MEMORY.heapUsed].map((bytes) =>
      Math.floor(bytes / spaces.length),
    );
    return spaces.map((space) => ({
      ...space,
      space_size: size ?? 0,
      space_used_size: used ?? 0,
      space_available_size: (size ?? 0) - (used ?? 0),
      physical_space_size: size ?? 0,
    }));
  };
  const { observe } = PerformanceObserver.prototype;
  PerformanceObserver.prototype.observe = function (options) {
    const isGc = 'type' in options ? options.type === 'gc' : options.entryTypes?.includes('gc');
    if (!isGc) Reflect.apply(observe, this, [options]);
  };
  syncBuiltinESMExports();
}
