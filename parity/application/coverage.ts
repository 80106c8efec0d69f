/** Finds the routes of an application whose handlers no request called. */
import type { Observation } from '../implementations/protocol';
import { inspectApplication } from '../inspect/inspect';
import type { Coverage } from '../judge/report';
import type { Traffic } from './traffic';

/**
 * Loads the application once more with Nozomi in place of Express, and passes each request to its router without calling
 * a handler. A route counts if a request reaches it there, and ran its handlers in a run: a guard may have responded
 * before.
 *
 * @param seen A run that noted the routes.
 * @returns Undefined if the routes cannot be read, as in an application of Express 3.
 */
export async function coverageOf(
  {
    file,
    args = [],
    traffic,
  }: {
    readonly file: string;
    readonly args?: readonly string[];
    readonly traffic: Traffic;
  },
  { handled }: Observation,
): Promise<Coverage | undefined> {
  const requests = traffic.requests.map(({ method, target }, index) => ({
    method,
    target,
    ...(handled && { handled: handled[index] ?? [] }),
  }));
  try {
    const { coverage } = await inspectApplication({ file, args, isDoctor: false, requests });
    return coverage;
  } catch {
    return undefined;
  }
}
