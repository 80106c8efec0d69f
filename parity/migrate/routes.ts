/** Rewrites the paths of routes and mounts. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { type Context, located } from './context';
import { type Kinds, VERBS } from './kinds';
import { candidatesFor } from './path/candidates';
import { type Conversion, convertPath, isConverted, type Place } from './path/convert';
import { memberName, requiredBy } from './syntax';

/** Rewrites the path of a route or mount, which is the first argument of a method of an application or router. */
export function migratePaths(path: NodePath<t.CallExpression>, context: Context): void {
  const callee = path.get('callee');
  if (!callee.isMemberExpression()) return;
  // `app[method](path, …)` registers a route, too.
  const name = memberName(callee.node) ?? 'all';
  const isVerb = VERBS.has(name) || name === 'del';
  const [first] = path.get('arguments');
  if (!isVerb && name !== 'use' && name !== 'route') return migrateOtherMethod(path, name, context);
  if (!first || (name === 'get' && path.node.arguments.length < 2)) return;
  const kind = context.kinds.of(callee.get('object'));
  const place = placeOf(path, callee, name, context);
  const isKnown = kind === 'app' || kind === 'router';
  if (isKnown) context.count(!hasComputedPath(path, context.kinds));
  if (hasComputedPath(path, context.kinds)) reportComputed(first as NodePath, context);
  else if (isKnown) migratePath(first as NodePath, place, context);
  else if (kind === undefined && name !== 'use' && isRouteLike(path, context)) {
    context.count(false);
    warnOfPath(first as NodePath, place, context);
  }
}

/** Reports a path in a method that other packages add to applications and routers, such as `app.ws` of express-ws. */
function migrateOtherMethod(path: NodePath<t.CallExpression>, name: string, context: Context): void {
  const callee = path.get('callee') as NodePath<t.MemberExpression>;
  const [first] = path.get('arguments') as NodePath[];
  const text = first && textOf(first);
  if (!first || text === undefined || !/^[/*]/.test(text) || isPlain(text)) return;
  const kind = context.kinds.of(callee.get('object'));
  if (kind !== 'app' && kind !== 'router') return;
  context.count(false);
  warnOfPath(first, placeOf(path, callee, name, context), context, `if ${name}() adds a route, its path`);
}

/**
 * Whether a call registers a route whose path is a variable without a literal value, such as `app.get(route.path, fn)`.
 * The first argument of `use` does not count: it may be a handler.
 */
export function hasComputedPath(path: NodePath<t.CallExpression>, kinds: Kinds): boolean {
  const callee = path.get('callee');
  const [first] = path.get('arguments') as NodePath[];
  if (!callee.isMemberExpression() || !first) return false;
  const name = memberName(callee.node);
  const isRoute = name === undefined || name === 'route' || name === 'del' || VERBS.has(name);
  if (!isRoute || (name !== 'route' && path.node.arguments.length < 2)) return false;
  const kind = kinds.of(callee.get('object'));
  if (kind !== 'app' && kind !== 'router') return false;
  if (first.isIdentifier()) {
    const value = literalOf(first);
    return !value || value.isMemberExpression() || value.isCallExpression();
  }
  return /^(?:Member|Call|Conditional|Logical|Await)Expression$/.test(first.type);
}

function reportComputed(path: NodePath, { facts, note, refuse }: Context): void {
  if (facts.hasTable)
    note(path.node, 'a path from a variable: the strings of these files that may be its value are checked');
  else
    refuse(
      path,
      'a path from elsewhere: no string of these files can be its value. Write it for Express 5 there',
    );
}

/** Whether a string looks like a path and stands where a table of routes has one; not in a call of a route itself. */
export function isInTable(path: NodePath<t.StringLiteral>): boolean {
  const { node, parent, listKey, key } = path;
  if (!/^(?:\/|\*$)/.test(node.value) || /[\s=&]/.test(node.value)) return false;
  if (parent.type === 'ObjectProperty') return true;
  if (parent.type === 'ArrayExpression') return !isFirstOfRoute(path.parentPath as NodePath);
  if (parent.type === 'VariableDeclarator')
    return !path.scope.getBinding((parent.id as t.Identifier).name)?.referencePaths.some(isFirstOfRoute);
  if (listKey !== 'arguments' || parent.type !== 'CallExpression') return false;
  const { callee } = parent;
  if (path.parentPath?.parentPath?.isDecorator()) return false;
  // Helpers such as `addRoute('/a/:id?', fn)`.
  return callee.type === 'Identifier' && requiredBy(parent) === undefined && Number(key) < 2;
}

/** Reports a string with syntax of Express 4, if a route has a path from a variable. */
export function migrateInTable(path: NodePath<t.StringLiteral>, context: Context): void {
  const text = path.node.value;
  if (isPlain(text)) return;
  const either = [false, true];
  const place = { end: true, strict: [false], sensitive: either, readsNumbers: context.facts.readsNumbers };
  if (isInDecorator(path)) warnOfPath(path, place, context, 'if this decorator adds a route, its path');
  else if (context.facts.computesPaths && isInTable(path))
    warnOfPath(path, place, context, 'if a route uses this string, its path');
}

/** Whether a computed text stands where a table of routes has a path, as in `{ path: base + '/:id?' }`. */
export function isComputedInTable({ node, parent, key, parentPath }: NodePath): boolean {
  if (parent.type !== 'ArrayExpression' && !(parent.type === 'ObjectProperty' && key === 'value'))
    return false;
  if (parent.type === 'ArrayExpression' && isFirstOfRoute(parentPath as NodePath)) return false;
  const parts = partsOf(node);
  return parts.some((part) => part !== '' && /^\//.test(part.text) && !/[\s=&]/.test(part.text));
}

/** Reports such a text with syntax of Express 4, if a route has a path from a variable. */
export function refuseComputedInTable(path: NodePath, context: Context): void {
  if (!context.facts.computesPaths || !isComputedInTable(path) || needsNoChange(path)) return;
  context.path(path.node, 'a computed path in a table', 'refused');
  context.refuse(path, 'if a route uses this text, its path has syntax of Express 4');
}

/** Whether a string is the path, or one of the paths, of a decorator such as `@Get('/a')`. */
function isInDecorator(path: NodePath): boolean {
  const call = path.parentPath?.isArrayExpression() ? path.parentPath.parentPath : path.parentPath;
  return Boolean(call?.parentPath?.isDecorator());
}

function migratePath(path: NodePath, place: Place, context: Context): void {
  if (path.isArrayExpression()) {
    for (const element of path.get('elements') as NodePath[]) migratePath(element, place, context);
    return;
  }
  const text = textOf(path);
  if (text !== undefined) migrateText(path, text, place, context);
  else if (path.isRegExpLiteral()) checkRegExp(path, context);
  else if (path.isIdentifier()) migrateConstant(path, place, context);
  else if (path.isBinaryExpression() || path.isTemplateLiteral()) migrateComputed(path, place, context);
}

function migrateText(path: NodePath, text: string, place: Place, context: Context): void {
  if (isOfExpress5(text)) {
    context.note(path.node, `${JSON.stringify(text)} already has the syntax of Express 5`);
    return;
  }
  const conversion = convertPath(text, place, context.frameworks);
  if (conversion.kind === 'same') return context.path(path.node, text, 'same');
  if (conversion.kind === 'refused') {
    context.path(path.node, `${JSON.stringify(text)}: ${conversion.why}`, 'refused');
    context.refuse(path, `${JSON.stringify(text)} has no equivalent in Express 5: ${conversion.why}`);
    return;
  }
  const { start, end } = located(path.node);
  const written = writtenAs(conversion, path.node);
  context.edits.replace(start, end, written);
  const { targets, matched } = conversion;
  context.path(path.node, text, 'converted');
  context.change(
    path.node,
    `${JSON.stringify(text)} → ${written}: equal on ${targets} targets, ${matched} of them match`,
  );
}

function writtenAs(conversion: Conversion & { kind: 'string' | 'regexp' }, { extra }: t.Node): string {
  if (conversion.kind === 'regexp') return String(conversion.path);
  const [quote = "'"] = typeof extra?.raw === 'string' ? extra.raw : "'";
  return quote + conversion.path.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}

/** The text of a string literal; undefined for a computed string. */
function textOf(path: NodePath): string | undefined {
  if (path.isStringLiteral()) return path.node.value;
  if (path.isTemplateLiteral() && path.node.expressions.length === 0)
    return path.node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** Whether a path has syntax of Express 5 that Express 4 does not use, such as `{/:id}` and `/*name`. */
function isOfExpress5(text: string): boolean {
  return /\{[^}\d,]/.test(text) || /[/{]\*[A-Za-z_]\w*(?=[/}]|$)/.test(text) || /:"/.test(text);
}

/** Rewrites the constant that contains a path, if the constant is only used as a path. */
function migrateConstant(path: NodePath<t.Identifier>, place: Place, context: Context): void {
  const binding = path.scope.getBinding(path.node.name);
  const init = literalOf(path);
  if (!binding || !init) return;
  const isPathAlone = binding.referencePaths.every((one) => one === path || isFirstOfRoute(one));
  const text = textOf(init);
  if (text === undefined && isPathAlone) {
    if (binding.referencePaths[0] === path && !init.isIdentifier()) migratePath(init, place, context);
    return;
  }
  if (text === undefined ? needsNoChange(init) : isOfExpress5(text)) return;
  if (text !== undefined && convertPath(text, place, context.frameworks).kind === 'same') return;
  if (!isPathAlone) {
    context.refuse(path, `${path.node.name} is also used elsewhere: give the route a path of its own`);
    return;
  }
  // The first use rewrites the constant for all uses.
  if (binding.referencePaths[0] === path && text !== undefined) migrateText(init, text, place, context);
}

/** Whether an expression contains no text with syntax of Express 4. */
function needsNoChange({ node }: NodePath): boolean {
  const parts =
    node.type === 'ArrayExpression'
      ? node.elements.flatMap((one) => (one ? partsOf(one) : []))
      : partsOf(node);
  return parts.every((part) => part === '' || isPlain(part.text));
}

/** The value of a constant; undefined if there is none. */
function literalOf(path: NodePath<t.Identifier>): NodePath | undefined {
  const binding = path.scope.getBinding(path.node.name);
  const declared = binding?.constant ? binding.path : undefined;
  const init = declared?.isVariableDeclarator() ? (declared.get('init') as NodePath) : undefined;
  // The variable of `for (const path of paths)` has no value here.
  return init?.node ? init : undefined;
}

function isFirstOfRoute({ listKey, key, parent }: NodePath): boolean {
  if (listKey !== 'arguments' || key !== 0 || parent.type !== 'CallExpression') return false;
  const name = parent.callee.type === 'MemberExpression' ? memberName(parent.callee) : undefined;
  return name !== undefined && (VERBS.has(name) || name === 'use' || name === 'route');
}

/**
 * Reports a regular expression that contains a group and a literal `(`, as `\(` or in a class. Express 5 counts the
 * literal one as a group, which shifts the parameters.
 */
function checkRegExp(path: NodePath<t.RegExpLiteral>, context: Context): void {
  const { pattern } = path.node;
  const groups: readonly string[] = pattern.match(/\\.|\((?!\?)/g) ?? [];
  if (groups.includes('(') && (groups.includes('\\(') || /\[[^\]]*\(/.test(pattern)))
    context.refuse(
      path,
      'Express 5 counts the escaped "(" as a group, which shifts the parameters: write \\x28',
    );
}

/** Rewrites the literal text of a computed path (`base + '/*'`), if the result is equivalent for all `SAMPLES`. */
function migrateComputed(path: NodePath, place: Place, context: Context): void {
  const parts = partsOf(path.node);
  const texts = parts.filter((part) => typeof part !== 'string');
  if (texts.every(({ text }) => isPlain(text))) {
    context.note(path.node, 'a computed path: only its literal text was checked');
    return;
  }
  const converted = texts.map(({ text }) => (isPlain(text) ? text : candidatesFor(text, true)[0]));
  const isSame = SAMPLES.every((samples) => {
    const before = joinParts(parts, samples, (text) => text);
    const after = joinParts(parts, samples, (_text, index) => converted[index] ?? '');
    return isConverted(before, after, place, context.frameworks);
  });
  if (!isSame || converted.includes(undefined)) {
    context.refuse(path, 'a computed path with syntax of Express 4: write it for Express 5');
    return;
  }
  for (const [index, { start, end }] of texts.entries())
    context.edits.replace(start, end, (converted[index] ?? '').replaceAll('\\', '\\\\'));
  context.change(path.node, 'a computed path: equal if the computed parts are plain text');
}

/** Sample texts for the computed parts of a path: for a part at the start, and for other parts. */
const SAMPLES = [
  ['/', 'x'],
  ['/api', 'a1'],
  ['/a/b', 'b-c'],
] as const;

/** A literal part of a computed path, without its quotes; `''` for a computed part. */
type Part = '' | { readonly text: string; readonly start: number; readonly end: number };

function isPlain(text: string): boolean {
  return !/[?*+()[\]{}!\\]/.test(text) || isOfExpress5(text);
}

function joinParts(
  parts: readonly Part[],
  [first, other]: readonly [string, string],
  rewrite: (text: string, index: number) => string,
): string {
  let index = 0;
  return parts
    .map((part, at) => (part === '' ? (at === 0 ? first : other) : rewrite(part.text, index++)))
    .join('');
}

function partsOf(node: t.Node): Part[] {
  const { start, end } = located(node);
  if (node.type === 'StringLiteral') return [{ text: node.value, start: start + 1, end: end - 1 }];
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return [...partsOf(node.left), ...partsOf(node.right)];
  if (node.type !== 'TemplateLiteral') return [''];
  return node.quasis.flatMap((quasi, index): Part[] => {
    const text = {
      text: quasi.value.cooked ?? '',
      start: located(quasi).start,
      end: located(quasi).end,
    };
    return [...(index > 0 ? ([''] as const) : []), ...(text.text ? [text] : [])];
  });
}

/**
 * Whether a call looks like a route although its object is not known to be a router: the first argument is a path and
 * the last is a handler of Express, or may refer to one. The object must not be that of another package.
 */
function isRouteLike(path: NodePath<t.CallExpression>, { kinds }: Context): boolean {
  const last = path.get('arguments').at(-1);
  const first = path.get('arguments')[0] as NodePath;
  if (!textOf(first)?.startsWith('/') && needsNoChange(first)) return false;
  if (path.node.arguments.length < 2) return false;
  const object = (path.get('callee') as NodePath<t.MemberExpression>).get('object');
  if ((last?.isIdentifier() || last?.isMemberExpression()) && !isOfPackage(object)) return true;
  return Boolean(last?.isFunction() && kinds.rolesOf(last as NodePath<t.Function>).req);
}

/** Whether an expression begins with a module from node_modules or of Node.js: `axios` and `axios.create()`. */
function isOfPackage(path: NodePath): boolean {
  if (path.isMemberExpression()) return isOfPackage(path.get('object'));
  if (path.isCallExpression()) {
    const required = requiredBy(path.node);
    return required === undefined ? isOfPackage(path.get('callee') as NodePath) : !required.startsWith('.');
  }
  const declared = path.isIdentifier() ? path.scope.getBinding(path.node.name)?.path : undefined;
  if (declared?.parentPath?.isImportDeclaration())
    return !declared.parentPath.node.source.value.startsWith('.');
  const init = declared?.isVariableDeclarator() ? (declared.get('init') as NodePath) : undefined;
  return Boolean(init?.node) && isOfPackage(init as NodePath);
}

function warnOfPath(
  path: NodePath,
  place: Place,
  context: Context,
  subject = 'if this is a router of Express, its path',
): void {
  const text = textOf(path);
  if (text === undefined) return context.refuse(path, `${subject} has syntax of Express 4`);
  if (isOfExpress5(text)) return;
  const conversion = convertPath(text, place, context.frameworks);
  if (conversion.kind === 'same') return;
  context.path(path.node, `${JSON.stringify(text)}: ${subject}`, 'refused');
  const result =
    conversion.kind === 'refused'
      ? `has no equivalent in Express 5: ${conversion.why}`
      : `for Express 5 is ${writtenAs(conversion, path.node)}`;
  context.refuse(path, `${subject} ${result}`);
}

function placeOf(
  call: NodePath<t.CallExpression>,
  callee: NodePath<t.MemberExpression>,
  name: string,
  context: Context,
): Place {
  const { facts } = context;
  const made = routerOptions(callee.get('object'));
  const either = [false, true];
  return {
    end: name !== 'use',
    strict: made ? (made.strict ?? either) : facts.setsStrict ? either : [false],
    sensitive: made ? (made.sensitive ?? either) : facts.setsSensitive ? either : [false],
    readsNumbers: readsNumbers(call, context),
  };
}

/** The possible values of each option, if this file creates the router. A computed option is missing. */
function routerOptions(path: NodePath): { strict?: boolean[]; sensitive?: boolean[] } | undefined {
  const binding = path.isIdentifier() ? path.scope.getBinding(path.node.name) : undefined;
  const declared = binding?.constant ? binding.path : undefined;
  const init = declared?.isVariableDeclarator() ? declared.node.init : undefined;
  if (init?.type !== 'CallExpression' && init?.type !== 'NewExpression') return undefined;
  const { callee, arguments: args } = init;
  const name =
    callee.type === 'Identifier' ? callee.name : callee.type === 'MemberExpression' && memberName(callee);
  if (name !== 'Router') return undefined;
  const [options] = args;
  if (!options) return { strict: [false], sensitive: [false] };
  if (options.type !== 'ObjectExpression') return {};
  const given = (key: string): boolean[] | undefined => {
    const found = options.properties.find(
      (one): one is t.ObjectProperty =>
        one.type === 'ObjectProperty' && one.key.type === 'Identifier' && one.key.name === key,
    );
    if (!found) return [false];
    return found.value.type === 'BooleanLiteral' ? [found.value.value] : undefined;
  };
  const [strict, sensitive] = [given('strict'), given('caseSensitive')];
  return { ...(strict && { strict }), ...(sensitive && { sensitive }) };
}

/**
 * Whether a handler of the route may read parameters by number. If a handler is not a function in this file, reads
 * anywhere in the given files count.
 */
function readsNumbers(call: NodePath<t.CallExpression>, { facts, kinds }: Context): boolean {
  if (!facts.readsNumbers) return false;
  const handlers = call.get('arguments').slice(1) as NodePath[];
  return !handlers.map(unbound).every((handler) => {
    if (!handler.isFunction()) return false;
    const { req } = kinds.rolesOf(handler as NodePath<t.Function>);
    const binding = req && handler.scope.getBinding(req.name);
    return !req || Boolean(binding?.referencePaths.every(readsNoNumber));
  });
}

/** Returns the function in `function () {}.bind(this)`, and any other expression unchanged. */
function unbound(path: NodePath): NodePath {
  const callee = path.isCallExpression() ? path.get('callee') : undefined;
  const isBind = callee?.isMemberExpression() && memberName(callee.node) === 'bind';
  return isBind ? (callee.get('object') as NodePath) : path;
}

/** Whether this use of the request cannot read a parameter by number. */
function readsNoNumber(path: NodePath): boolean {
  const { parentPath: member } = path;
  if (!member?.isMemberExpression() || path.key !== 'object') return false;
  return memberName(member.node) !== 'params' || !readsNumberOf(member);
}

/** Whether `req.params` is read by number, by a computed name, or as a whole. */
export function readsNumberOf(params: NodePath<t.MemberExpression>): boolean {
  const { parentPath: outer } = params;
  if (outer?.isMemberExpression() && params.key === 'object') {
    const name = memberName(outer.node);
    return name === undefined || /^\d+$/.test(name);
  }
  const id = outer?.isVariableDeclarator() ? outer.node.id : undefined;
  if (id?.type !== 'ObjectPattern') return true;
  return !id.properties.every(
    (one) => one.type === 'ObjectProperty' && one.key.type === 'Identifier' && !one.computed,
  );
}
