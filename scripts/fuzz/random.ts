/** Chance that can be repeated: the same seed, the same choices. */
export interface Random {
  /** At least 0, below `end`, whole. */
  below(end: number): number;
  /** Once in `times`. */
  once(times: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** From `least` to `most` times what `make` makes. */
  many<T>(least: number, most: number, make: () => T): T[];
}

/** mulberry32: 32 bits of state, good enough to choose by. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const below = (end: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  };
  return {
    below,
    once: (times) => below(times) === 0,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    many: <T>(least: number, most: number, make: () => T) =>
      Array.from({ length: least + below(most - least + 1) }, make),
  };
}
