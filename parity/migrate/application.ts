/** Rewrites or reports the setup of an application: removed members, changed defaults, and imports. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { type Context, located, textAt } from './context';
import { VERBS } from './kinds';
import { memberName, requiredBy } from './syntax';

/** Packages of which some versions assign `req.query` or its properties, which throws or has no effect in Express 5. */
// biome-ignore format: a table
export const QUERY_WRITERS: ReadonlySet<string> = new Set([
  'xss-clean', 'express-mongo-sanitize', 'hpp', 'query-types',
  'express-query-int', 'express-query-boolean', 'express-query-parser',
  'express-validator', 'express-paginate', 'express-xss-sanitizer', 'express-joi-validation',
  'express-openapi-validator', 'express-validation', 'express-json-validator-middleware',
  'zod-express-middleware', 'connect-query', 'express-zod-safe', 'perfect-express-sanitizer',
  'express-caja-sanitizer', 'express-sanitize-escape', 'qs-middleware', '@escook/express-joi',
]);
/** Middleware that sets `req.body` to `{}` if there was nothing to parse, as the parsers of Express 4 do. */
const DEFAULT_BODY = '(req, _res, next) => { req.body ??= {}; next(); }';
/** Middleware that makes `req.query` writable. In Express 5 the property is a getter without a setter. */
const WRITABLE_QUERY =
  "(req, _res, next) => { Object.defineProperty(req, 'query', { value: req.query, configurable: true, enumerable: true, writable: true }); next(); }";

export function migrateApplicationCall(path: NodePath<t.CallExpression>, context: Context): void {
  const callee = path.get('callee');
  if (context.kinds.of(callee) === 'express') return keepQuery(path, context);
  if (isUrlencoded(callee, context)) migrateUrlencoded(path, context);
  if (!callee.isMemberExpression()) return;
  const name = memberName(callee.node) ?? '';
  if (name !== 'del' && name !== 'param' && name !== 'use' && !VERBS.has(name)) return;
  const kind = context.kinds.of(callee.get('object'));
  if (kind !== 'app' && kind !== 'router' && kind !== 'route') return;
  if (name === 'del' && kind === 'app') {
    const { start, end } = located(callee.node.property);
    context.edits.replace(start, end, callee.node.computed ? "'delete'" : 'delete');
    context.change(path.node, 'app.del → app.delete');
  }
  if (name === 'param') migrateParamCallback(path, context);
  else addDefaultBody(path, context);
}

/** Rewrites `app.param(':id', fn)`, and reports `app.param(fn)`, which Express 5 does not have. */
function migrateParamCallback(path: NodePath<t.CallExpression>, context: Context): void {
  const [name] = path.node.arguments;
  if (name?.type === 'StringLiteral' && name.value.startsWith(':')) {
    const { start, end } = located(name);
    context.edits.replace(start + 1, end, textAt(context, name).slice(2));
    context.change(path.node, `param('${name.value}') → param('${name.value.slice(1)}')`);
  } else if (path.node.arguments.length === 1) {
    context.refuse(path, 'Express 5 has no param(fn): call param(name, fn) for each parameter');
  }
}

/** Adds `DEFAULT_BODY` after a body parser of Express, if any handler may read `req.body`. */
function addDefaultBody(path: NodePath<t.CallExpression>, context: Context): void {
  if (!context.facts.readsBody || isFollowedByParser(path, context)) return;
  const parsers = path.get('arguments').filter((one) => isParser(one as NodePath, context));
  const last = parsers.at(-1);
  if (!last) return;
  const next = path.node.arguments[Number(last.key) + 1];
  if (next && /\.body (?:\?\?|\|\|)?= /.test(textAt(context, next))) return;
  context.edits.insert(located(last.node as t.Node).end, `, ${DEFAULT_BODY}`);
  context.change(path.node, 'req.body is {} if there is nothing to parse, as in Express 4');
}

function isParser(path: NodePath, { kinds }: Context): boolean {
  if (path.isCallExpression()) return kinds.of(path.get('callee')) === 'parser';
  return (
    path.isIdentifier() &&
    kinds.of(path) === 'parser' &&
    !path.scope.getBinding(path.node.name)?.path.isImportSpecifier()
  );
}

/** Whether the next statement registers another parser. Of several parsers, only the last needs the default body. */
function isFollowedByParser(path: NodePath<t.CallExpression>, context: Context): boolean {
  const { parentPath: statement } = path;
  if (!statement?.isExpressionStatement() || path.node.arguments.length !== 1) return false;
  const next = statement.getSibling(Number(statement.key) + 1);
  const call = next.isExpressionStatement() ? next.get('expression') : undefined;
  if (!call?.isCallExpression() || call.node.arguments.length === 0) return false;
  const [before, after] = [path.node.callee, call.node.callee];
  return (
    before.type === 'MemberExpression' &&
    after.type === 'MemberExpression' &&
    memberName(after) === 'use' &&
    textAt(context, before.object) === textAt(context, after.object) &&
    isParser(call.get('arguments')[0] as NodePath, context)
  );
}

function isUrlencoded(callee: NodePath, { kinds }: Context): boolean {
  if (kinds.of(callee) !== 'parser') return false;
  if (callee.isIdentifier()) return callee.node.name === 'urlencoded';
  return callee.isMemberExpression() && memberName(callee.node) === 'urlencoded';
}

/** Adds `extended: true`, the default of Express 4, if the option is missing. */
function migrateUrlencoded(path: NodePath<t.CallExpression>, context: Context): void {
  const [options] = path.node.arguments;
  const { end } = located(path.node);
  if (!options) context.edits.insert(end - 1, '{ extended: true }');
  else if (options.type === 'ObjectExpression') {
    const isSet = options.properties.some(
      (one) => one.type === 'SpreadElement' || textAt(context, one.key).includes('extended'),
    );
    if (isSet) return;
    const [first] = options.properties;
    context.edits.insert(located(options).start + 1, first ? ' extended: true,' : ' extended: true ');
  } else return;
  context.change(path.node, 'urlencoded() → urlencoded({ extended: true })');
}

/** Keeps nested queries (`?a[b]=1`) and a writable `req.query` if the application uses them. */
export function keepQuery(path: NodePath<t.CallExpression | t.NewExpression>, context: Context): void {
  const { facts, edits, change, kinds, source } = context;
  if (kinds.of(path.get('callee')) !== 'express') return;
  const { end } = located(path.node);
  // `new express` without parentheses: a member would belong to `express`.
  if (source[end - 1] !== ')' && (facts.readsQuery || facts.writesQuery)) edits.insert(end, '()');
  if (facts.readsQuery && !facts.setsQueryParser) {
    edits.insert(end, ".set('query parser', 'extended')");
    change(path.node, "the setting 'query parser' is 'extended', as in Express 4");
  }
  if (facts.writesQuery) {
    edits.insert(end, `.use(${WRITABLE_QUERY})`);
    change(path.node, 'req.query can be written to, as in Express 4');
  }
}

/** Rewrites or reports `require` and `import` of express-async-errors, `express/lib/…` and `nozomi/4`. */
export function migrateRequire(
  path: NodePath<t.CallExpression | t.ImportDeclaration>,
  context: Context,
): void {
  const name = path.isImportDeclaration() ? path.node.source.value : requiredBy(path.node);
  if (name === 'express-async-errors') {
    const statement = path.isImportDeclaration() ? path : path.parentPath;
    if (!statement?.isStatement())
      return context.refuse(path, 'remove express-async-errors: Express 5 handles rejected promises itself');
    const { start, end } = located(statement.node);
    // If the line contains no other code, remove its line break, too.
    const isLine = /^\s*$/.test(context.source.slice(context.source.lastIndexOf('\n', start - 1) + 1, start));
    const [lineBreak = ''] = (isLine && /^\r?\n/.exec(context.source.slice(end))) || [];
    context.edits.replace(start, end + lineBreak.length, '');
    context.change(
      statement.node,
      'removed express-async-errors: Express 5 handles rejected promises itself',
    );
  } else if (name?.startsWith('express/lib/')) {
    context.refuse(path, `Express 5 may not have the internal module ${name}`);
  } else if (QUERY_WRITERS.has(name ?? '') && !context.facts.makesApplication) {
    context.refuse(path, `${name} assigns req.query, which has no setter in Express 5`);
  } else if (name === 'nozomi/4') {
    const { node } = path;
    const source = node.type === 'ImportDeclaration' ? node.source : node.arguments[0];
    if (!source) return;
    const { start, end } = located(source);
    context.edits.replace(start + 1, end - 1, 'nozomi');
    context.change(path.node, 'nozomi/4 → nozomi');
  }
}
