/** Repeats scenarios with a wrapped `res.set`. Middleware may wrap this method, and the responses must stay the same. */
import type framework from 'nozomi/5';
import { type Scenario, scenario } from './scenario';

/**
 * Returns each scenario, followed by a copy in which a function wraps `res.set`.
 *
 * @param scenarios Scenarios whose `build` returns an application.
 */
export function withWrappedSet(scenarios: readonly Scenario[]): Scenario[] {
  return scenarios.flatMap((original) => {
    const { kind: _kind, build, ...rest } = original;
    const wrapped = scenario({
      ...rest,
      name: `${original.name}, with a wrapped res.set`,
      async build(kit) {
        const app = (await build(kit)) as framework.Express;
        const { set } = app.response;
        app.response.set = function wrappedSet(this: framework.Response, ...args: unknown[]) {
          return Reflect.apply(set, this, args);
        } as typeof set;
        return app;
      },
    });
    return [original, wrapped];
  });
}
