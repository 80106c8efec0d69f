/** Matches paths as Express 4 and Express 5 do, with layers of routers of the given frameworks. */

/** How a path is registered, and the options of its router. */
export interface Use {
  /** True for a route, whose path must match the whole target. False for `use`, which matches segments at its start. */
  readonly end: boolean;
  /** Whether upper and lower case differ, as with the router option `caseSensitive`. */
  readonly sensitive: boolean;
  /** Whether a trailing slash counts, as with the router option `strict`. */
  readonly strict: boolean;
}

/** The matched part of a target, and its parameters. */
export interface Found {
  readonly path: string;
  /** The parameters whose value is not undefined. */
  readonly params: Readonly<Record<string, unknown>>;
}
/** Matches a target. Returns undefined if the path does not match, `'malformed'` if a parameter cannot be decoded. */
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
