import { randomFrom } from '../../parity/seed';

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

export function randomOf(seed: number): Random {
  const random = randomFrom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  return {
    below,
    once: (times) => below(times) === 0,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    many: <T>(least: number, most: number, make: () => T) =>
      Array.from({ length: least + below(most - least + 1) }, make),
  };
}
