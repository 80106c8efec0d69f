/**
 * Loads published applications of Express 3 without changing them. While an application loads, `require('express')`
 * returns the given framework. §9.3
 */
import type { RequestListener } from 'node:http';
import { dirname, join } from 'node:path';
import { interceptLoading } from '../modules';
import type { Express3 } from './scenario';

/**
 * Loads the application of an installed package. While it loads, `app.listen()` opens no port.
 *
 * @param name The name of the package.
 * @param file The file in the package that creates the application.
 * @returns The first application that the file creates.
 * @throws TypeError if the file creates no application.
 */
export function startPublished(name: string, file: string, framework: Express3): RequestListener {
  const made: Array<{ app: RequestListener; listen: unknown }> = [];
  const given = new Proxy(framework, {
    apply(target, that, args) {
      const app = Reflect.apply(target, that, args);
      made.push({ app, listen: app.listen });
      Object.assign(app, { listen: () => undefined });
      return app;
    },
  });
  const end = interceptLoading((next, request) => (request === 'express' ? given : next()));
  try {
    require(join(dirname(require.resolve(`${name}/package.json`)), file));
  } finally {
    end();
  }
  const [first] = made;
  if (!first) throw new TypeError(`${name}: ${file} created no application`);
  return Object.assign(first.app, { listen: first.listen });
}
