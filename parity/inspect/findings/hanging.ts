/** Finds handlers that neither respond nor call `next`. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { insertAt } from '../changes';
import type { LiveApplication } from '../live';
import type { Finding } from '../model';
import { CODES } from './codes';
import { type HandlerCode, handlersIn, parameterOf } from './handler-code';
import { isSwapped } from './swapped';

/** Members of a response that do not end it. */
const HARMLESS = new Set(
  'locals set setHeader header cookie clearCookie vary append status statusCode type contentType links'.split(
    ' ',
  ),
);
/** Members of a request that reach neither the response nor another function. */
const REACHING = new Set(
  'next res app on once addListener pipe read resume emit socket connection'.split(' '),
);
/** Functions that do not throw for usual values. */
const QUIET = /^(?:console|Math|JSON|Date|Object|Array|String|Number|Boolean)$/;

export function findHanging(live: LiveApplication): Finding[] {
  return handlersIn(live).flatMap((code): Finding[] => {
    const { name, live: registered, site, isErrorHandler } = code;
    const hanging = isErrorHandler || isSwapped(code) ? undefined : hangs(code);
    if (!hanging) return [];
    return [
      {
        code: CODES.neverEnds.code,
        severity: 'warning',
        site,
        message: `${name} neither responds nor calls next: each request that reaches it hangs${hanging.mayThrow ? ', unless it throws' : ''}`,
        change: registered?.node.kind === 'middleware' ? continued(code) : undefined,
      },
    ];
  });
}

/** Calls `next()` at the end of a middleware. */
function continued({ fn, parsed }: HandlerCode): Finding['change'] {
  const { params, body } = fn.node;
  const next = parameterOf(fn, 2);
  if (!parsed || body.type !== 'BlockStatement' || params.length < 2 || hasReturn(fn)) return undefined;
  const end = (body.end ?? 1) - 1;
  const line = parsed.text.lastIndexOf('\n', end) + 1;
  const isOwnLine = parsed.text.slice(line, end).trim() === '';
  const call = `${next?.name ?? 'next'}();`;
  const [indent = ''] = /^\s*/.exec(parsed.text.slice(line, end)) ?? [];
  const change = isOwnLine
    ? insertAt(parsed, line, `${indent}  ${call}\n`, `call ${call} at its end`)
    : insertAt(parsed, end, ` ${call} `, `call ${call} at its end`);
  const last = params.at(-1);
  if (next || !change || !last) return change;
  const declared = insertAt(parsed, last.end, ', next', '');
  return {
    fix: `declare the parameter next, and ${change.fix}`,
    edits: [...(declared?.edits ?? []), ...change.edits],
  };
}

function hasReturn(fn: NodePath<t.Function>): boolean {
  let found = false;
  fn.traverse({
    Function: (path) => path.skip(),
    ReturnStatement: () => {
      found = true;
    },
  });
  return found;
}

/** Whether a function certainly leaves the request without a response, unless code that it calls throws. */
function hangs({ fn, length }: HandlerCode): { readonly mayThrow: boolean } | undefined {
  const { params } = fn.node;
  if (params.length !== length || params.length > 3 || fn.node.generator) return undefined;
  const [request, response, next] = params;
  if ([response, next].some((one) => one && one.type !== 'Identifier')) return undefined;
  if (request && request.type !== 'Identifier' && !isPlainPattern(request)) return undefined;
  const uses = (index: number): readonly NodePath[] => {
    const id = parameterOf(fn, index);
    return (id && fn.scope.getBinding(id.name)?.referencePaths) ?? [];
  };
  if (uses(2).length > 0 || !uses(1).every(isHarmless) || !uses(0).every(isRead)) return undefined;
  const found = { ends: false, calls: 0, awaits: false, value: false };
  const end = (): void => {
    found.ends = true;
  };
  const noteValue = (value: t.Node | null | undefined): void => {
    if (value && !/^(?:Call|Await|New|Optional|Unary|Assignment)/.test(value.type)) found.value = true;
  };
  if (fn.node.body.type !== 'BlockStatement') noteValue(fn.node.body);
  fn.traverse({
    ThrowStatement: end,
    ThisExpression: end,
    Super: end,
    Identifier: (path) => {
      if (path.isReferencedIdentifier() && /^(?:arguments|eval|process|next|reject)$/.test(path.node.name))
        end();
    },
    AwaitExpression: () => {
      found.awaits = true;
    },
    CallExpression: (path) => {
      if (!isQuiet(path)) found.calls++;
    },
    NewExpression: () => void found.calls++,
    TaggedTemplateExpression: () => void found.calls++,
    ReturnStatement: (path) => {
      if (path.getFunctionParent()?.node === fn.node) noteValue(path.node.argument);
    },
  });
  if (found.ends) return undefined;
  const mayThrow = found.awaits || found.calls > 0;
  // A handler that only calls another function may be meant to fail, as those of tests are.
  if (mayThrow && !found.value && (found.awaits || params.length < 2)) return undefined;
  return { mayThrow };
}

/** Whether a pattern of the request takes only members that do not reach a response. */
function isPlainPattern(node: t.Node): boolean {
  return (
    node.type === 'ObjectPattern' &&
    node.properties.every(
      (one) =>
        one.type === 'ObjectProperty' &&
        one.key.type === 'Identifier' &&
        !one.computed &&
        !REACHING.has(one.key.name),
    )
  );
}

/** Whether a use of the response is a member that does not end it, also in a chain of calls. */
function isHarmless(path: NodePath): boolean {
  const { parentPath: member, key } = path;
  if (!member?.isMemberExpression() || key !== 'object' || member.node.computed) return false;
  const { property } = member.node;
  if (property.type !== 'Identifier' || !HARMLESS.has(property.name)) return false;
  const call = member.parentPath;
  if (!call.isCallExpression() || member.key !== 'callee')
    return property.name === 'locals' || member.key === 'left';
  return call.parentPath.isMemberExpression() ? isHarmless(call) : call.parentPath.isExpressionStatement();
}

/** Whether a use of the request reads or assigns a member. */
function isRead(path: NodePath): boolean {
  const { parentPath: outer, key } = path;
  if (outer?.isMemberExpression() && key === 'object') {
    const { property, computed } = outer.node;
    return !computed && property.type === 'Identifier' && !REACHING.has(property.name);
  }
  if (!outer?.isVariableDeclarator() || key !== 'init') return false;
  return isPlainPattern(outer.node.id);
}

function isQuiet(path: NodePath<t.CallExpression>): boolean {
  const callee = path.get('callee') as NodePath;
  if (!callee.isMemberExpression()) return false;
  let object: t.Node = callee.node.object;
  while (object.type === 'MemberExpression') object = object.object;
  if (object.type === 'Identifier' && QUIET.test(object.name)) return true;
  const { property } = callee.node;
  return (
    property.type === 'Identifier' &&
    (HARMLESS.has(property.name) || /^(?:get|header|is|push)$/.test(property.name))
  );
}
