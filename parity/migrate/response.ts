/** Rewrites or reports uses of `res` that Express 5 does not support, or whose meaning it changes. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { type Context, located, requestNear, textAt } from './context';
import { memberName, requiredBy } from './syntax';

/** A call of a method of the response. */
interface Call {
  readonly path: NodePath<t.CallExpression>;
  readonly callee: t.MemberExpression;
  readonly args: readonly t.Expression[];
}

type Rule = (call: Call, context: Context) => void;

const RULES: Readonly<Record<string, Rule>> = {
  send: migrateSend,
  json: migrateBody,
  jsonp: migrateBody,
  redirect: migrateRedirect,
  location: migrateBack,
  sendfile: migrateSendfile,
  status: migrateStatus,
  sendStatus: migrateStatus,
  vary: migrateVary,
  clearCookie: refuseLifetime,
};

export function migrateResponse(path: NodePath<t.CallExpression>, context: Context): void {
  const callee = path.get('callee');
  if (!callee.isMemberExpression()) return;
  const rule = RULES[memberName(callee.node) ?? ''];
  if (!rule || context.kinds.of(callee.get('object')) !== 'res') return;
  const args = path.node.arguments;
  if (!args.every((one) => one.type !== 'SpreadElement' && one.type !== 'ArgumentPlaceholder')) return;
  rule({ path, callee: callee.node, args: args as t.Expression[] }, context);
}

function migrateSend(call: Call, context: Context): void {
  const { path, callee, args } = call;
  const [only] = args;
  if (args.length === 2) return migrateBody(call, context);
  if (args.length !== 1 || !only) return;
  const type = typeOf(path.get('arguments')[0] as NodePath);
  if (type === 'number') {
    rename(callee, 'sendStatus', context);
    context.change(path.node, 'res.send(status) → res.sendStatus(status)');
  } else if (type === undefined && isNamedStatus(only)) {
    context.refuse(
      path,
      'Express 4 sends a number as a status, Express 5 sends it as JSON: use res.sendStatus() for a status',
    );
  }
}

/** Rewrites `res.json(status, body)` and `res.json(body, status)`, also `send` and `jsonp`. Reports unclear calls. */
function migrateBody({ path, callee, args }: Call, context: Context): void {
  if (args.length !== 2) return;
  const name = memberName(callee);
  const [first, second] = args as [t.Expression, t.Expression];
  const [one, two] = (path.get('arguments') as NodePath[]).map(typeOf);
  const isStatusFirst = one === 'number' ? two !== 'number' || name === 'send' : two === 'other';
  const isStatusLast = two === 'number' && one !== 'number' && (one === 'other' || !isNamedStatus(first));
  const isNamed = one === undefined && two === undefined && isNamedStatus(first) !== isNamedStatus(second);
  if (!isStatusFirst && !isStatusLast && !isNamed) {
    context.refuse(
      path,
      `which argument of res.${name}() is the status? Express 5 needs res.status(status).${name}(body)`,
    );
    return;
  }
  const isFirst = isStatusFirst || (isNamed && isNamedStatus(first));
  const status = textAt(context, isFirst ? first : second);
  const object = located(callee.object);
  if (isFirst) context.edits.replace(located(first).start, located(second).start, '');
  else context.edits.replace(located(first).end, located(second).end, '');
  context.edits.insert(object.end, `${callee.optional ? '?' : ''}.status(${status})`);
  context.change(
    path.node,
    `res.${name}(${isFirst ? 'status, body' : 'body, status'}) → res.status(status).${name}(body)`,
  );
}

function migrateRedirect(call: Call, context: Context): void {
  migrateBack(call, context);
  const { path, args } = call;
  const [first, second] = args;
  if (!first || !second) return;
  const [one, two] = (path.get('arguments') as NodePath[]).map(typeOf);
  if (one === 'number' || isNamedStatus(first)) return;
  if (two !== 'number' && one !== 'other' && !isNamedStatus(second)) {
    context.refuse(path, 'which argument of res.redirect() is the status? Express 5 expects it first');
    return;
  }
  const [url, status] = [textAt(context, first), textAt(context, second)];
  context.edits.replace(located(first).start, located(first).end, status);
  context.edits.replace(located(second).start, located(second).end, url);
  context.change(path.node, 'res.redirect(url, status) → res.redirect(status, url)');
}

/** Rewrites the URL `'back'` as the value of the Referer header, also inside conditional and logical expressions. */
function migrateBack({ path, callee }: Call, context: Context): void {
  const request = requestNear(path, context) ?? `${textAt(context, rootOf(callee.object))}.req`;
  for (const literal of (path.get('arguments') as NodePath[]).flatMap(chosen)) {
    if (!literal.isStringLiteral() || literal.node.value !== 'back') continue;
    const { start, end } = located(literal.node);
    const referrer = `${request}.get('Referrer') || '/'`;
    const isArgument = literal.parent === path.node;
    context.edits.replace(start, end, isArgument ? referrer : `(${referrer})`);
    context.change(literal.node, `'back' → ${referrer}`);
  }
}

/** The operands that may be the value of a conditional or logical expression. */
function chosen(path: NodePath): NodePath[] {
  if (path.isConditionalExpression())
    return [...chosen(path.get('consequent')), ...chosen(path.get('alternate'))];
  if (path.isLogicalExpression()) return [...chosen(path.get('left')), ...chosen(path.get('right'))];
  return [path];
}

/** Returns the response at the start of a chain of calls: `res` in `res.status(404).json`. */
function rootOf(node: t.Node): t.Node {
  return node.type === 'CallExpression' && node.callee.type === 'MemberExpression'
    ? rootOf(node.callee.object)
    : node;
}

function migrateSendfile({ path, callee, args }: Call, context: Context): void {
  const [file, options] = args;
  if (!file) return;
  rename(callee, 'sendFile', context);
  context.change(path.node, 'res.sendfile(path) → res.sendFile(absolute path)');
  const { start, end } = located(file);
  const hasOptions = options?.type === 'ObjectExpression' || options?.type === 'Identifier';
  if (isAbsolute(file) || (options?.type === 'ObjectExpression' && hasProperty(options, 'root'))) return;
  if (file.type === 'StringLiteral' && !hasOptions) {
    if (!file.value.startsWith('/')) context.edits.insert(end, ', { root: process.cwd() }');
    return;
  }
  const resolve = resolveNear(path);
  if (options?.type === 'Identifier' || resolve === undefined)
    context.refuse(path, 'res.sendFile() needs an absolute path or the option root');
  else context.edits.replace(start, end, `${resolve}(${textAt(context, file)})`);
}

/** Finds an expression for `path.resolve`, by the file's import of `path` or by `require`; undefined if there is none. */
function resolveNear(path: NodePath): string | undefined {
  for (const [name, binding] of Object.entries(path.scope.getAllBindings())) {
    const { path: declared } = binding as { path: NodePath };
    const required = declared.isVariableDeclarator() ? requiredBy(declared.node.init) : undefined;
    const { parent } = declared;
    const imported =
      !declared.isImportSpecifier() && parent.type === 'ImportDeclaration' ? parent.source.value : undefined;
    if (/^(?:node:)?path$/.test(required ?? imported ?? '') && declared.get('id')) return `${name}.resolve`;
  }
  return path.scope.hasBinding('require', true) ? undefined : requireResolve(path);
}

/** `require('path').resolve` in a CommonJS file; undefined in an ES module. */
function requireResolve(path: NodePath): string | undefined {
  const program = path.scope.getProgramParent().path.node as t.Program;
  return program.sourceType === 'script' ? "require('path').resolve" : undefined;
}

/** Whether an expression looks like an absolute path: `__dirname + …`, `path.join(__dirname)`, `path.resolve(…)`. */
function isAbsolute(node: t.Node): boolean {
  if (node.type === 'Identifier') return node.name === '__filename';
  if (node.type === 'BinaryExpression') return isFolder(node.left) || isAbsolute(node.left);
  if (node.type === 'TemplateLiteral')
    return node.quasis[0]?.value.raw === '' && Boolean(node.expressions[0] && isFolder(node.expressions[0]));
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const name = memberName(node.callee);
  if (name === 'resolve') return true;
  const [first] = node.arguments;
  return name === 'join' && first !== undefined && (isFolder(first) || isAbsolute(first));
}

function isFolder(node: t.Node): boolean {
  if (node.type === 'Identifier') return node.name === '__dirname';
  return node.type === 'CallExpression' && node.callee.type === 'MemberExpression'
    ? memberName(node.callee) === 'cwd'
    : node.type === 'MemberExpression' && memberName(node) === 'dirname';
}

function hasProperty({ properties }: t.ObjectExpression, name: string): boolean {
  return properties.some(
    (one) => one.type === 'ObjectProperty' && one.key.type === 'Identifier' && one.key.name === name,
  );
}

/** Rewrites `res.status('404')` as `res.status(404)`, also `res.sendStatus`, because Express 5 accepts only numbers. */
function migrateStatus({ path, args, callee }: Call, context: Context): void {
  const [status] = args;
  if (status?.type === 'NumericLiteral' && !isStatus(status.value))
    context.refuse(path, `Express 5 throws a RangeError for the status ${status.value}`);
  if (status?.type !== 'StringLiteral') return;
  if (!/^[1-9]\d\d$/.test(status.value)) {
    context.refuse(path, `Express 5 throws a TypeError for the status ${JSON.stringify(status.value)}`);
    return;
  }
  context.edits.replace(located(status).start, located(status).end, status.value);
  context.change(path.node, `res.${memberName(callee)}('${status.value}') → a number`);
}

function isStatus(value: number): boolean {
  return Number.isInteger(value) && value >= 100 && value <= 999;
}

/** Reports options of `res.clearCookie` that Express 4 obeys and Express 5 ignores. */
function refuseLifetime({ path }: Call, context: Context): void {
  const options = constantOf(path.get('arguments')[1] as NodePath | undefined);
  if (!options?.isObjectExpression()) return;
  for (const name of ['maxAge', 'expires'])
    if (hasProperty(options.node, name))
      context.refuse(path, `res.clearCookie() of Express 5 ignores ${name}, and always deletes the cookie`);
}

/** The value of a constant; any other expression itself. */
function constantOf(path: NodePath | undefined): NodePath | undefined {
  if (!path?.isIdentifier()) return path;
  const binding = path.scope.getBinding(path.node.name);
  const declared = binding?.constant ? binding.path : undefined;
  return declared?.isVariableDeclarator() ? (declared.get('init') as NodePath) : path;
}

function migrateVary({ path, args }: Call, context: Context): void {
  if (args.length === 0)
    context.refuse(path, 'Express 5 throws a TypeError for res.vary() without the name of a header');
}

function rename({ property, computed }: t.MemberExpression, name: string, { edits }: Context): void {
  const { start, end } = located(property);
  edits.replace(start, end, computed ? `'${name}'` : name);
}

// biome-ignore format: a table
const OTHER = new Set<t.Node['type']>([
  'StringLiteral', 'TemplateLiteral', 'ObjectExpression', 'ArrayExpression', 'NullLiteral',
  'BooleanLiteral', 'NewExpression', 'ArrowFunctionExpression', 'FunctionExpression',
  'RegExpLiteral', 'ClassExpression', 'JSXElement',
]);

/** Whether the value of an expression is a number or something else; undefined if the file does not show it. */
function typeOf(path: NodePath): 'number' | 'other' | undefined {
  const { node } = path;
  if (node.type === 'NumericLiteral') return 'number';
  if (OTHER.has(node.type)) return 'other';
  if (path.isConditionalExpression()) {
    const type = typeOf(path.get('consequent'));
    return type === typeOf(path.get('alternate')) ? type : undefined;
  }
  if (path.isBinaryExpression()) {
    const types = [path.get('left'), path.get('right')].map((one) => typeOf(one as NodePath));
    if (path.node.operator === '+') return types.includes('other') ? 'other' : undefined;
    return /^[-*/%]|\*\*$/.test(path.node.operator) ? 'number' : 'other';
  }
  if (path.isIdentifier()) {
    if (path.node.name === 'undefined') return 'other';
    const binding = path.scope.getBinding(path.node.name);
    const declared = binding?.constant ? binding.path : undefined;
    const init = declared?.isVariableDeclarator() ? (declared.get('init') as NodePath) : undefined;
    return init?.node && init.node !== node ? typeOf(init) : undefined;
  }
  if (path.isMemberExpression()) {
    const { object } = path.node;
    // Constants such as `StatusCodes.OK` of the package http-status-codes.
    return object.type === 'Identifier' && /^(?:Http)?Status(?:Codes?)?$/i.test(object.name)
      ? 'number'
      : undefined;
  }
  if (!path.isCallExpression()) return undefined;
  const { callee } = path.node;
  const name =
    callee.type === 'Identifier' ? callee.name : callee.type === 'MemberExpression' ? memberName(callee) : '';
  if (name === 'Number' || name === 'parseInt') return 'number';
  return /^(?:String|stringify|toString|join|toJSON|map|filter|replace)$/.test(name ?? '')
    ? 'other'
    : undefined;
}

/** Whether an expression looks like a status: a variable or member such as `statusCode` or `code`, or `code || 500`. */
function isNamedStatus(node: t.Node): boolean {
  if (node.type === 'LogicalExpression') return isNamedStatus(node.left) || typeOfLiteral(node.right);
  const name =
    node.type === 'Identifier' ? node.name : node.type === 'MemberExpression' ? memberName(node) : '';
  return /^(?:http)?_?(?:status|status_?code|code)$/i.test(name ?? '');
}

function typeOfLiteral(node: t.Node): boolean {
  return node.type === 'NumericLiteral';
}
