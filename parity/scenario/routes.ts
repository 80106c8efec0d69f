/** Helpers for the most common scenario: an application with a GET route for each path. */
import type { RequestHandler, Response } from 'nozomi/5';
import type { Expected, PlannedRequest } from '../client/messages';
import { get } from '../client/request';
import type { Built, Kit } from './scenario';

type Handlers = Readonly<Record<string, RequestHandler>>;
type Table<T> = Readonly<Record<string, T>> | readonly T[];

/**
 * Returns a `build` function for an application with a GET route for each path.
 *
 * @param given The handlers by path, or a function that receives the kit and returns them.
 */
export function routes(given: Handlers | ((kit: Kit) => Handlers)): (kit: Kit) => Built {
  return (kit) => {
    const app = kit.framework();
    const handlers = typeof given === 'function' ? given(kit) : given;
    for (const [path, handler] of Object.entries(handlers)) app.get(path, handler);
    return app;
  };
}

/**
 * Returns a handler for each row of a table. Its path is the key of the row: `/name`, or `/0`, `/1` … for a list.
 *
 * @param respond Sends the response for the value of a row.
 */
export function routeEach<T>(table: Table<T>, respond: (res: Response, value: T) => unknown): Handlers {
  return Object.fromEntries(
    Object.entries(table).map(([name, value]): [string, RequestHandler] => [
      `/${name}`,
      (_req, res) => void respond(res, value),
    ]),
  );
}

/** Returns a GET request for each path, in order. */
export function gets(...paths: readonly string[]): PlannedRequest[] {
  return paths.map((path) => get(path));
}

/**
 * Returns a GET request for each path of a table, in order.
 *
 * @param table What is expected of each response, by path. A text or a pattern is the expected body.
 */
export function expectGets(table: Readonly<Record<string, Expected | string | RegExp>>): PlannedRequest[] {
  return Object.entries(table).map(([path, expected]) =>
    get(path).expect(
      typeof expected === 'string' || expected instanceof RegExp ? { body: expected } : expected,
    ),
  );
}

/**
 * Returns a GET request for each row of a table that was passed to `routeEach`.
 *
 * @param expected What is expected of the response of a row; default: nothing.
 */
export function getEach<T>(table: Table<T>, expected?: (value: T) => Expected): PlannedRequest[] {
  return Object.entries(table).map(([name, value]) => {
    const request = get(`/${name}`);
    return expected ? request.expect(expected(value)) : request;
  });
}
