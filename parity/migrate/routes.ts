/** Rewrites the paths of routes and mounts. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { type Context, located } from './context';
import { type Kinds, VERBS } from './kinds';
import { candidatesFor } from './path/candidates';
import { type Conversion, convertPath, isConverted, type Place } from './path/convert';
import { keyOf, keyText, memberName, requiredBy } from './syntax';

/** Rewrites the path of a route or mount, which is the first argument of a method of an application or router. */
export function migratePaths(path: NodePath<t.CallExpression>, context: Context): void {
  const callee = path.get('callee');
  if (!callee.isMemberExpression()) return;
  // `app[method](path, …)` registers a route, too.
  const name = memberName(callee.node) ?? 'all';
  const kind = context.kinds.of(callee.get('object'));
  const isKnown = kind === 'app' || kind === 'router';
  if (!isRegistration(name)) {
    if (isKnown) migrateOtherMethod(path, name, context);
    return;
  }
  const [first] = path.get('arguments') as NodePath[];
  const place = placeOf(path, callee, name, context);
  if (isKnown) {
    if (!first || (name === 'get' && path.node.arguments.length < 2 && !first.isSpreadElement()))
      return context.count(path.node);
    const why = unknownIn(path, context);
    context.count(path.node, why);
    if (!hasComputedPath(path, context.kinds)) migratePath(first, place, context);
    else if (why !== undefined && !context.facts.hasTable)
      context.refuse(
        path,
        'a path from elsewhere: no string of these files can be its value. Write it for Express 5 there',
      );
  } else if (kind === undefined && first && isRouteLike(path, name, context)) {
    // Whatever the object is: if Express 5 matches the path as Express 4 does, nothing changes.
    const isRefused = warnOfPath(first, place, context);
    context.count(path.node, isRefused ? 'the object' : undefined);
  }
}

function isRegistration(name: string): boolean {
  return VERBS.has(name) || name === 'del' || name === 'use' || name === 'route';
}

/** The methods of applications and routers that add no route, and those that they inherit. */
const OTHER_METHODS: ReadonlySet<string> = new Set([
  ...'set enable disable enabled disabled engine render listen param path handle init defaultConfiguration lazyrouter'.split(
    ' ',
  ),
  ...'on once off emit addListener prependListener removeListener removeAllListeners setMaxListeners listeners eventNames listenerCount'.split(
    ' ',
  ),
  ...'call apply bind toString hasOwnProperty locals configure'.split(' '),
]);

/** Reports a path in a method that other packages add to applications and routers, such as `app.ws` of express-ws. */
function migrateOtherMethod(path: NodePath<t.CallExpression>, name: string, context: Context): void {
  const callee = path.get('callee') as NodePath<t.MemberExpression>;
  const args = path.get('arguments') as NodePath[];
  const [first] = args;
  if (!first || OTHER_METHODS.has(name)) return context.count(path.node);
  const text = textOf(first);
  const isPath = text !== undefined && /^[/*]/.test(text) && !isPlain(text);
  // `app.start(port)` and the like add no route. A route has a path and a handler.
  const isUnknown = text === undefined && args.length > 1 && mayBePath(first) && mayBeHandler(args.at(-1));
  context.count(path.node, isPath || isUnknown ? `${name}()` : undefined);
  const subject = `if ${name}() adds a route, its path`;
  if (isPath) warnOfPath(first, placeOf(path, callee, name, context), context, subject);
  else if (isUnknown) context.refuse(path, `${subject} may have syntax of Express 4`);
}

function mayBePath(path: NodePath): boolean {
  return /^(?:Identifier|.*MemberExpression|CallExpression|BinaryExpression|TemplateLiteral|SpreadElement)$/.test(
    path.type,
  );
}

function mayBeHandler(path: NodePath | undefined): boolean {
  return Boolean(path && (path.isFunction() || path.isIdentifier() || path.isMemberExpression()));
}

/** Reports a method of an application or router that is used without being called, as in `const { get } = app`. */
export function refuseReference(path: NodePath<t.MemberExpression>, context: Context): void {
  const name = memberName(path.node);
  if (name === undefined || !isRegistration(name)) return;
  const kind = context.kinds.of(path.get('object'));
  if (kind !== 'app' && kind !== 'router') return;
  const { parent, key } = path;
  if ((parent.type === 'CallExpression' && key === 'callee') || key === 'left') return;
  // `app.route` was the path of a mounted application of Express 3, which another rule reports.
  if (name === 'route' || (parent.type === 'MemberExpression' && memberName(parent) === 'length')) return;
  context.count(path.node, `${name} without a call`);
  context.refuse(path, NOT_FOLLOWED.replace('$', name));
}

/** Reports a method that a pattern takes from an application or router, as in `const { get } = app`. */
export function refuseTakenMethod(path: NodePath<t.ObjectProperty>, context: Context): void {
  const declared = path.parentPath.parentPath;
  if (!path.parentPath.isObjectPattern() || !declared?.isVariableDeclarator()) return;
  const name = keyText(path.node.key);
  const kind = isRegistration(name) ? context.kinds.of(declared.get('init') as NodePath) : undefined;
  if (kind !== 'app' && kind !== 'router') return;
  context.count(path.node, `${name} without a call`);
  context.refuse(path, NOT_FOLLOWED.replace('$', name));
}

const NOT_FOLLOWED =
  'the calls of this $ are not followed: if one adds a route, write its path for Express 5';

/**
 * Says what is not known of the paths of a route or mount, such as the variable in `app.get(route.path, fn)`; undefined
 * if the files show every path. The first argument of `use` may be a handler.
 */
function unknownIn(path: NodePath<t.CallExpression>, { kinds }: Pick<Context, 'kinds'>): string | undefined {
  if (hasComputedPath(path, kinds))
    return isTraced(path.get('arguments')[0] as NodePath) ? undefined : 'its path';
  const [first] = path.get('arguments') as NodePath[];
  const isPlainUse =
    memberName(path.node.callee as t.MemberExpression) === 'use' &&
    !first?.isTemplateLiteral() &&
    !first?.isBinaryExpression();
  return !first || isPlainUse ? unknownPrefix(path) : unknownPart(first);
}

/** A first argument of `use` that has the name of a path, before a handler. */
function unknownPrefix(path: NodePath<t.CallExpression>): string | undefined {
  const [first, second] = path.get('arguments') as NodePath[];
  if (!first || !second) return undefined;
  const value = first.isIdentifier() ? literalOf(first) : first;
  if (value && !value.isMemberExpression()) return undefined;
  const { node } = first;
  const name =
    node.type === 'Identifier' ? node.name : node.type === 'MemberExpression' ? memberName(node) : '';
  return /(?:path|prefix|url|base|route|mount|endpoint)s?$/i.test(name ?? '') ? 'its path' : undefined;
}

/** The part of a path whose text no constant of the file shows. */
function unknownPart(path: NodePath): string | undefined {
  if (path.isArrayExpression()) {
    const parts = path.get('elements') as NodePath[];
    return parts.map(unknownPart).find((one) => one !== undefined);
  }
  if (path.isTemplateLiteral())
    return (path.get('expressions') as NodePath[]).map(unknownPart).find((one) => one !== undefined);
  if (path.isBinaryExpression() && path.node.operator === '+')
    return unknownPart(path.get('left') as NodePath) ?? unknownPart(path.get('right') as NodePath);
  if (path.isIdentifier()) {
    const value = literalOf(path);
    return value ? unknownPart(value) : 'a part of its path';
  }
  return path.isStringLiteral() || path.isRegExpLiteral() || path.isNumericLiteral()
    ? undefined
    : 'a part of its path';
}

/** Whether a path is an element of a list in the same file, whose paths are all literals and are checked there. */
function isTraced(path: NodePath): boolean {
  const taken = takenOf(path);
  if (!taken) return false;
  const list = taken.from.isIdentifier() ? literalOf(taken.from) : taken.from;
  return (
    Boolean(list?.isArrayExpression()) &&
    (list as NodePath<t.ArrayExpression>).get('elements').every((one) => {
      const element = one as NodePath;
      if (taken.key === undefined) return element.isStringLiteral();
      if (!element.isObjectExpression()) return false;
      const property = element
        .get('properties')
        .find(
          (each): each is NodePath<t.ObjectProperty> =>
            each.isObjectProperty() && keyText(each.node.key) === taken.key,
        );
      return property !== undefined && (property.get('value') as NodePath).isStringLiteral();
    })
  );
}

/** The list of a loop and the member of its elements that an expression is, as in `for (const one of list) one.path`. */
function takenOf(path: NodePath): { readonly from: NodePath; readonly key: string | undefined } | undefined {
  if (path.isMemberExpression()) {
    const object = path.get('object');
    const list = object.isIdentifier() ? listOf(object) : undefined;
    const key = memberName(path.node);
    return list && list.key === undefined && key !== undefined ? { from: list.from, key } : undefined;
  }
  return path.isIdentifier() ? listOf(path) : undefined;
}

function listOf(
  path: NodePath<t.Identifier>,
): { readonly from: NodePath; readonly key: string | undefined } | undefined {
  const binding = path.scope.getBinding(path.node.name);
  if (!binding?.constant) return undefined;
  const { path: declared, kind } = binding;
  const { name } = path.node;
  const keyIn = (id: t.Node): string | undefined =>
    id.type === 'ObjectPattern' ? keyOf(id, name) : undefined;
  const loop = declared.parentPath?.parentPath;
  if (declared.isVariableDeclarator() && loop?.isForOfStatement())
    return { from: loop.get('right') as NodePath, key: keyIn(declared.node.id) };
  if (kind !== 'param') return undefined;
  const fn = declared.isFunction() ? declared : declared.getFunctionParent();
  const call = fn?.parentPath;
  const [param] = fn?.node.params ?? [];
  if (!call?.isCallExpression() || fn?.key !== 0 || !param) return undefined;
  const callee = call.get('callee');
  if (!callee.isMemberExpression() || !/^(?:forEach|map)$/.test(memberName(callee.node) ?? ''))
    return undefined;
  const isFirst = param === binding.identifier || keyIn(param) !== undefined;
  return isFirst ? { from: callee.get('object'), key: keyIn(param) } : undefined;
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
  const isRoute = name === undefined || (isRegistration(name) && (name !== 'use' || first.isSpreadElement()));
  if (!isRoute || (name !== 'route' && path.node.arguments.length < 2 && !first.isSpreadElement()))
    return false;
  const kind = kinds.of(callee.get('object'));
  if (kind !== 'app' && kind !== 'router') return false;
  if (first.isIdentifier()) {
    const value = literalOf(first);
    return !value || value.isMemberExpression() || value.isCallExpression();
  }
  return /^(?:Member|Call|Conditional|Logical|Await)Expression$|^SpreadElement$/.test(first.type);
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
  if (texts.every(({ text }) => isPlain(text))) return;
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
function isRouteLike(path: NodePath<t.CallExpression>, name: string, { kinds }: Context): boolean {
  const last = path.get('arguments').at(-1);
  const first = path.get('arguments')[0] as NodePath;
  if (!textOf(first)?.startsWith('/') && needsNoChange(first)) return false;
  if (path.node.arguments.length < 2) return false;
  const object = (path.get('callee') as NodePath<t.MemberExpression>).get('object');
  if (name === 'use') return !isOfPackage(object) && mayBeHandler(last as NodePath);
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

/** Reports a path that Express 5 does not match as Express 4 does. @returns Whether there was something to report. */
function warnOfPath(
  path: NodePath,
  place: Place,
  context: Context,
  subject = 'if this is a router of Express, its path',
): boolean {
  const text = textOf(path);
  if (text === undefined) {
    context.refuse(path, `${subject} has syntax of Express 4`);
    return true;
  }
  if (isOfExpress5(text)) return false;
  const conversion = convertPath(text, place, context.frameworks);
  if (conversion.kind === 'same') return false;
  context.path(path.node, `${JSON.stringify(text)}: ${subject}`, 'refused');
  const result =
    conversion.kind === 'refused'
      ? `has no equivalent in Express 5: ${conversion.why}`
      : `for Express 5 is ${writtenAs(conversion, path.node)}`;
  context.refuse(path, `${subject} ${result}`);
  return true;
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
