/** The functions of an application, parsed, with the roles of their parameters. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { memberName } from '../../migrate/syntax';
import type { LiveApplication } from '../live';
import type { Change, Finding, Severity, Site } from '../model';
import type { AnyApplication, Series } from '../registrations';
import { isOfApplication } from '../sites';
import type { ParsedFile, ParsedFunction } from '../sources';
import { type LiveNode, walkTree } from '../tree';
import { functionsOf, type NamedFunction } from './functions';

/** A function that is registered with a router, and its source. */
export interface HandlerCode {
  readonly name: string;
  readonly site: Site | undefined;
  readonly series: Series;
  /** Where it is registered; undefined if the application does not run, as in an editor. */
  readonly live: (NamedFunction & { readonly node: LiveNode }) | undefined;
  readonly fn: NodePath<t.Function>;
  /** The file that contains the function; undefined if its text is known alone. */
  readonly parsed: ParsedFile | undefined;
  /** The number of parameters before the first one with a default value. */
  readonly length: number;
  readonly isErrorHandler: boolean;
  isRequest(path: NodePath | null): boolean;
  isResponse(path: NodePath | null): boolean;
  isNext(path: NodePath | null): boolean;
  /** The line of a node in the file, or that of the registration. */
  siteOf(node: t.Node): Site | undefined;
}

const known = new WeakMap<LiveApplication, readonly HandlerCode[]>();

/** Returns each registered function once, in the order of registration. Functions without a source are missing. */
export function handlersIn(application: LiveApplication): readonly HandlerCode[] {
  let found = known.get(application);
  if (!found) {
    const seen = new Set<unknown>();
    found = application.roots
      .flatMap((root) => [...walkTree(root)])
      .flatMap((node) => functionsOf(node).map((one) => ({ node, one })))
      .filter(({ one }) => !seen.has(one.handle) && seen.add(one.handle))
      .flatMap(({ node, one }) => codeOf(one, node, application) ?? []);
    known.set(application, found);
  }
  return found;
}

/** Parses a registered function; undefined if its source is unknown. */
export function codeOf(
  one: NamedFunction,
  node: LiveNode,
  application: LiveApplication,
): HandlerCode | undefined {
  const { handle, name, site } = one;
  const found = application.sources.functionOf(handle, site, applicationFiles(application));
  if (!found) return undefined;
  const isErrorHandler = node.kind === 'error handler' || handle.length === 4;
  const { series } = node;
  return { ...rolesIn(found, isErrorHandler, site), name, series, live: { ...one, node } };
}

/** Finds the parameters of a handler. @param site Where the handler is registered. */
export function rolesIn(
  { path: fn, parsed }: ParsedFunction,
  isErrorHandler: boolean,
  site: Site | undefined,
): Omit<HandlerCode, 'name' | 'series' | 'live'> {
  const { params } = fn.node;
  const optional = params.findIndex(({ type }) => type === 'AssignmentPattern' || type === 'RestElement');
  const first = isErrorHandler ? 1 : 0;
  const isParameter = (path: NodePath | null, index: number): boolean => {
    const id = parameterOf(fn, index);
    return (
      id !== undefined &&
      path?.isIdentifier() === true &&
      path.scope.getBinding(path.node.name)?.identifier === id
    );
  };
  return {
    site,
    fn,
    parsed,
    length: optional < 0 ? params.length : optional,
    isErrorHandler,
    isRequest: (path) => isParameter(path, first),
    isResponse: (path) => isParameter(path, first + 1),
    isNext: (path) => isParameter(path, first + 2),
    siteOf: ({ loc }) => (parsed && loc ? { file: parsed.file, line: loc.start.line } : site),
  };
}

/** The identifier of a parameter; undefined for a pattern. */
export function parameterOf(fn: NodePath<t.Function>, index: number): t.Identifier | undefined {
  const param = fn.node.params[index];
  return param?.type === 'Identifier' ? param : undefined;
}

const files = new WeakMap<LiveApplication, readonly string[]>();

/** The files of the application that are loaded. */
export function applicationFiles(application: LiveApplication): readonly string[] {
  let found = files.get(application);
  if (!found) {
    const { home, loaded } = application;
    const all = [...Object.keys(require.cache), ...loaded.requirements.map(({ from }) => from)];
    found = [...new Set(all)].filter((file) => isOfApplication(file, home));
    files.set(application, found);
  }
  return found;
}

/** A mistake in the source of a handler. */
export interface Mistake {
  readonly code: string;
  /** What the handler does; the name of the handler precedes it. */
  readonly message: string;
  readonly node: t.Node;
  readonly severity?: Severity;
  readonly change?: Change | undefined;
}

type Check<Node extends t.Node> = (path: NodePath<Node>) => Mistake | undefined;

/** The checks of a handler, by the type of the node. */
export type Checks = { readonly [Type in t.Node['type']]?: Check<Extract<t.Node, { type: Type }>> };

/** Runs checks on each node of a handler, and returns each different mistake once. */
export function reportsOf(code: HandlerCode, checks: Checks): Finding[] {
  const found = new Map<string, Finding>();
  const visitor = Object.fromEntries(
    Object.entries(checks).map(([type, check]) => [
      type,
      (path: NodePath) => {
        const mistake = (check as Check<t.Node>)(path);
        if (!mistake) return;
        const { node, message, severity = 'warning', ...rest } = mistake;
        const key = rest.code + message;
        if (!found.has(key))
          found.set(key, { ...rest, severity, message: `${code.name} ${message}`, site: code.siteOf(node) });
      },
    ]),
  );
  code.fn.traverse(visitor);
  return [...found.values()];
}

/** The name of the method that a call runs on the response, also behind others: `json` in `res.status(1).json()`. */
export function methodOf(path: NodePath, code: HandlerCode): string | undefined {
  const callee = path.isCallExpression() ? path.get('callee') : undefined;
  if (!callee?.isMemberExpression()) return undefined;
  const object = callee.get('object');
  return code.isResponse(object) || methodOf(object, code) ? memberName(callee.node) : undefined;
}

export function applicationOf(node: LiveNode): AnyApplication | undefined {
  return node.application ?? (node.parent && applicationOf(node.parent));
}
