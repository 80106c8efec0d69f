/** The most common `build`: an application with a GET route for each path. */
import type { RequestHandler, Response } from 'nozomi/5';
import type { Request } from '../client/messages';
import { get } from '../client/request';
import type { Built, Kit } from './scenario';

type Handlers = Readonly<Record<string, RequestHandler>>;
type Table<T> = Readonly<Record<string, T>> | readonly T[];

/** @param given The handlers, or a function of the kit that returns them. */
export function routes(given: Handlers | ((kit: Kit) => Handlers)): (kit: Kit) => Built {
  return (kit) => {
    const app = kit.framework();
    const handlers = typeof given === 'function' ? given(kit) : given;
    for (const [path, handler] of Object.entries(handlers)) app.get(path, handler);
    return app;
  };
}

/** Routes for a table: `/0`, `/1` … or the names of its rows. `respond` sends the response for each value. */
export function routeEach<T>(table: Table<T>, respond: (res: Response, value: T) => unknown): Handlers {
  return Object.fromEntries(
    Object.entries(table).map(([name, value]): [string, RequestHandler] => [
      `/${name}`,
      (_req, res) => void respond(res, value),
    ]),
  );
}

/** A GET request for each path, in order. */
export function gets(...paths: readonly string[]): Request[] {
  return paths.map((path) => get(path));
}

/** A GET request for each route of a table. */
export function getEach(table: Table<unknown>, query = ''): Request[] {
  return Object.keys(table).map((name) => get(`/${name}${query}`));
}
