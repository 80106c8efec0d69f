/** Reads the routes of an application of Express 4 or 5, with those of everything mounted in it. */
import { mountedApps } from '../application/mounted';
import { fieldsOf, type OperationFields } from './fields';

type AnyFunction = (...args: never[]) => unknown;

/** A route for one of its methods. */
export interface RouteEntry {
  /** The path in the syntax of Express, with all mount paths. Undefined if one of them is a regular expression. */
  readonly path: string | undefined;
  /** The path or the regular expression as text, for messages. */
  readonly text: string;
  /** The method in lower case. */
  readonly method: string;
  /** The handlers for the method, in order. */
  readonly handlers: readonly AnyFunction[];
  /** What `describeRoute` says that was registered with `use` before the route. */
  readonly outer: readonly OperationFields[];
}

interface Layer {
  readonly handle: AnyFunction;
  readonly rawPath?: unknown;
  readonly route?: { readonly path: unknown; readonly stack: readonly Layer[] } | undefined;
  readonly method?: string | undefined;
}

interface Place {
  readonly path: string | undefined;
  readonly text: string;
  readonly outer: readonly OperationFields[];
  /** The stacks around this one: a router can be mounted in itself. */
  readonly inside: readonly unknown[];
}

/** The methods that OpenAPI can describe. Responses to HEAD and OPTIONS follow from the others. */
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'trace'];
/** The methods that are described for `app.all()`. */
const USUAL = ['get', 'put', 'post', 'delete', 'patch'];
const MAX_PATHS_PER_LAYER = 64;

/**
 * @param app An application or a router.
 * @returns The routes in the order in which a request passes them.
 */
export function readRoutes(app: unknown): RouteEntry[] {
  return [...routesBelow(app, { path: '', text: '', outer: [], inside: [] })];
}

function* routesBelow(container: unknown, { outer, inside, ...place }: Place): Generator<RouteEntry> {
  const stack = stackOf(container);
  if (!stack || inside.includes(stack)) return;
  const described = [...outer];
  for (const layer of stack) {
    const paths = [layer.rawPath ?? layer.route?.path]
      .flat(Number.POSITIVE_INFINITY)
      .slice(0, MAX_PATHS_PER_LAYER);
    if (!layer.route) {
      const fields = fieldsOf(layer.handle);
      if (fields && paths.includes('/')) described.push(fields);
    }
    for (const path of paths) {
      const below = { ...join(place, path, isPattern(layer, path)), outer: described.slice() };
      if (layer.route) yield* entriesOf(layer.route, below);
      else
        yield* routesBelow(mountedApps.get(layer.handle) ?? layer.handle, {
          ...below,
          inside: [...inside, stack],
        });
    }
  }
}

export function stackOf(container: unknown): readonly Layer[] | undefined {
  const { settings, lazyrouter, _router, route, stack } = Object(container);
  // Reading `app.router` of Express 4 throws. Its `_router` is undefined before the first route.
  const found = settings ? (lazyrouter ? _router : Object(container).router)?.stack : stack;
  return typeof route === 'function' && Array.isArray(found) ? found : undefined;
}

/** Whether a path is a regular expression, or a path of Express 4 with a star: in Express 5 it begins a parameter. */
function isPattern(layer: Layer, path: unknown): boolean {
  if (typeof path !== 'string') return true;
  return 'regexp' in layer && path.replace(/\((?:\\.|[^()\\])+\)/g, '').includes('*');
}

function join(
  { path, text }: Pick<Place, 'path' | 'text'>,
  inner: unknown,
  isPattern: boolean,
): Pick<Place, 'path' | 'text'> {
  const joined = (before: string): string =>
    inner === '/' || inner === '' ? before : before.replace(/\/$/, '') + inner;
  if (typeof inner !== 'string') return { path: undefined, text: `${text} ${inner}`.trim() };
  return { path: isPattern || path === undefined ? undefined : joined(path), text: joined(text) };
}

function* entriesOf(
  { stack }: NonNullable<Layer['route']>,
  place: Omit<Place, 'inside'>,
): Generator<RouteEntry> {
  const methods = new Set(stack.flatMap(({ method }) => method ?? USUAL));
  // `app.all()` adds a layer for each method of Node.js.
  const described = methods.size > 20 ? USUAL : METHODS.filter((method) => methods.has(method));
  for (const method of described) {
    const layers = stack.filter((layer) => layer.method === undefined || layer.method === method);
    yield {
      ...place,
      path: place.path === '' ? '/' : place.path,
      method,
      handlers: layers.map(({ handle }) => handle),
    };
  }
}
