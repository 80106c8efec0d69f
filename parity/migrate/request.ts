/** Rewrites or reports uses of `req` that Express 5 does not support, or whose meaning it changes. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { type Context, located, textAt } from './context';
import type { Kinds } from './kinds';
import { memberName } from './syntax';

const RENAMED: Readonly<Record<string, string>> = {
  host: 'hostname',
  acceptsCharset: 'acceptsCharsets',
  acceptsEncoding: 'acceptsEncodings',
  acceptsLanguage: 'acceptsLanguages',
};

/** Methods of `Object.prototype`, which `req.params` of Express 5 does not inherit. */
const INHERITED = new Set(
  Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__'),
);

/** Reports `req.params.hasOwnProperty(…)` and the like. */
function refuseInherited(path: NodePath<t.MemberExpression>, context: Context): void {
  const name = memberName(path.node);
  if (name === undefined || !INHERITED.has(name) || !isParams(path.get('object'), context)) return;
  context.refuse(
    path,
    name === 'hasOwnProperty'
      ? 'req.params has no prototype in Express 5: use Object.hasOwn(req.params, name), which is false for an optional parameter without a value'
      : `req.params has no prototype in Express 5, and so no ${name}()`,
  );
}

/** Whether an expression is `req.params`, or a constant that was set to it. */
function isParams(path: NodePath, { kinds }: Pick<Context, 'kinds'>): boolean {
  if (path.isMemberExpression())
    return memberName(path.node) === 'params' && kinds.of(path.get('object')) === 'req';
  const binding = path.isIdentifier() ? path.scope.getBinding(path.node.name) : undefined;
  if (!binding?.constant || !binding.path.isVariableDeclarator()) return false;
  const init = binding.path.get('init') as NodePath;
  if (binding.path.node.id.type === 'Identifier') return isParams(init, { kinds });
  return binding.identifier.name === 'params' && kinds.of(init) === 'req';
}

/** Reports `'a' in req.params`, which is true in Express 4 also for an optional parameter without a value. */
export function refuseIn(path: NodePath<t.BinaryExpression>, context: Context): void {
  if (path.node.operator === 'in' && isParams(path.get('right') as NodePath, context))
    context.refuse(path, 'req.params of Express 5 has no property for an optional parameter without a value');
}

/** Whether a member expression is `req.route` or `req.route.path`; other members of the route do not change. */
export function readsRoutePath(path: NodePath<t.MemberExpression>, kinds: Kinds): boolean {
  if (memberName(path.node) !== 'route' || kinds.of(path.get('object')) !== 'req') return false;
  const { parentPath: outer } = path;
  return !outer?.isMemberExpression() || path.key !== 'object' || memberName(outer.node) === 'path';
}

/** Reports a read of `req.route.path`, if a path of the program has another syntax now. */
export function refuseRoutePath(path: NodePath<t.MemberExpression>, context: Context): void {
  if (context.facts.convertsPaths && readsRoutePath(path, context.kinds))
    context.refuse(
      path,
      'req.route.path is the converted path now: convert the texts that it is compared with, too',
    );
}

/** Rewrites `req.host` and similar members, if the object is a request. */
export function migrateRequestMember(path: NodePath<t.MemberExpression>, context: Context): void {
  refuseInherited(path, context);
  const name = memberName(path.node);
  const renamed = name !== undefined && Object.hasOwn(RENAMED, name) ? RENAMED[name] : undefined;
  if (renamed === undefined || context.kinds.of(path.get('object')) !== 'req') return;
  if (path.parentPath.isAssignmentExpression() && path.key === 'left') return;
  const { property, computed } = path.node;
  context.edits.replace(located(property).start, located(property).end, computed ? `'${renamed}'` : renamed);
  context.change(path.node, `req.${name} → req.${renamed}`);
}

/** Rewrites `req.param(name, default)` as reads of `req.params`, `req.body` and `req.query`, in this order. */
export function migrateParam(path: NodePath<t.CallExpression>, context: Context): void {
  const callee = path.get('callee');
  if (!callee.isMemberExpression() || memberName(callee.node) !== 'param') return;
  if (context.kinds.of(callee.get('object')) !== 'req') return;
  const [name, fallback] = path.node.arguments;
  if (!name || (name.type !== 'StringLiteral' && name.type !== 'Identifier')) {
    context.refuse(path, 'Express 5 has no req.param(): read req.params, req.body or req.query');
    return;
  }
  const request = textAt(context, callee.node.object);
  const isPlain = name.type === 'StringLiteral' && /^[A-Za-z_$][\w$]*$/.test(name.value);
  const member = isPlain ? `.${name.value}` : `[${textAt(context, name)}]`;
  const optional = isPlain ? `?${member}` : `?.${member}`;
  const parts = [`${request}.params${member}`, `${request}.body${optional}`, `${request}.query${member}`];
  const more = fallback ? [` ?? ${textAt(context, fallback)}`] : [];
  const value = parts.join(' ?? ') + more.join('');
  context.edits.replace(
    located(path.node).start,
    located(path.node).end,
    isAlone(path) ? value : `(${value})`,
  );
  context.change(path.node, `req.param() → ${value}`);
}

/** Whether the new expression needs no parentheses at this position. */
function isAlone({ parent, listKey, key }: NodePath): boolean {
  if (listKey === 'arguments' || listKey === 'elements') return true;
  return (
    (parent.type === 'VariableDeclarator' && key === 'init') ||
    (parent.type === 'AssignmentExpression' && key === 'right') ||
    (parent.type === 'ObjectProperty' && key === 'value') ||
    parent.type === 'ReturnStatement' ||
    parent.type === 'ExpressionStatement'
  );
}

/**
 * Rewrites `req.query = …` with `Object.defineProperty`, and reports other writes to `req.query`. Does nothing if a
 * given file creates the application, because `req.query` is then made writable there.
 */
export function migrateQueryWrite(path: NodePath<t.AssignmentExpression>, context: Context): void {
  const left = path.get('left');
  if (!left.isMemberExpression()) return;
  const member = queryOf(left, context);
  if (!member || context.facts.makesApplication) return;
  const { operator, right } = path.node;
  const isStatement = path.parentPath.isExpressionStatement();
  const isDirect = member === left;
  const isOneDeep = !isDirect && left.get('object') === member;
  if (!isStatement || operator !== '=' || !(isDirect || isOneDeep)) {
    context.refuse(path, 'Express 5 computes req.query at each reading, so that this write is lost');
    return;
  }
  const request = textAt(context, member.node.object);
  const written = textAt(context, right);
  const { property, computed } = left.node;
  const key = computed ? `[${textAt(context, property)}]` : textAt(context, property);
  const value = isDirect ? written : `{ ...${request}.query, ${key}: ${written} }`;
  const { start, end } = located(path.node);
  const attributes = 'configurable: true, enumerable: true, writable: true';
  context.edits.replace(
    start,
    end,
    `Object.defineProperty(${request}, 'query', { value: ${value}, ${attributes} })`,
  );
  context.change(path.node, `req.query = … → Object.defineProperty(${request}, 'query', …)`);
}

/** Reports `delete req.query.a` and `req.query.a++`, unless a given file creates the application. */
export function refuseQueryUpdate(
  path: NodePath<t.UnaryExpression | t.UpdateExpression>,
  context: Context,
): void {
  const argument = path.get('argument') as NodePath;
  if (context.facts.makesApplication || !isUpdated(path)) return;
  if (argument.isMemberExpression() && queryOf(argument, context))
    context.refuse(path, 'Express 5 computes req.query at each reading, so that this write is lost');
}

/** Whether an expression writes to `req.query` or to one of its properties. */
export function writesQuery(
  path: NodePath<t.AssignmentExpression | t.UnaryExpression | t.UpdateExpression>,
  kinds: Kinds,
): boolean {
  const written = path.get(path.isAssignmentExpression() ? 'left' : 'argument') as NodePath;
  if (!isUpdated(path) || !written.isMemberExpression()) return false;
  // `req[part] = …` may write to any member.
  if (memberName(written.node) === undefined && kinds.of(written.get('object')) === 'req') return true;
  return queryOf(written, { kinds }) !== undefined;
}

function isUpdated({ node }: NodePath): boolean {
  return node.type !== 'UnaryExpression' || node.operator === 'delete';
}

/** The `req.query` at the start of a member expression; undefined if it starts otherwise. */
function queryOf(
  path: NodePath<t.MemberExpression>,
  context: Pick<Context, 'kinds'>,
): NodePath<t.MemberExpression> | undefined {
  const object = path.get('object');
  if (memberName(path.node) === 'query' && context.kinds.of(object) === 'req') return path;
  return object.isMemberExpression() ? queryOf(object, context) : undefined;
}
