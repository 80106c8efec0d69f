/**
 * Finds which layers a request reaches, by running the router itself. Each handler of the application is replaced by a
 * function that records the call and calls `next`. Parameter callbacks are removed. No handler of the application runs.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import parseUrl from 'parseurl';
import { pathToRegexp } from 'path-to-regexp';
import type { Coverage } from '../judge/report';
import { endsRequest } from './handlers';
import type { Match, Order, Step } from './model';
import type { AnyLayer } from './registrations';
import { type LiveHandler, type LiveNode, pathOf, walkTree } from './tree';

type Next = (err?: unknown) => void;
type Request = IncomingMessage & { params?: Record<string, unknown> };

export interface Call {
  readonly node: LiveNode;
  /** The called handler of a route; undefined for a call of the node itself. */
  readonly handler: LiveHandler | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  readonly url: string;
}

interface Play {
  /** The calls in order. A router, application or route comes before its own layers. */
  readonly calls: readonly Call[];
  /** The pathname that each called router, application and route received in `req.url`. */
  readonly entered: ReadonlyMap<LiveNode, string>;
  readonly error: unknown;
  /** The `Allow` header, if the router itself responded to an OPTIONS request. */
  readonly allow: string | undefined;
}

/**
 * Finds which layers and handlers a request reaches, and why the others are not called.
 *
 * @param root The application or router that receives the request.
 * @param request The method in upper case, and the request target.
 */
export async function playRequest(
  root: LiveNode,
  { method, target }: { readonly method: string; readonly target: string },
): Promise<Match> {
  const play = await playThrough(root, method, target);
  const steps = new Map<number, Step>();
  let ending: string | undefined;
  for (const { node, handler, params, url } of play.calls) {
    const { id } = handler ?? node;
    const layer = handler?.layers[0] ?? node.layer;
    const ends = layer !== undefined && !isEntered(node, handler) && endsRequest(layer.handle);
    const step = { id, params: { ...params }, url };
    if (ending !== undefined) steps.set(id, { id, isCalled: false, why: ending });
    else
      steps.set(id, {
        ...step,
        isCalled: true,
        why: ends ? 'ends here: it declares no next' : undefined,
      });
    if (ends) ending ??= `${titleOf(handler ?? node)} before it ends the request: it declares no next`;
  }
  for (const node of walkTree(root)) {
    const path = play.entered.get(node.parent as LiveNode);
    // For a HEAD request, the router calls a route even if none of its handlers matches.
    const isEmpty = node.kind === 'route' && !node.handlers.some(({ id }) => steps.has(id));
    if (isEmpty) steps.delete(node.id);
    if (!steps.has(node.id) && node.parent && path !== undefined) {
      const why = node.isBuiltIn ? undefined : reasonFor(node, path, method);
      steps.set(node.id, { id: node.id, isCalled: node.isBuiltIn, why });
    }
    for (const { id, method: own } of node.handlers) {
      if (!steps.has(id) && steps.get(node.id)?.isCalled)
        steps.set(id, { id, isCalled: false, why: `it takes ${own}` });
    }
  }
  return { method, target, steps: [...steps.values()].sort((a, b) => a.id - b.id), end: endOf(play, ending) };
}

/** Finds the routes below an application or router that none of the requests can reach. */
export async function coverageBy(
  root: LiveNode,
  requests: NonNullable<Order['requests']>,
): Promise<Coverage> {
  const reached = new Set<number>();
  const paths = new Map(
    [...walkTree(root)].flatMap((node) => node.handlers.map(({ id }) => [id, node.paths] as const)),
  );
  for (const { method, target, handled } of requests) {
    if (!target.startsWith('/')) continue;
    const { steps } = await playRequest(root, { method, target });
    const isHandled = (id: number): boolean =>
      !handled || !!paths.get(id)?.some((path) => handled.includes(path));
    for (const { id, isCalled } of steps) if (isCalled && isHandled(id)) reached.add(id);
  }
  const routes = [...walkTree(root)].flatMap(({ kind, handlers, methods, fullPaths }) =>
    kind === 'route'
      ? methods.map((method) => ({
          name: `${method === '*' ? 'ALL' : method} ${fullPaths.join(', ')}`,
          isReached: handlers.some(
            ({ id, method: own }) =>
              reached.has(id) && (own === undefined || own === method || method === '*'),
          ),
        }))
      : [],
  );
  return {
    routes: routes.length,
    missed: routes.filter(({ isReached }) => !isReached).map(({ name }) => name),
  };
}

/** Runs a request through the router as if every handler called `next()`, and returns the calls. */
export async function playThrough(root: LiveNode, method: string, target: string): Promise<Play> {
  const recorder = new Recorder(root);
  const req = new IncomingMessage(new Socket());
  Object.assign(req, { method, url: target, headers: { host: 'localhost' } });
  const res = new ServerResponse(req);
  const ended = new Promise<string | undefined>((settle) => {
    res.end = ((): ServerResponse => {
      settle(String(res.getHeader('Allow')));
      return res;
    }) as typeof res.end;
  });
  try {
    recorder.start(parseUrl(req)?.pathname ?? '');
    const { application, router } = root;
    const finished = new Promise<{ error: unknown }>((settle) => {
      (application ?? router)?.handle(req, res, (error) => settle({ error }));
    });
    const end = await Promise.race([finished, ended.then((allow) => ({ error: undefined, allow }))]);
    const { calls, entered } = recorder;
    return { calls, entered, error: end.error, allow: 'allow' in end ? end.allow : undefined };
  } finally {
    recorder.restore();
  }
}

/** Records which functions a request reaches. `start` replaces the functions in the tree; `restore` puts them back. */
class Recorder {
  readonly calls: Call[] = [];
  readonly entered = new Map<LiveNode, string>();
  readonly #root: LiveNode;
  readonly #restores: Array<() => void> = [];
  /** The router, application or route that currently runs. */
  #current: LiveNode;

  constructor(root: LiveNode) {
    this.#root = root;
    this.#current = root;
  }

  start(path: string): void {
    this.entered.set(this.#root, path);
    const seen = new Set<object>();
    for (const node of walkTree(this.#root)) {
      const { router, layer, handlers, isBuiltIn } = node;
      // Parameter callbacks are application code, which must not run.
      if (router && !seen.has(router)) this.#assign(router, 'params', {});
      for (const each of [layer, ...handlers.flatMap((handler) => handler.layers)]) {
        if (each && !isBuiltIn && !seen.has(each)) this.#replace(each, each === layer && isEntered(node));
        if (each) seen.add(each);
      }
      if (router) seen.add(router);
    }
  }

  restore(): void {
    for (const restore of this.#restores) restore();
  }

  #assign<Key extends string>(owner: Record<Key, unknown>, key: Key, value: unknown): void {
    const former = owner[key];
    this.#restores.push(() => {
      owner[key] = former;
    });
    owner[key] = value;
  }

  #replace(layer: AnyLayer, isContainer: boolean): void {
    const { handle } = layer;
    const enter = (req: Request, res: unknown, next: Next): void => {
      const outer = this.#current;
      const node = this.#note(layer, req);
      if (node) {
        this.#current = node;
        this.entered.set(node, parseUrl(req)?.pathname ?? '');
      }
      Reflect.apply(handle, undefined, [
        req,
        res,
        (err?: unknown): void => {
          this.#current = outer;
          next(err);
        },
      ]);
    };
    const pass = (req: Request, _res: unknown, next: Next): void => {
      this.#note(layer, req);
      next();
    };
    const passError = (err: unknown, req: Request, _res: unknown, next: Next): void => {
      this.#note(layer, req);
      next(err);
    };
    const replacement = isContainer ? enter : handle.length > 3 ? passError : pass;
    // The router skips functions with more than four parameters, so the replacement must have the same number.
    if (handle.length > 4) Object.defineProperty(replacement, 'length', { value: handle.length });
    this.#assign(layer as never, 'handle', replacement);
  }

  /** Records a call of a layer and returns the node of the layer; undefined if the tree does not contain it. */
  #note(layer: AnyLayer, { params = {}, url = '' }: Request): LiveNode | undefined {
    const { children, handlers } = this.#current;
    const handler = handlers.find((one) => one.layers.includes(layer));
    const node = handler ? this.#current : children.find((one) => one.layer === layer);
    if (node) this.calls.push({ node, handler, params, url });
    return node;
  }
}

/** Whether a node is a router, application or route, whose function calls the layers below it. */
function isEntered({ router, kind }: LiveNode, handler?: LiveHandler): boolean {
  return router !== undefined || (kind === 'route' && !handler);
}

/** Returns why a layer was not called. `path` is the pathname that its router received. */
function reasonFor(node: LiveNode, path: string, method: string): string {
  const { kind, layer, methods, paths } = node;
  let isMatch: boolean;
  try {
    isMatch = Boolean(layer?.match(path));
  } catch (error) {
    return `${(error as Error).message}: 400`;
  }
  if (!isMatch) return `${paths.join(' or ')} does not match ${path}${nearMiss(layer as AnyLayer, path)}`;
  if (kind === 'error handler') return 'it is called with errors only';
  if (kind === 'route' && !methods.includes('*')) return `it takes ${methods.join(', ')}, not ${method}`;
  if (pathOf(layer as AnyLayer) instanceof RegExp)
    return `${paths.join(' or ')} matches ${path}, but not whole segments at its start`;
  return 'an earlier layer passed an error';
}

/** Says which similar path a layer matches: with or without a slash at the end, or in other letters. */
function nearMiss(layer: AnyLayer, path: string): string {
  const isMatch = (one: string): boolean => {
    try {
      return Boolean(layer.match(one));
    } catch {
      return false;
    }
  };
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  if (other !== '' && isMatch(other))
    return `, but ${other}: the router is strict about the slash at the end`;
  const single = path.replace(/\/{2,}/g, '/');
  if (single !== path && isMatch(single)) return `, but ${single}, with single slashes`;
  if (insensitive(layer).some((pattern) => pattern.test(path)))
    return ' in these letters: the router is case-sensitive';
  return '';
}

/** The patterns of a layer without distinction of upper and lower case. */
function insensitive(layer: AnyLayer): RegExp[] {
  if (layer.regexp) return [new RegExp(layer.regexp.source, 'i')];
  return [pathOf(layer)].flat(Number.POSITIVE_INFINITY).flatMap((path) => {
    try {
      return path instanceof RegExp ? [new RegExp(path.source, 'i')] : [pathToRegexp(String(path)).regexp];
    } catch {
      return [];
    }
  });
}

function endOf({ error, allow }: Play, ending: string | undefined): string {
  if (ending !== undefined) return 'a handler ends the request';
  if (allow !== undefined) return `the router responds to OPTIONS: Allow: ${allow}`;
  if (error) return `the router calls error handlers: ${(error as Error).message ?? error}`;
  return 'if every handler calls next(): 404';
}

function titleOf({ name, site }: { name: string; site: { line: number } | undefined }): string {
  return site ? `${name} (line ${site.line})` : name;
}
