/** Names requests by method and path. */
import { Scrubber } from '../recorder/scrub';

/** Masks secrets with a constant: the random suffix of `masked-1a2b` would change the id in each run. */
export function withoutSecrets(method: string, target: string): string {
  return `${method} ${new Scrubber().url(target)}`.replace(/\bmasked-[\da-f]{4}\b/g, 'masked');
}

/** Returns the method and path of each request as its id. Repeated requests get a number: `GET /orders #2`. */
export function withIds(
  requests: ReadonlyArray<{ readonly method: string; readonly target: string }>,
): string[] {
  const counts = new Map<string, number>();
  return requests.map(({ method, target }) => {
    const name = withoutSecrets(method, target);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} #${count}`;
  });
}

/** Returns the first of those that occur most. */
export function mostFrequent(all: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0];
}
