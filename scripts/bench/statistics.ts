import type { Sample } from '../../parity/client/load';

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const [low, high] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return low + (high - low) * (at - Math.floor(at));
}

/** @returns For each slice, how many requests a peer serves in the CPU time that `base` takes for one. */
export function ratiosOf(base: readonly Sample[], samples: readonly Sample[]): number[] {
  return samples.map(({ cpu }, n) => (base[n] as Sample).cpu / cpu);
}

export function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
