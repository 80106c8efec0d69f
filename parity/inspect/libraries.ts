/**
 * Records the options that an application passes to express-session, cookie-session and serve-static. The returned
 * middleware does not expose them.
 */
import net from 'node:net';
import { interceptLoading } from '../modules';
import type { Registrations } from './registrations';

type Make = (...args: unknown[]) => unknown;

const OBSERVED =
  /(?:^|[\\/]node_modules[\\/])(express-session|cookie-session|serve-static)(?:[\\/]index\.js)?$/;

/** Wraps the packages that are loaded after this call, so that each of their calls is recorded. */
export function observeLibraries(registrations: Registrations): void {
  const wrapped = new WeakMap<object, unknown>();
  interceptLoading((next, request) => {
    const exported = next();
    const name = OBSERVED.exec(request)?.[1];
    if (name === undefined || typeof exported !== 'function') return exported;
    const known = wrapped.get(exported) ?? observe(exported as Make, name, registrations);
    wrapped.set(exported, known);
    return known;
  });
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

/** Records the calls of `listen()`, with the arguments of the application: `loadApplication` replaces the method later. */
export function observeListening(registrations: Registrations): void {
  let listen = net.Server.prototype.listen as Make;
  Object.defineProperty(net.Server.prototype, 'listen', {
    configurable: true,
    get: () => listen,
    set(replacement: Make) {
      listen = function (this: unknown, ...args: unknown[]) {
        registrations.noteListen(this, args);
        return Reflect.apply(replacement, this, args);
      };
    },
  });
}
