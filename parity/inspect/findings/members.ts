/** Finds handlers that read a property of the request, such as `req.body`, that no middleware before them sets. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { insertBefore, moveBefore } from '../changes';
import { areDisjoint, covers, shapesOf } from '../cover';
import { endsRequest } from '../handlers';
import type { LiveApplication } from '../live';
import type { Change, Finding } from '../model';
import { isContainer, type LiveNode, walkTree } from '../tree';
import { CODES } from './codes';
import { followingOf, functionsOf, type NamedFunction, precedingOf, titleOf } from './functions';
import { codeOf, type HandlerCode, parameterOf } from './handler-code';

interface Member {
  /** The names of the functions of middleware that sets the property. */
  readonly setters: RegExp;
  /** What sets it, as text for the message. */
  readonly by: string;
}

/** The properties that Express does not set, with the middleware that sets each. */
export const MEMBERS: Readonly<Record<string, Member>> = {
  body: {
    setters: /^(?:json|urlencoded|text|raw)Parser$/,
    by: 'a body parser',
  },
  cookies: { setters: /^cookieParser$/, by: 'cookie-parser' },
  signedCookies: { setters: /^cookieParser$/, by: 'cookie-parser' },
  session: { setters: /^_?(?:cookieS|s)ession$/, by: 'express-session or cookie-session' },
  file: { setters: /^multerMiddleware$/, by: 'multer' },
  files: { setters: /^multerMiddleware$/, by: 'multer or express-fileupload' },
  user: { setters: /^(?:authenticate|jwt)$/, by: 'a middleware that authenticates' },
};

export function findUnsetMembers(application: LiveApplication): Finding[] {
  const { roots, server } = application;
  // A plain function may call the other roots, before or after handlers that the tree does not contain.
  const [root] = roots;
  const served = server?.listeners('request') ?? [];
  if (!root || (served.length > 0 && !served.some(isContainer))) return [];
  const seen = new Set<unknown>();
  const routes = [...walkTree(root)].filter(({ kind }) => kind === 'route');
  return routes.flatMap((node) =>
    functionsOf(node).flatMap((one, index) => {
      if (seen.has(one.handle)) return [];
      const code = codeOf(one, node, application);
      const found = code ? unsetIn(code, node, index, application) : [];
      if (found.length > 0) seen.add(one.handle);
      return found;
    }),
  );
}

function unsetIn(code: HandlerCode, node: LiveNode, index: number, application: LiveApplication): Finding[] {
  const { name } = code;
  return Object.entries(MEMBERS).flatMap(([member, { setters, by }]): Finding[] => {
    const reads = readsOf(code, member);
    if (reads.length === 0 || reads.some(({ kind }) => kind === 'write')) return [];
    if (isInherited(member, node)) return [];
    const isSetBy = (one: NamedFunction, at: LiveNode): boolean =>
      setters.test(one.handle.name) || mayProvide(one, at, member, application);
    if (
      functionsOf(node)
        .slice(0, index)
        .some((one) => isSetBy(one, node))
    )
      return [];
    if (isPassed(code)) return [];
    const before = precedingOf(node).filter((one) => one.kind !== 'error handler' && !areDisjoint(one, node));
    if (before.some((one) => functionsOf(one).some((each) => isSetBy(each, one)))) return [];
    if (paramCallbacksOf(node)) return [];
    const setter = setterAfter(node, setters);
    const parts = reads.filter(({ kind }) => kind === 'part');
    const isGuarded = reads.some(({ kind }) => kind === 'guard');
    const [read] = setter ? reads : isGuarded ? [] : parts;
    if (!read) return [];
    const reads_ = `${name} of ${titleOf(node)} reads req.${member}`;
    const isBody = member === 'body';
    const site = code.site;
    if (setter)
      return [
        {
          code: isBody ? CODES.bodyBeforeParser.code : CODES.memberUnset.code,
          severity: 'warning',
          message: `${reads_}, but ${setter.name} is registered after it, on line ${setter.site?.line}`,
          site,
          change: moveBefore(application.sources, setter.site, node.site),
        },
      ];
    return [
      {
        code: isBody ? CODES.noParser.code : CODES.memberUnset.code,
        severity: 'warning',
        message: `${reads_}, which no middleware before it sets (${by} would)`,
        site,
        change: isBody ? parserBefore(node, application) : undefined,
      },
    ];
  });
}

/** Adds the parsers of Express in front of the route. */
function parserBefore(node: LiveNode, { sources }: LiveApplication): Change | undefined {
  const call = sources.callAt(node.site);
  const callee = call?.node.callee;
  const object = callee?.type === 'MemberExpression' ? callee.object : undefined;
  if (object?.type !== 'Identifier' || !call?.scope.hasBinding('express')) return undefined;
  return insertBefore(sources, node.site, `${object.name}.use(express.json());`);
}

/** Whether the application defines the property for all requests. */
function isInherited(member: string, node: LiveNode): boolean {
  for (let one: LiveNode | undefined = node; one; one = one.parent) {
    const { request } = Object(one.application) as { request?: object };
    if (request && member in request) return true;
  }
  return false;
}

/** Whether a callback of a parameter runs before the route. It may set any property. */
function paramCallbacksOf(node: LiveNode): boolean {
  return node.params.some((name) => node.parent?.paramCallbacks.includes(name));
}

function setterAfter(node: LiveNode, setters: RegExp): LiveNode | undefined {
  const around = ancestorsOf(node);
  return followingOf(node).find(
    (later) =>
      later.kind === 'middleware' &&
      setters.test(later.layer?.handle.name ?? '') &&
      around.includes(later.parent as LiveNode) &&
      covers(shapesOf(later), shapesOf(node)),
  );
}

function ancestorsOf({ parent }: LiveNode): LiveNode[] {
  return parent ? [parent, ...ancestorsOf(parent)] : [];
}

export interface Read {
  /** `part` throws if the property is undefined, and `guard` tests whether it is. */
  readonly kind: 'part' | 'guard' | 'write' | 'plain';
  readonly node: t.Node;
}

/** Finds the uses of a property of the request in a function, also those of a variable that it is assigned to. */
export function readsOf(code: HandlerCode, member: string): Read[] {
  const { fn, isErrorHandler } = code;
  const reads: Read[] = [];
  const param = fn.get('params')[isErrorHandler ? 1 : 0] as NodePath | undefined;
  if (param?.isObjectPattern()) readPattern(param, member, reads);
  fn.traverse({
    MemberExpression(path) {
      if (nameOf(path) === member && code.isRequest(path.get('object'))) readUse(path, reads);
    },
    OptionalMemberExpression(path) {
      if (nameOf(path) === member && code.isRequest(path.get('object') as NodePath)) readUse(path, reads);
    },
    VariableDeclarator(path) {
      const [id, init] = [path.get('id') as NodePath, path.get('init') as NodePath];
      if (id.isObjectPattern() && code.isRequest(init)) readPattern(id, member, reads);
    },
  });
  return reads;
}

function nameOf({ node }: NodePath<t.MemberExpression | t.OptionalMemberExpression>): string | undefined {
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : undefined;
  return node.property.type === 'StringLiteral' ? node.property.value : undefined;
}

function readPattern(pattern: NodePath<t.ObjectPattern>, member: string, reads: Read[]): void {
  for (const property of pattern.get('properties')) {
    if (!property.isObjectProperty() || property.node.computed) continue;
    const { key } = property.node;
    if ((key.type === 'Identifier' ? key.name : '') !== member) continue;
    const value = property.get('value') as NodePath;
    if (value.isObjectPattern() || value.isArrayPattern()) reads.push({ kind: 'part', node: value.node });
    else if (value.isIdentifier()) readAlias(value, reads);
    else reads.push({ kind: 'guard', node: value.node as t.Node });
  }
}

function readAlias(id: NodePath<t.Identifier>, reads: Read[]): void {
  const binding = id.scope.getBinding(id.node.name);
  if (!binding?.constant) return void reads.push({ kind: 'guard', node: id.node });
  for (const path of binding.referencePaths) readUse(path, reads);
}

function readUse(path: NodePath, reads: Read[]): void {
  const { parentPath: outer, key, node } = path;
  const add = (kind: Read['kind']): void => void reads.push({ kind, node });
  if (!outer) return;
  if (
    (outer.isAssignmentExpression() && key === 'left') ||
    (outer.isUnaryExpression() && outer.node.operator === 'delete')
  )
    return add('write');
  if (outer.isMemberExpression() && key === 'object') return add('part');
  if (outer.isVariableDeclarator() && key === 'init') {
    const id = outer.get('id') as NodePath;
    if (id.isIdentifier()) return readAlias(id, reads);
    return add('part');
  }
  const isTest =
    (key === 'test' && !outer.isSwitchCase()) ||
    outer.isLogicalExpression() ||
    outer.isUnaryExpression() ||
    outer.isBinaryExpression() ||
    outer.isOptionalMemberExpression() ||
    outer.isOptionalCallExpression();
  add(isTest ? 'guard' : 'plain');
}

/** Middleware of packages that sets none of the properties. */
const HARMLESS =
  /^(?:serveStatic|logger|compression|corsMiddleware|helmetMiddleware|query|expressInit|(?:json|urlencoded|text|raw)Parser)$/;
const OTHERS = /^(?:cookieParser|session|_cookieSession)$/;

/** Whether a function may set a property of the request, so that a later handler may read it. */
function mayProvide(
  one: NamedFunction,
  node: LiveNode,
  member: string,
  application: LiveApplication,
): boolean {
  const { handle } = one;
  if (HARMLESS.test(handle.name) || OTHERS.test(handle.name)) return false;
  const code = codeOf(one, node, application);
  if (!code) return true;
  return (
    !endsRequest(handle) && (isPassed(code) || readsOf(code, member).some(({ kind }) => kind === 'write'))
  );
}

/** Methods of a request with which a function may read the body, or reach other functions with the request. */
const REACHING = new Set(
  'on once addListener prependListener pipe read setEncoding resume unpipe next res emit app login logIn pipeThrough'.split(
    ' ',
  ),
);

/** Whether a function may pass the request to other code, so that its source does not show every use. */
function isPassed({ fn, isErrorHandler, length }: HandlerCode): boolean {
  const index = isErrorHandler ? 1 : 0;
  const param = fn.node.params[index];
  let isReaching = false;
  fn.traverse({
    Identifier(path) {
      if (path.node.name === 'arguments') isReaching = true;
    },
  });
  if (isReaching) return true;
  if (!param) return length > 0;
  if (param.type === 'ObjectPattern') return param.properties.some(({ type }) => type === 'RestElement');
  const id = parameterOf(fn, index);
  const binding = id && fn.scope.getBinding(id.name);
  if (!binding?.constant) return true;
  return binding.referencePaths.some((path) => {
    const { parentPath: outer, key } = path;
    if (key === 'object' && (outer?.isMemberExpression() || outer?.isOptionalMemberExpression())) {
      const name = nameOf(outer);
      return name === undefined || (REACHING.has(name) && !isSetting(outer, name));
    }
    return !(outer?.isVariableDeclarator() && key === 'init' && outer.node.id.type === 'ObjectPattern');
  });
}

/** Whether `req.app.get(…)` and the like read a setting, which reaches no other function. */
function isSetting({ parentPath }: NodePath, name: string): boolean {
  return name === 'app' && Boolean(parentPath?.isMemberExpression());
}
