/**
 * The same scenarios with `res.set` wrapped by middleware, as sessions and compression do, because responses must not
 * depend on such middleware.
 */
import type framework from 'nozomi/5';
import { type Scenario, scenario } from './scenario';

/** @param scenarios Scenarios whose `build` returns an application. */
export function withWrappedSet(scenarios: readonly Scenario[]): Scenario[] {
  return scenarios.flatMap((original) => {
    const { kind: _kind, build, ...rest } = original;
    const wrapped = scenario({
      ...rest,
      name: `${original.name}; also with res.set wrapped`,
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
