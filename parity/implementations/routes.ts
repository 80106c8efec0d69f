/** Notes which routes of an application run their handlers: middleware before a route may respond in its place. */
import { createRequire } from 'node:module';

interface Route {
  readonly path: unknown;
  dispatch?(...args: unknown[]): unknown;
}

/**
 * Call this function before the application is loaded.
 *
 * @param position Returns the number of the request that is served, from 0.
 * @returns The paths of the routes by request, as registered. It grows as requests are served. Undefined if the framework
 *   does not tell.
 */
export function noteRoutes(application: string, position: () => number): string[][] | undefined {
  const { Route } = createRequire(application)('express') as { Route?: { prototype: Route } };
  const { dispatch } = Route?.prototype ?? {};
  if (!Route || !dispatch) return undefined;
  const noted: string[][] = [];
  Route.prototype.dispatch = function (...args) {
    const number = position();
    for (let index = noted.length; index <= number; index++) noted.push([]);
    noted[number]?.push(...[this.path].flat(Number.POSITIVE_INFINITY).map(String));
    return Reflect.apply(dispatch, this, args);
  };
  return noted;
}
