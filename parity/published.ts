/**
 * Programs of the 3.x time as they were published: loaded as they are, only what they get as `express` is the world's
 * framework. §9.3
 */
import type { RequestListener } from 'node:http';
import Module from 'node:module';
import { dirname, join } from 'node:path';
import type { Legacy } from './scenario';

/** What of the module loader is not in its types. */
interface Loader {
  _load(request: string, ...rest: unknown[]): unknown;
}

/**
 * Starts a program of an installed package. It listens to nobody.
 *
 * @returns The application that it made first.
 */
export function startPublished(name: string, file: string, framework: Legacy): RequestListener {
  const made: RequestListener[] = [];
  const given = new Proxy(framework, {
    apply(target, that, args) {
      const app = Reflect.apply(target, that, args);
      Object.assign(app, { listen: () => undefined });
      made.push(app);
      return app;
    },
  });
  const loader = Module as unknown as Loader;
  const load = loader._load;
  loader._load = function (request, ...rest) {
    return request === 'express' ? given : Reflect.apply(load, this, [request, ...rest]);
  };
  try {
    require(join(dirname(require.resolve(`${name}/package.json`)), file));
  } finally {
    loader._load = load;
  }
  const [app] = made;
  if (!app) throw new TypeError(`${name}: ${file} made no application`);
  return app;
}
