/** Finds layers that no request reaches, because an earlier layer ends all requests that they match. */

import { moveBefore } from '../changes';
import { covers, examplesOf, type Shapes, shapesOf } from '../cover';
import { shown } from '../format';
import { continuesPlainly, endsRequest, mayRewrite } from '../handlers';
import type { LiveApplication } from '../live';
import { playThrough } from '../match';
import type { Finding } from '../model';
import type { Sources } from '../sources';
import { type LiveHandler, type LiveNode, walkTree } from '../tree';
import { CODES } from './codes';

/** A layer that ends every request with one of `methods` that it matches. */
interface End {
  readonly node: LiveNode;
  readonly shapes: Shapes;
  /** The methods in upper case; `*` for all. */
  readonly methods: ReadonlySet<string>;
  readonly handler: { readonly name: string };
}

/** After this many findings, no more layers of a tree are checked, because each check plays several requests. */
const MAX_FINDINGS = 50;

export async function findShadowed(root: LiveNode, { sources }: LiveApplication): Promise<Finding[]> {
  const nodes = [...walkTree(root)];
  const ends: End[] = [];
  const findings: Finding[] = [];
  const skipped = new Set<LiveNode>();
  for (const node of nodes) {
    const { kind, parent, isBuiltIn } = node;
    if (!parent || isBuiltIn || kind === 'error handler') continue;
    if (skipped.has(parent)) {
      skipped.add(node);
      continue;
    }
    const shapes = shapesOf(node);
    const shadows = findings.length < MAX_FINDINGS ? await shadowsOf(root, node, shapes, ends, nodes) : [];
    for (const [end, methods] of shadows) findings.push(describe(end, node, methods, sources));
    const reached = methodsOf(node).filter(
      (method) => !shadows.some(([, methods]) => methods.includes(method)),
    );
    if (shadows.length > 0 && reached.length === 0) skipped.add(node);
    else ends.push(...endsOf(node, shapes));
  }
  return findings;
}

/** Finds the earlier layers that end all requests for `node`, each with the methods that it ends; `*` for all. */
async function shadowsOf(
  root: LiveNode,
  node: LiveNode,
  shapes: Shapes,
  ends: readonly End[],
  nodes: readonly LiveNode[],
): Promise<Array<[end: End, methods: readonly string[]]>> {
  const shadows: Array<[End, readonly string[]]> = [];
  let left: readonly string[] = methodsOf(node);
  for (const end of ends) {
    const methods = left.filter((method) => takesMethod(end, method));
    if (methods.length === 0 || !takesPaths(end, node, shapes) || !isUndisturbed(end.node, node, nodes))
      continue;
    if (!(await isPlayed(root, end, node, shapes, methods[0] as string))) continue;
    shadows.push([end, methods]);
    left = left.filter((method) => !methods.includes(method));
    if (left.length === 0) break;
  }
  // If `*` is left, requests with some method still reach the node.
  return left.includes('*') ? [] : shadows;
}

/** The methods that a layer responds to; `*` for all. */
function methodsOf({ kind, methods, name }: LiveNode): readonly string[] {
  if (kind === 'route') return methods;
  return name === 'serveStatic' ? ['GET', 'HEAD'] : ['*'];
}

function describe(
  { node: earlier, handler }: End,
  later: LiveNode,
  methods: readonly string[],
  sources: Sources,
): Finding {
  const isWhole = later.kind !== 'route' || methods.length === later.methods.length;
  return {
    code: CODES.shadowed.code,
    severity: 'warning',
    message:
      `${isWhole ? '' : `${methods.join(', ')} of `}${titleOf(later)} is never reached: ${titleOf(earlier)} (${shown(earlier.site)}) takes every such request, ` +
      `and its handler ${handler.name} declares no next`,
    site: later.site,
    change: moveBefore(sources, later.site, earlier.site),
  };
}

function titleOf({ kind, methods, fullPaths, name }: LiveNode): string {
  const path = fullPaths.join(', ');
  if (kind === 'route') return `${methods.join(', ').replace('*', 'ALL')} ${path}`;
  return `${kind} ${kind === 'middleware' ? `${name} ` : ''}on ${path}`;
}

/**
 * Returns the node as an `End` if it ends requests; a route may do so for only some of its methods. Returns an empty list
 * otherwise, and for nodes without exact shapes or with param callbacks.
 */
function endsOf(node: LiveNode, shapes: Shapes): End[] {
  const { kind, layer, handlers, methods } = node;
  if (shapes.exact.length === 0 || hasParamCallbacks(node)) return [];
  if (kind === 'middleware')
    return layer && endsRequest(layer.handle)
      ? [{ node, shapes, methods: new Set(['*']), handler: node }]
      : [];
  if (kind !== 'route') return [];
  const ending = new Map<string, LiveHandler>();
  for (const method of methods) {
    const handler = endingHandler(handlers, method);
    if (handler) ending.set(method, handler);
  }
  const [handler] = ending.values();
  return handler ? [{ node, shapes, methods: new Set(ending.keys()), handler }] : [];
}

/** The first handler for a method that ends the request; undefined if none, or if an earlier one may skip the rest. */
function endingHandler(handlers: readonly LiveHandler[], method: string): LiveHandler | undefined {
  const own = handlers.filter((handler) => handler.method === undefined || handler.method === method);
  for (const handler of own) {
    const handle = handler.layers[0]?.handle;
    if (!handle) return undefined;
    if (endsRequest(handle)) return handler;
    if (!continuesPlainly(handle)) return undefined;
  }
  return undefined;
}

/** Whether a parameter callback runs before the node. The callback may skip the node. */
function hasParamCallbacks(node: LiveNode): boolean {
  for (let each: LiveNode | undefined = node; each?.parent; each = each.parent) {
    const { params, parent } = each;
    if (params.some((name) => parent?.paramCallbacks.includes(name))) return true;
  }
  return false;
}

function takesMethod({ methods }: End, method: string): boolean {
  return methods.has('*') || methods.has(method) || (method === 'HEAD' && methods.has('GET'));
}

function takesPaths({ node, shapes }: End, later: LiveNode, all: Shapes): boolean {
  const isSame =
    node.parent === later.parent &&
    node.kind === later.kind &&
    String(node.layer?.rawPath) === String(later.layer?.rawPath);
  return isSame || covers(shapes, all);
}

/**
 * Whether every request that reaches the later layer has passed the earlier layer with the same URL and method. No
 * function between the layers may change them. No function in a router around the earlier layer may skip that layer.
 */
function isUndisturbed(earlier: LiveNode, later: LiveNode, nodes: readonly LiveNode[]): boolean {
  const around = new Set(ancestorsOf(later));
  for (let inside: LiveNode = earlier; inside.parent && !around.has(inside.parent); inside = inside.parent) {
    const before = inside.parent.children.slice(0, inside.parent.children.indexOf(inside));
    if (!before.flatMap(functionsOf).every((one) => continuesPlainly(one) || endsRequest(one))) return false;
  }
  const between = nodes.slice(nodes.indexOf(earlier) + 1, nodes.indexOf(later));
  return !between.flatMap(functionsOf).some(mayRewrite);
}

function ancestorsOf(node: LiveNode): LiveNode[] {
  return node.parent ? [node.parent, ...ancestorsOf(node.parent)] : [];
}

/** The application's functions in a node, without those of its descendants. */
function functionsOf({ kind, layer, handlers, router }: LiveNode): Array<(...args: never[]) => unknown> {
  if (kind === 'route') return handlers.flatMap(({ layers }) => layers.map(({ handle }) => handle));
  return layer && !router ? [layer.handle] : [];
}

/** Verifies a finding: each example request that reaches the later layer must reach the earlier layer first. */
async function isPlayed(
  root: LiveNode,
  { node: earlier }: End,
  later: LiveNode,
  { all }: Shapes,
  method: string,
): Promise<boolean> {
  let reached = 0;
  for (const target of new Set([...all.flatMap(examplesOf), ...later.fullPaths.map(plainly)])) {
    const { calls } = await playThrough(root, method === '*' ? 'GET' : method, target);
    const at = calls.findIndex(({ node }) => node === later);
    if (at < 0) continue;
    if (!calls.slice(0, at).some(({ node }) => node === earlier)) return false;
    reached++;
  }
  return reached > 0;
}

/** Makes a path that a pattern probably matches: each parameter becomes `42`, and optional text is kept. */
function plainly(path: string): string {
  return path
    .replace(/\([^()]*\)/g, '')
    .replace(/[:*]\w+/g, '42')
    .replace(/[*?+{}()\\]/g, '');
}
