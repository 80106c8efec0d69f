/** Finds the routes of an application that no request reaches. */
import { inspectApplication } from '../inspect/inspect';
import type { Coverage } from '../judge/report';
import type { Traffic } from './traffic';

/**
 * Loads the application once more with Nozomi in place of Express, and passes each request to its router without calling
 * a handler. Any handler may respond, so a route counts as reached if a request could reach it.
 *
 * @returns Undefined if the routes cannot be read, as in an application of Express 3.
 */
export async function coverageOf({
  file,
  args = [],
  traffic,
}: {
  readonly file: string;
  readonly args?: readonly string[];
  readonly traffic: Traffic;
}): Promise<Coverage | undefined> {
  const requests = traffic.requests.map(({ method, target }) => ({ method, target }));
  try {
    const { coverage } = await inspectApplication({ file, args, isDoctor: false, requests });
    return coverage;
  } catch {
    return undefined;
  }
}
