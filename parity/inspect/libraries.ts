/** Records the options of libraries such as express-session, which their middleware functions do not show. */
import Module from 'node:module';
import type { Registrations } from './registrations';

type Make = (...args: unknown[]) => unknown;

/** Members of the module loader that its types omit. */
interface Loader {
  _load(request: string, ...rest: unknown[]): unknown;
}

const OBSERVED =
  /(?:^|[\\/]node_modules[\\/])(express-session|cookie-session|serve-static)(?:[\\/]index\.js)?$/;

/** Records the options from now on. */
export function observeLibraries(registrations: Registrations): void {
  const loader = Module as unknown as Loader;
  const load = loader._load;
  const wrapped = new WeakMap<object, unknown>();
  loader._load = function (request, ...rest) {
    const exported = Reflect.apply(load, this, [request, ...rest]);
    const name = OBSERVED.exec(request)?.[1];
    if (name === undefined || typeof exported !== 'function') return exported;
    const known = wrapped.get(exported) ?? observe(exported as Make, name, registrations);
    wrapped.set(exported, known);
    return known;
  };
}

function observe(make: Make, name: string, registrations: Registrations): Make {
  return new Proxy(make, {
    apply(target, self, args) {
      const handler = Reflect.apply(target, self, args);
      if (name === 'serve-static') registrations.noteStatic(handler, args);
      else registrations.noteSession(handler, name, args[0]);
      return handler;
    },
  });
}
