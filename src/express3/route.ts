/** One path of one method: `req.route`, an entry of `app.routes`. §9.3 */
import { compileMatch, type Match } from '../earlier/linear-match';
import { compilePath, type Key, type PathOptions } from './path';
import type { ErrorHandler, Handler, Path } from './types';

/** The parameters of the path: unnamed ones by number, named ones by name. */
export type Params = unknown[] & Record<string, unknown>;

export class Route {
  path: Path;
  method: string;
  callbacks: Array<Handler | ErrorHandler>;
  keys: Key[] = [];
  regexp: RegExp;
  /** Parameters of the last matched path. */
  declare params: Params;
  readonly #match: Match;

  constructor(method: string, path: Path, callbacks: Array<Handler | ErrorHandler>, options?: PathOptions) {
    this.path = path;
    this.method = method;
    this.callbacks = callbacks;
    this.regexp = compilePath(path, this.keys, options);
    this.#match = path instanceof RegExp ? (text) => path.exec(text) : compileMatch(path, this.regexp);
  }

  /**
   * Whether the route matches `path`.
   *
   * @throws {Error} 400 for a malformed parameter.
   */
  match(path: string): boolean {
    const params = [] as unknown as Params;
    this.params = params;
    const values = this.#match(path);
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

function decode(value: string | undefined): string | undefined {
  try {
    return value && decodeURIComponent(value);
  } catch {
    throw Object.assign(new Error(`Failed to decode param '${value}'`), { status: 400 });
  }
}
