/**
 * A route: one method and one path, with callbacks. Applications read routes from `req.route` and `app.routes`. §9.3
 */
import { callable, Initialized } from '../internal/callable';
import type { Constructible } from '../internal/constructible';
import { compileMatch, type Match } from '../legacy/linear-regexp';
import type { Route as DeclaredRoute, Params } from './interface';
import { compilePath, type Key, type PathOptions } from './path';
import type { Path } from './types';

type Callbacks = DeclaredRoute['callbacks'];

export class Route extends Initialized {
  path: Path;
  method: string;
  callbacks: Callbacks;
  keys: Key[] = [];
  regexp: RegExp;
  /** The parameters of the path that was last passed to `match`. */
  declare params: Params;
  readonly #match: Match;
  readonly #compiled: RegExp;

  constructor(method: string, path: Path, callbacks: Callbacks, options?: PathOptions) {
    super();
    this.path = path;
    this.method = method;
    this.callbacks = callbacks;
    this.regexp = compilePath(path, this.keys, options);
    this.#compiled = this.regexp;
    this.#match = path instanceof RegExp ? (text) => path.exec(text) : compileMatch(path, this.regexp);
  }

  /** Whether the route matches `path`. @throws {Error} with status 400 for a parameter that cannot be decoded. */
  match(path: string): boolean {
    // As in Express 3, the parameters are an array that also has named properties.
    const params = [] as unknown as unknown[] & Record<string, unknown>;
    // Cast, because the public type does not state that optional parameters may be undefined.
    this.params = params as Params;
    // An application may replace the expression of a route in `app.routes`.
    const values = this.regexp === this.#compiled ? this.#match(path) : this.regexp.exec(path);
    if (!values) return false;
    for (const [index, value] of values.slice(1).entries()) {
      const key = this.keys[index];
      const decoded = decode(value);
      if (key) params[key.name] = decoded;
      else params.push(decoded);
    }
    return true;
  }
}

/** `Route` as applications see it. */
export const PublicRoute: Constructible<Route, ConstructorParameters<typeof Route>, void> = callable(
  'Route',
  Route,
);

function decode(value: string | undefined): string | undefined {
  try {
    return value && decodeURIComponent(value);
  } catch {
    throw Object.assign(new Error(`Failed to decode param '${value}'`), { status: 400 });
  }
}
