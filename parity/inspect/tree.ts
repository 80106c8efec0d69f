/** Reads the tree of an application from the stacks of its routers. */
import { METHODS } from 'node:http';
import { parse, type Token } from 'path-to-regexp';
import type { Expressions } from './expressions';
import type { HandlerNode, TreeNode } from './model';
import {
  type AnyApplication,
  type AnyLayer,
  type AnyRoute,
  type AnyRouter,
  isApplication,
  type Registrations,
  type Series,
} from './registrations';

/** A node of the tree with the Express objects that it describes. */
export interface LiveNode extends TreeNode {
  /** The layer; undefined for a root. */
  readonly layer: AnyLayer | undefined;
  readonly parent: LiveNode | undefined;
  /** For an application or a router: the router whose layers are `children`. */
  readonly router: AnyRouter | undefined;
  readonly application: AnyApplication | undefined;
  readonly series: Series;
  readonly handlers: readonly LiveHandler[];
  readonly children: readonly LiveNode[];
}

export interface LiveHandler extends HandlerNode {
  /** One layer, or one for each method if `app.all()` registered the handler. */
  readonly layers: readonly AnyLayer[];
}

/** The maximum number of full paths of a node, because nested lists of paths multiply. */
const MAX_PATHS = 64;

export class TreeReader {
  readonly #registrations: Registrations;
  readonly #expressions: Expressions | undefined;
  #ids = 0;

  /** @param expressions Finds the expressions of handlers; without it, they have only the names of their functions. */
  constructor(registrations: Registrations, expressions?: Expressions) {
    this.#registrations = registrations;
    this.#expressions = expressions;
  }

  /**
   * Reads the layers of an application or router, and everything mounted in it.
   *
   * @param root An application or a router.
   */
  read(root: unknown): LiveNode {
    const series = this.#seriesOf(root);
    const base = { name: '', paths: ['/'], fullPaths: ['/'], params: [], methods: [], handlers: [] };
    return this.#container(base, root, { series, layer: undefined, parent: undefined }, new Set());
  }

  #seriesOf(value: unknown): Series {
    const known = this.#registrations.series.get(Object(value));
    if (known) return known;
    const [layer] = (value as Partial<AnyRouter>).stack ?? [];
    return layer?.regexp ? '4.x' : '5.x';
  }

  #container(
    base: Pick<LiveNode, 'name' | 'paths' | 'fullPaths' | 'params' | 'methods' | 'handlers'>,
    value: unknown,
    place: Pick<LiveNode, 'series' | 'layer' | 'parent' | 'expression'>,
    ancestors: ReadonlySet<unknown>,
  ): LiveNode {
    const application = isApplication(value) ? value : undefined;
    const series = this.#seriesOf(value);
    const router = application ? routerOf(application, series) : (value as AnyRouter);
    const children: LiveNode[] = [];
    const node: LiveNode = {
      ...base,
      ...place,
      id: this.#ids++,
      kind: application ? 'application' : 'router',
      isBuiltIn: false,
      router,
      application,
      series,
      children,
      paramCallbacks: Object.keys(router?.params ?? {}),
      site: place.layer && this.#registrations.sites.get(place.layer),
    };
    // Skip a router that is mounted in itself, which would recurse forever. A router of Express 3 has no stack.
    if (router && Array.isArray(router.stack) && !ancestors.has(router)) {
      const inside = new Set([...ancestors, router]);
      for (const layer of router.stack) if (layer) children.push(this.#layer(layer, node, inside));
    }
    return node;
  }

  #layer(layer: AnyLayer, parent: LiveNode, ancestors: ReadonlySet<unknown>): LiveNode {
    const { series } = parent;
    const registered = [pathOf(layer)].flat(Number.POSITIVE_INFINITY);
    const paths = registered.map(String);
    const fullPaths = joinPaths(parent.fullPaths, registered);
    const params = paramsOf(layer, series);
    const { route } = layer;
    const isBuiltIn = series === '4.x' && !route && isAddedByExpress4(layer, parent);
    const expression = route || isBuiltIn ? undefined : this.#expressionOf(layer);
    const place = { series, layer, parent, expression };
    const base = { paths, fullPaths, params, name: nameOf(layer), methods: [], handlers: [] };
    const mounted = this.#registrations.mounted.get(layer);
    if (mounted ?? isContainer(layer.handle))
      return this.#container(base, mounted ?? layer.handle, place, ancestors);

    const id = this.#ids++;
    return {
      ...base,
      ...place,
      id,
      isBuiltIn,
      kind: route ? 'route' : layer.handle.length > 3 ? 'error handler' : 'middleware',
      methods: route ? methodsOf(route) : [],
      handlers: route ? this.#handlers(route) : [],
      router: undefined,
      application: undefined,
      children: [],
      paramCallbacks: [],
      site: isBuiltIn ? undefined : this.#registrations.sites.get(layer),
    };
  }

  #handlers(route: AnyRoute): LiveHandler[] {
    // `app.all()` adds each function once for each method.
    const isForAll = isAll(route) && !route.methods._all;
    const groups = new Map<unknown, AnyLayer[]>();
    for (const layer of route.stack) {
      const key = isForAll ? layer.handle : layer;
      groups.set(key, [...(groups.get(key) ?? []), layer]);
    }
    return [...groups.values()].map((layers) => {
      const [layer] = layers as [AnyLayer, ...AnyLayer[]];
      const method = layers.length > 1 ? undefined : layer.method?.toUpperCase();
      return {
        id: this.#ids++,
        name: nameOf(layer),
        expression: this.#expressionOf(layer),
        layers,
        method,
        site: this.#registrations.sites.get(layer),
      };
    });
  }

  #expressionOf(layer: AnyLayer): string | undefined {
    const { sites, places } = this.#registrations;
    return this.#expressions?.of(sites.get(layer), places.get(layer));
  }
}

/** Yields all nodes in the order in which a request passes them. A node comes before its descendants. */
export function* walkTree<Node extends { readonly children: readonly TreeNode[] }>(
  node: Node,
): Generator<Node> {
  yield node;
  for (const child of node.children) yield* walkTree(child as unknown as Node);
}

/** Copies a node without its Express objects, so that it can be converted to JSON. */
export function toData({ layer, parent, router, application, series, ...node }: LiveNode): TreeNode {
  return {
    ...node,
    handlers: node.handlers.map(({ layers: _layers, ...handler }) => handler),
    children: node.children.map(toData),
  };
}

function routerOf(app: AnyApplication, series: Series): AnyRouter | undefined {
  return series === '4.x' ? app._router : app.router;
}

/** Whether a function is an application or a router, of Express 4 or 5. */
export function isContainer(handle: unknown): boolean {
  if (isApplication(handle)) return true;
  const { stack, route } = handle as { stack?: unknown; route?: unknown };
  // A connect application also has a stack, but its `route` is a string, and it has other layers.
  return Array.isArray(stack) && typeof route === 'function';
}

function isAddedByExpress4({ name }: AnyLayer, { application, children }: LiveNode): boolean {
  return application !== undefined && ['query', 'expressInit'][children.length] === name;
}

function nameOf({ handle, name }: AnyLayer): string {
  return handle.name || name || '<anonymous>';
}

/** The path as registered. Layers without `rawPath` give the path of their route, or their regular expression. */
export function pathOf({ rawPath, route, regexp }: AnyLayer): unknown {
  return rawPath ?? route?.path ?? regexp ?? '(unknown)';
}

/**
 * Joins mount paths and paths: `/api` and `/users` give `/api/users`. A regular expression, or a path without a
 * leading slash, follows after a space.
 */
function joinPaths(outer: readonly string[], inner: readonly unknown[]): string[] {
  return outer.flatMap((before) => inner.map((path) => joinPath(before, path))).slice(0, MAX_PATHS);
}

function joinPath(before: string, path: unknown): string {
  const mount = before.replace(/\/$/, '');
  if (path === '/' || path === '') return mount || '/';
  return String(path).startsWith('/') && !(path instanceof RegExp) ? mount + path : `${mount} ${path}`.trim();
}

function methodsOf(route: AnyRoute): string[] {
  const { _all, ...methods } = route.methods;
  const names = Object.keys(methods).map((name) => name.toUpperCase());
  if (_all) return ['*', ...names];
  return isAll(route) ? ['*'] : names;
}

/** Whether a route handles every method, by `route.all()` or `app.all()`. */
function isAll({ methods }: AnyRoute): boolean {
  return Boolean(methods._all) || Object.keys(methods).length >= METHODS.length;
}

function paramsOf(layer: AnyLayer, series: Series): string[] {
  if (series === '4.x') return (layer.keys ?? []).map(({ name }) => String(name));
  const paths = [pathOf(layer)].flat(Number.POSITIVE_INFINITY);
  return [...new Set(paths.flatMap((path) => (path instanceof RegExp ? groupsOf(path) : namesIn(path))))];
}

function namesIn(path: unknown): string[] {
  try {
    return paramNames(parse(String(path)).tokens);
  } catch {
    return [];
  }
}

function paramNames(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) =>
    token.type === 'group' ? paramNames(token.tokens) : token.type === 'text' ? [] : [token.name],
  );
}

/** The keys that a regular expression adds to `req.params`: the names of named groups, and numbers for the others. */
function groupsOf({ source, flags }: RegExp): string[] {
  const found = new RegExp(`${source}|`, flags).exec('');
  const names = Object.keys(found?.groups ?? {});
  const unnamed = (found?.length ?? 1) - 1 - names.length;
  return [...names, ...Array.from({ length: unnamed }, (_one, index) => String(index))];
}
