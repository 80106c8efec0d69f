/**
 * Finds error handlers with three parameters, middleware that is registered too late, and handlers that read `req.body`
 * before a parser sets it.
 */
import { areDisjoint, covers, shapesOf } from '../cover';
import { endsRequest, mayPassOn, readsMember, sourceOf } from '../handlers';
import type { Finding, Site } from '../model';
import { type LiveNode, walkTree } from '../tree';
import { CODES } from './codes';

type AnyFunction = (...args: never[]) => unknown;

const ERROR = /^_?(?:err|error|exception)$/i;
const REQUEST = /^_?(?:req|request)$/i;

export function findErrorHandlers(root: LiveNode): Finding[] {
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
          fix: 'declare four parameters: (err, req, res, next), even if next is not used',
        },
      ];
    }),
  );
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
const PARSER = /^(?:json|urlencoded|text|raw)Parser$/;

/** Middleware that changes the responses of later handlers, by function name. */
const WRAPS = /^(?:corsMiddleware|helmetMiddleware|compression)$/;

export function findLateMiddleware(root: LiveNode): Finding[] {
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
        fix: `register it before ${titleOf(route)}${route.site ? `, line ${route.site.line}` : ''}`,
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

export function findUnparsedBodies(root: LiveNode): Finding[] {
  const seen = new Set<unknown>();
  return [...walkTree(root)].flatMap((node) => {
    if (node.kind !== 'route') return [];
    const parser = parserAfter(node);
    if (precedingOf(node).some(mayParse)) return [];
    const handlers = functionsOf(node);
    return handlers.flatMap(({ handle, name, site }, index): Finding[] => {
      const isParsed = handlers
        .slice(0, index)
        .some((one) => PARSER.test(one.handle.name) || mayParseBody(one.handle));
      if (isParsed || seen.has(handle) || !readsMember(handle, 'body') || mayParseBody(handle)) return [];
      if (!parser && !READS_PART.test(sourceOf(handle)?.body ?? '')) return [];
      seen.add(handle);
      if (!parser)
        return [
          {
            code: CODES.noParser.code,
            severity: 'warning',
            message: `${name} of ${titleOf(node)} reads req.body, which no middleware before it sets`,
            site,
            fix: 'register a body parser first, such as app.use(express.json()) or express.urlencoded()',
          },
        ];
      return [
        {
          code: CODES.bodyBeforeParser.code,
          severity: 'warning',
          message: `${name} of ${titleOf(node)} reads req.body, but ${parser.name} is registered after it, on line ${parser.site?.line}`,
          site,
          fix: `move ${parser.name} in front of the route`,
        },
      ];
    });
  });
}

/** The first body parser that is registered after a route, on a path that includes the route's path. */
function parserAfter(node: LiveNode): LiveNode | undefined {
  const around = ancestorsOf(node);
  return followingOf(node).find(
    (later) =>
      later.kind === 'middleware' &&
      PARSER.test(later.name) &&
      around.includes(later.parent as LiveNode) &&
      covers(shapesOf(later), shapesOf(node)),
  );
}

/** A read that throws if there is no body: `req.body.name`, `const { name } = req.body`. */
const READS_PART = /\.body\.\w|\.body\[|\}\s*=\s*\w+\.body\s*(?:[;,\n]|$)/;

function mayParse({ kind, name, layer, handlers }: LiveNode): boolean {
  if (kind === 'route')
    return handlers.some(({ layers }) => layers.some(({ handle }) => mayParseBody(handle)));
  if (kind !== 'middleware' || !layer) return false;
  return PARSER.test(name) || mayParseBody(layer.handle);
}

// Source text by which a function might set `req.body`.
const PARSES = /\.body\b['"]?\]?\s*=[^=]|\.on\(|\bawait\b|\.pipe\(|pars|multer|upload|busboy/i;
const HARMLESS = /^(?:cookieParser|session|serveStatic|logger|compression|corsMiddleware|helmetMiddleware)$/;

function mayParseBody(handle: AnyFunction): boolean {
  if (HARMLESS.test(handle.name)) return false;
  const source = sourceOf(handle);
  if (!source) return true;
  // A handler that ends the request cannot set the body for a later handler.
  return PARSES.test(source.body) || (!endsRequest(handle) && mayPassOn(handle));
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

function ancestorsOf({ parent }: LiveNode): LiveNode[] {
  return parent ? [parent, ...ancestorsOf(parent)] : [];
}

export function titleOf({ methods, fullPaths }: LiveNode): string {
  return `${methods.join(', ').replace('*', 'ALL')} ${fullPaths.join(', ')}`;
}
