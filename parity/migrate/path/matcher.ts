/** What a path matches in Express 4 and in Express 5: asked of the layers of real routers, so that nothing is modelled. */

/** How a path is used, and the options of its router. */
export interface Use {
  /** A route takes the whole path (true); `use` takes whole segments at its start (false). */
  readonly end: boolean;
  /** `case sensitive routing`. */
  readonly sensitive: boolean;
  /** `strict routing`. */
  readonly strict: boolean;
}

/** What a matcher made of a target: what it took and its parameters; undefined for no match. */
export interface Found {
  readonly path: string;
  /** Without those that are undefined. */
  readonly params: Readonly<Record<string, unknown>>;
}
/** `'malformed'` where a parameter cannot be decoded. */
export type Match = (target: string) => Found | 'malformed' | undefined;

interface Layer {
  /** Express 4 keeps what it found on the layer, Express 5 returns it. */
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

/** `express` of a series, or this package in its place. */
export interface Framework {
  Router(options: { caseSensitive: boolean; strict: boolean }): unknown;
}

/**
 * Register a path and return its matcher.
 *
 * @throws What the framework throws for a path that it does not take.
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

/** The regular expression that Express 4 makes of a path, and the parameters of its groups. */
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
