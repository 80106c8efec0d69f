/** Matches paths as Express 4 and Express 5 do, with the layers of their own routers. */

/** The use of a path, and the options of its router. */
export interface Use {
  /**
   * Whether the path must match the whole target, as in a route, and not only whole segments at its start, as in
   * `use`.
   */
  readonly end: boolean;
  /** The setting `case sensitive routing`. */
  readonly sensitive: boolean;
  /** The setting `strict routing`. */
  readonly strict: boolean;
}

/** The result of a match: the matched part and the parameters; undefined if the path does not match. */
export interface Found {
  readonly path: string;
  /** The parameters without undefined ones. */
  readonly params: Readonly<Record<string, unknown>>;
}
/** Returns `'malformed'` if a parameter cannot be decoded. */
export type Match = (target: string) => Found | 'malformed' | undefined;

interface Layer {
  /** Express 4 stores the result on the layer, Express 5 returns it. */
  match(target: string): boolean | { path: string; params: object };
  path?: string;
  params?: object;
  regexp?: RegExp;
  keys?: ReadonlyArray<{ name: string | number }>;
}

interface Router {
  get(path: unknown, handler: () => void): unknown;
  use(path: unknown, handler: () => void): unknown;
  stack: unknown[];
}

/** The framework function of an Express version, or of this package. */
export interface Framework {
  Router(options: { caseSensitive: boolean; strict: boolean }): unknown;
}

/**
 * Registers a path and returns its matcher.
 *
 * @throws The error of the framework for a path that it refuses.
 */
export function compileWith(framework: Framework, path: unknown, use: Use): Match {
  const layer = layerWith(framework, path, use);
  return (target) => {
    try {
      const found = layer.match(target);
      if (!found) return undefined;
      const { path, params } = found === true ? layer : (found as Layer);
      return { path: path ?? '', params: defined(params ?? {}) };
    } catch (error) {
      if (error instanceof URIError) return 'malformed';
      throw error;
    }
  };
}

/** The regular expression that Express 4 creates for a path, and the parameters of its groups. */
export function regExpWith(
  express4: Framework,
  path: string,
  use: Use,
): { regexp: RegExp; keys: ReadonlyArray<{ name: string | number }> } {
  const { regexp, keys } = layerWith(express4, path, use);
  if (!regexp || !keys) throw new TypeError('the layers of Express 4 have a regular expression');
  return { regexp, keys };
}

function layerWith(framework: Framework, path: unknown, { end, sensitive, strict }: Use): Layer {
  const router = framework.Router({ caseSensitive: sensitive, strict }) as Router;
  if (end) router.get(path, handler);
  else router.use(path, handler);
  return router.stack[0] as Layer;
}

function handler(): void {}

function defined(params: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}
