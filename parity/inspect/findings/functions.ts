/** Finds error handlers with three parameters, and middleware that is registered too late. */

import { insertAt, moveBefore } from '../changes';
import { areDisjoint, covers, shapesOf } from '../cover';
import { endsRequest, mayPassOn, sourceOf } from '../handlers';
import type { LiveApplication } from '../live';
import type { Change, Finding, Site } from '../model';
import type { Sources } from '../sources';
import { type LiveNode, walkTree } from '../tree';
import { CODES } from './codes';

type AnyFunction = (...args: never[]) => unknown;

const ERROR = /^_?(?:err|error|exception)$/i;
const REQUEST = /^_?(?:req|request)$/i;

export function findErrorHandlers(root: LiveNode, live: LiveApplication): Finding[] {
  const seen = new Set<unknown>();
  return [...walkTree(root)].flatMap((node) =>
    functionsOf(node).flatMap(({ handle, name, site }): Finding[] => {
      const [first = '', second = ''] = sourceOf(handle)?.params ?? [];
      if (handle.length !== 3 || !ERROR.test(first) || !REQUEST.test(second) || seen.has(handle)) return [];
      seen.add(handle);
      const { params = [] } = sourceOf(handle) ?? {};
      return [
        {
          code: CODES.errorArity.code,
          severity: 'warning',
          message: `${name}(${params.join(', ')}) is no error handler: it has three parameters, so Express calls it for every request, and ${first} is the request`,
          site,
          change: fourth(handle, site, live.sources),
        },
      ];
    }),
  );
}

/** Declares the fourth parameter, which makes the function an error handler. */
function fourth(handle: AnyFunction, site: Site | undefined, sources: Sources): Change | undefined {
  const found = sources.functionOf(handle, site);
  const last = found?.path.node.params.at(-1);
  return last && insertAt(found?.parsed, last.end, ', _next', 'declare a fourth parameter, _next');
}

/** Middleware that only prepares the request, by function name, with the properties that depend on it. */
const PREPARES: Readonly<Record<string, RegExp>> = {
  jsonParser: /\bbody\b/,
  urlencodedParser: /\bbody\b/,
  textParser: /\bbody\b/,
  rawParser: /\bbody\b/,
  cookieParser: /\b(?:cookies|signedCookies|session)\b/,
  session: /\bsession(?:ID|Store)?\b/,
};

/** Middleware that changes the responses of later handlers, by function name. */
const WRAPS = /^(?:corsMiddleware|helmetMiddleware|compression)$/;

export function findLateMiddleware(root: LiveNode, { sources }: LiveApplication): Finding[] {
  return [...walkTree(root)].flatMap((node): Finding[] => {
    const late = node.kind === 'middleware' ? lateFor(node) : undefined;
    if (!late) return [];
    const { route, message } = late;
    return [
      {
        code: CODES.afterRoutes.code,
        severity: 'warning',
        message: `${node.name} comes after ${message}`,
        site: node.site,
        change: moveBefore(sources, node.site, route.site),
      },
    ];
  });
}

interface Late {
  /** The first route that the middleware should precede. */
  readonly route: LiveNode;
  readonly message: string;
}

/** Finds the first route that the middleware should precede; undefined if none, or if a later layer may need it. */
function lateFor(node: LiveNode): Late | undefined {
  const routes = precedingOf(node).filter(({ kind }) => kind === 'route');
  const following = followingOf(node);
  const [route] = routes;
  const member = PREPARES[node.name];
  if (member) {
    const isUsed = following.some((later) => mayUse(later, member));
    const message = 'all routes: no handler can use what it adds to the request';
    return route && !isUsed ? { route, message } : undefined;
  }
  if (WRAPS.test(node.name)) {
    const message = 'all routes: it has no effect on their responses';
    return route && !following.some(mayRespond) ? { route, message } : undefined;
  }
  const [guarded] = isGuard(node) ? routes.filter((one) => covers(shapesOf(node), shapesOf(one))) : [];
  if (!guarded || following.some((later) => mayRespond(later) && !areDisjoint(node, later))) return undefined;
  const message = `every route below ${node.fullPaths.join(', ')}: it refuses no request for them`;
  return { route: guarded, message };
}

/** Whether a later layer may use `member`, a property of the request that depends on the middleware. */
function mayUse({ kind, layer, name }: LiveNode, member: RegExp): boolean {
  if (kind === 'error handler' || PREPARES[name]) return false;
  if (kind !== 'middleware' || !layer) return true;
  const source = sourceOf(layer.handle);
  return !source || mayPassOn(layer.handle) || member.test(source.params.join() + source.body);
}

/** Whether a layer is a guard: a function with a path that refuses some requests and calls `next` for others. */
function isGuard({ layer, fullPaths }: LiveNode): boolean {
  if (!layer || fullPaths.includes('/') || layer.handle.length !== 3) return false;
  const { body = '' } = sourceOf(layer.handle) ?? {};
  return (
    /\bnext\(\s*\)/.test(body) &&
    /\b(?:status|sendStatus|writeHead)\(\s*40[13]\b|statusCode\s*=\s*40[13]\b|\bredirect\(/.test(body)
  );
}

/** Whether a later layer could send a response that is not an error. */
function mayRespond({ kind, layer, name }: LiveNode): boolean {
  if (kind === 'error handler' || PREPARES[name] || WRAPS.test(name)) return false;
  if (kind !== 'middleware' || !layer) return true;
  const source = sourceOf(layer.handle);
  const [, response = ''] = source?.params ?? [];
  if (!source || !/^[\w$]+$/.test(response)) return true;
  // A middleware that never calls `next` and comes this late is taken for a 404 handler.
  return !endsRequest(layer.handle) && (mayPassOn(layer.handle) || source.body.includes(response));
}

export interface NamedFunction {
  readonly handle: AnyFunction;
  readonly name: string;
  readonly site: Site | undefined;
}

export function functionsOf({ kind, layer, handlers, router, name, site }: LiveNode): NamedFunction[] {
  if (kind === 'route')
    return handlers.flatMap((handler) =>
      handler.layers.slice(0, 1).map(({ handle }) => ({ handle, name: handler.name, site: handler.site })),
    );
  return layer && !router ? [{ handle: layer.handle, name, site }] : [];
}

/**
 * The nodes that a request may pass before it reaches a node: earlier siblings of the node and of its ancestors, with
 * their descendants.
 */
export function precedingOf(node: LiveNode): LiveNode[] {
  const { parent } = node;
  if (!parent) return [];
  const before = parent.children.slice(0, parent.children.indexOf(node));
  return [...precedingOf(parent), ...before.flatMap((one) => [...walkTree(one)])];
}

/**
 * The nodes that a request may pass after a node: later siblings of the node and of its ancestors, with their
 * descendants.
 */
export function followingOf(node: LiveNode): LiveNode[] {
  const { parent } = node;
  if (!parent) return [];
  const after = parent.children.slice(parent.children.indexOf(node) + 1);
  return [...after.flatMap((one) => [...walkTree(one)]), ...followingOf(parent)];
}

export function titleOf({ methods, fullPaths }: LiveNode): string {
  return `${methods.join(', ').replace('*', 'ALL')} ${fullPaths.join(', ')}`;
}
